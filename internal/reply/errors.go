package reply

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/ruleset"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signing"
)

// Printable makes a text fit for a terminal, a log and a model: clean, on one line, and without a secret that
// somebody typed or sent. Places stay, they say where to look. Nil are the built-in rules.
func Printable(rules *scan.Rules, text string) string {
	// A secret that is broken over lines is one only before they are joined.
	return rules.Public(report.Line(rules.Public(text)))
}

// Summary is the one line of an error, whose details follow.
func Summary(err error) string {
	if _, ok := errors.AsType[*ruleset.InvalidError](err); ok {
		return "the rules of your own are not valid, so nothing can be scanned"
	}
	invalid, ok := errors.AsType[*packet.InvalidError](err)
	if !ok || replay.IsStoredUnreadable(err) {
		return oneCause(err)
	}
	if n := len(invalid.Problems); n != 1 {
		return fmt.Sprintf("the record is not valid, for %d reasons", n)
	}
	return "the record is not valid"
}

// oneCause is an error without the steps between what was done and what is in the way: of a file its name, of git
// what it said first.
func oneCause(err error) string {
	text := err.Error()
	if exit, ok := errors.AsType[*git.ExitError](err); ok && exit.Stderr != "" {
		said, _, _ := strings.Cut(exit.Stderr, "\n")
		text = strings.Replace(text, exit.Error(), strings.TrimPrefix(said, "fatal: "), 1)
	}
	for _, cause := range []error{git.ErrNotRepository, signer.ErrNoKey} {
		if before, _, ok := strings.Cut(text, cause.Error()); ok && errors.Is(err, cause) {
			text = before + cause.Error()
		}
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		name := file.Path
		if strings.HasPrefix(filepath.Base(name), ".git-ltm-") { // It would have become the file beside it.
			name = filepath.Dir(name)
		}
		text = strings.Replace(text, file.Error(), fmt.Sprintf("%s: %v", name, file.Err), 1)
	}
	return text
}

// Details lists what an error found, one line each.
func Details(err error) []string {
	var lines []string
	if invalid, ok := errors.AsType[*packet.InvalidError](err); ok {
		for _, p := range invalid.Problems {
			path := p.Path
			if path == "" {
				path = "(document)"
			}
			lines = append(lines, path+": "+p.Text)
		}
	}
	if rules, ok := errors.AsType[*scan.RulesError](err); ok {
		if _, ok := errors.AsType[*ruleset.InvalidError](err); ok {
			lines = append(lines, strings.Split(rules.Err.Error(), "\n")...)
		}
	}
	if secret, ok := errors.AsType[*replay.SecretError](err); ok {
		for _, f := range secret.Findings {
			lines = append(lines, f.String())
			if secret.Stored {
				continue
			}
			more := "fingerprint " + f.Fingerprint("") + ": " + strings.TrimSuffix(f.Advice, " of the packet")
			if f.Line > 0 {
				more = fmt.Sprintf("line %d, column %d, %s", f.Line, f.Column, more)
			}
			lines = append(lines, more)
		}
	}
	if store, ok := errors.AsType[*signing.StoreError](err); ok && store.Team == "" {
		for _, id := range store.Stores {
			lines = append(lines, "if this is the project that they were signed in: git config ltm.store "+id)
		}
	}
	return lines
}
