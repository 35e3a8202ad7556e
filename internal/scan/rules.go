// Package scan looks for what must not travel in texts and records, by the built-in rules and by those that
// rule files of a repository add, and masks it.
//
// A rule file that cannot be used is an error where something is guarded or sent. The one of the work tree,
// which whoever writes a branch writes, does not keep a clone from storing: rules that could be used before
// take its place.
package scan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

// RulesError is a rule file that cannot be used. Nothing is scanned then, and so nothing is stored and
// nothing that needs a scan is handed on.
type RulesError struct {
	Err error // a *[ruleset.InvalidError] where the file was read
}

func (e *RulesError) Error() string { return "rules of your own: " + e.Err.Error() }

func (e *RulesError) Unwrap() error { return e.Err }

// Rules are what texts are scanned by: the built-in rules and what rule files make of them. Nil are the
// built-in rules alone. They are safe for concurrent use.
type Rules struct {
	scanner  *redact.Scanner
	version  string
	warnings []string
	added    string      // the rule file of the work tree, where it is among them
	stop     func() bool // whether nobody waits for a scan any more; nil is never
}

// scanPatience is how long a record may be scanned by rules that files name. Built-in rules take as long as
// the text is long.
const scanPatience = 3 * time.Second

// ErrSlow says that rules are too expensive for a text. Nothing is known of it then.
var ErrSlow = errors.New(
	"the scan was given up after 3 seconds: a rule of your own is too expensive for this text")

// within returns the rules for as long as a context lasts.
func (r *Rules) within(ctx context.Context) *Rules {
	if r == nil {
		return nil
	}
	bound := *r
	bound.stop = func() bool { return ctx.Err() != nil }
	return &bound
}

// scannerOf returns the scanner of the rules.
func (r *Rules) scannerOf() *redact.Scanner {
	if r == nil {
		return redact.BuiltIn()
	}
	return r.scanner
}

// patient returns a scanner that does not work for ever, and tells why it stopped where it did.
func (r *Rules) patient() (scanner *redact.Scanner, why func(error) error) {
	if r == nil {
		return redact.BuiltIn(), func(err error) error { return err }
	}
	end := time.Now().Add(scanPatience)
	left := func() bool { return r.stop != nil && r.stop() }
	scanner = r.scanner.Until(func() bool { return left() || time.Now().After(end) })
	return scanner, func(err error) error {
		if errors.Is(err, redact.ErrStopped) && !left() {
			return ErrSlow
		}
		return err
	}
}

// Version names the rules. Behind the version of the built-in ones stands the beginning of the digest of the
// rule files.
func (r *Rules) Version() string {
	if r == nil {
		return redact.RulesVersion
	}
	return r.version
}

// Warnings tells what of the rule files does not apply, and why.
func (r *Rules) Warnings() []string {
	if r == nil {
		return nil
	}
	return r.warnings
}

// Scan returns what must not travel in a document.
func (r *Rules) Scan(data []byte) ([]redact.Finding, error) {
	scanner, why := r.patient()
	found, err := scanner.Scan(data)
	return found, why(err)
}

// ScanText returns what must not travel in a text that is not JSON.
func (r *Rules) ScanText(text string) []redact.Finding {
	if r == nil {
		return redact.ScanText(text)
	}
	return r.scanner.ScanText(text)
}

// Mask returns a document with masks in the place of what must not travel, and what was masked. Paths in home
// directories are written relative to the home.
func (r *Rules) Mask(data []byte) ([]byte, []redact.Finding, error) {
	data, _, err := r.Relative(data, "")
	if err != nil {
		return nil, nil, err
	}
	scanner, why := r.patient()
	masked, found, err := scanner.Mask(data)
	return masked, found, why(err)
}

// Relative returns a document with paths in home directories written relative to the home, or to root where
// they lie below it, and how many they were.
func (r *Rules) Relative(data []byte, root string) ([]byte, int, error) {
	scanner, why := r.patient()
	written, n, err := scanner.Relative(data, root)
	return written, n, why(err)
}

// List returns the rules, the most specific first.
func (r *Rules) List() []redact.Rule { return r.scannerOf().Rules() }

// Known tells whether one of the rules has that id.
func (r *Rules) Known(id string) bool { return r.scannerOf().Has(id) }

// Query says whose rules are meant.
type Query struct {
	Dir    string   // directory to start from; "" is the current one
	Env    []string // required: environment for git
	Config string   // a rule file to trust in the place of the one that ltm.scanConfig names
}

// Find returns the rules of the repository in which a directory lies; outside of one, and where there is no
// git, the built-in rules and those of the file that the query names.
func Find(ctx context.Context, q Query) (*Rules, error) {
	repo, err := git.Find(ctx, q.Dir, q.Env)
	switch {
	case errors.Is(err, git.ErrNotRepository), errors.Is(err, git.ErrNoGit):
		return readRules(ctx, nil, q.Config)
	case err != nil:
		return nil, err
	}
	return readRules(ctx, repo, q.Config)
}

// newRules makes the rules that two files give, of which one may be nil.
func newRules(trusted, added *ruleFile) (*Rules, error) {
	ours, errOurs := trusted.parseRules()
	theirs, errTheirs := added.parseRules()
	if err := errors.Join(errOurs, errTheirs); err != nil {
		return nil, err
	}
	scanner, err := redact.NewWith(ruleset.Merge(ours, theirs))
	if err != nil {
		return nil, err
	}
	r := &Rules{scanner: scanner}
	sum := sha256.New()
	for _, f := range []*ruleFile{trusted, added} {
		if f == nil {
			f = &ruleFile{}
		}
		_, _ = fmt.Fprintf(sum, "%d:%s", len(f.text), f.text) // A hash takes whatever comes.
	}
	r.version = redact.RulesVersion + "+" + hex.EncodeToString(sum.Sum(nil)[:4])
	if ours != nil {
		r.warn(ours.Name, ours.Ignored)
	}
	if theirs != nil {
		r.added = added.text
		r.warn(theirs.Name, theirs.Ignored)
		r.warn(theirs.Name, theirs.LeftOut())
	}
	return r, nil
}

func (r *Rules) warn(name string, what []string) {
	for _, text := range what {
		r.warnings = append(r.warnings, name+": "+text)
	}
}
