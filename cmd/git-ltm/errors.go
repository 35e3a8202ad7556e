package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// The exit codes.
const (
	codeDone        = 0
	codeFailed      = 1
	codeUsage       = 2
	codeSecret      = 3
	codeSignature   = 4
	codeContested   = 5
	codeInvalid     = 6
	codeNotFound    = 7
	codePartial     = 8 // of several things some were done
	codeInterrupted = 130
)

// exitCodes is the part of a help text that lists them.
const exitCodes = "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 secret found, 4 signature missing or " +
	"not trusted,\n" +
	"5 moved or contested, 6 invalid record, 7 not found, 8 some of several not done, 130 interrupted."

// faults are the kinds of errors, those of commands first. Of a batch what is wrong with its lines counts.
func faults() []command.Fault {
	return slices.Concat([]command.Fault{
		{Name: "errNoTranscript", Fits: command.Is(errNoTranscript)},
		{Name: "importError.Secrets", Fits: command.IsWhere(func(e *importError) bool { return e.Secrets > 0 })},
		{Name: "importError.Refused", Fits: command.IsWhere(func(e *importError) bool { return e.Refused+e.Invalid > 0 })},
		{Name: "importError", Fits: command.IsA[*importError]},
		{Name: "batchError.stored", Fits: command.IsWhere(func(e *batchError) bool { return e.stored > 0 })},
		{Name: "errNoIdentity", Fits: command.Is(errNoIdentity)},
		{Name: "usageError", Fits: command.IsA[*usageError]},
		{Name: "errUnfetched", Fits: command.Is(errUnfetched)},
		{Name: "errNotGoodEnough", Fits: command.Is(errNotGoodEnough)},
		{Name: "partialError", Fits: command.IsA[*partialError]},
		{Name: "errWithheld", Fits: command.Is(errWithheld)},
	}, command.Faults(), []command.Fault{{Name: "batchError", Fits: command.IsA[*batchError]}})
}

// wayOut is what there is to do about the worst that did not pass.
func (e *foundError) wayOut() command.Way {
	code := codeFailed
	switch {
	case e.stored:
		return command.WayNamed("stored")
	case e.secrets > 0:
		code = codeSecret
	case e.unsigned > 0:
		code = codeSignature
	case e.others > 0:
		code = codeInvalid
	}
	return command.WayNamed(cmp.Or(e.kept, "check: ") + strconv.Itoa(code))
}

// reportError prints an error, its details and the way out, and returns its exit
// code.
func (e *env) reportError(cmd *cobra.Command, err error) int {
	if errors.Is(err, context.Canceled) {
		e.say("error", "interrupted")
		return codeInterrupted
	}
	o, ok := command.WayOf(err, faults())
	if found, is := errors.AsType[*foundError](err); is {
		o = found.wayOut()
	} else if !ok {
		o.Code = codeFailed
	}
	text := reply.Summary(e.rules, err)
	switch at, ok := errors.AsType[*fs.PathError](err); {
	case command.IsA[*batchError](err):
		text = err.Error()
	case !ok || at.Path == os.Stdout.Name(): // Of what could not be printed more is said.
	case errors.Is(at, fs.ErrPermission):
		text = fmt.Sprintf("you may not use %q", at.Path)
	case errors.Is(at, syscall.EROFS), errors.Is(at, syscall.ENOSPC):
		text = at.Error()
	}
	e.say("error", strings.ReplaceAll(e.rules.Public(text), "\n", "; "))
	for _, d := range errorDetails(err) {
		_, _ = fmt.Fprintf(e.stderr, "  %s\n", e.printable(d))
	}
	if e.userStore != "" && errors.Is(err, remote.ErrNone) {
		o.Hint = "'" + e.wayOut() + "' gives your user-wide memory a remote"
	}
	if changed, ok := errors.AsType[*upstream.ChangedError](err); ok {
		o.Hint = command.ConfirmHint(changed)
	}
	if blocked, ok := errors.AsType[*memory.BlockedError](err); ok {
		o.Hint = fmt.Sprintf("'git update-ref --no-deref -d %[1]s' takes it out of the way; "+
			"'git tag NAME %[1]s' before keeps what it names", blocked.Ref)
	}
	if wrong, ok := errors.AsType[*usageError](err); ok {
		o.Hint = cmp.Or(wrong.hint, o.Hint)
		if !cmd.HasParent() { // Git answers its --help with a manual page that may not be there.
			o.Hint = strings.Replace(o.Hint, "%s--help", "-h", 1)
		}
	}
	if errors.Is(err, remote.ErrNone) {
		o.Hint = habitHint(cmd, o.Hint)
	}
	if cmd.Name() == "recall" { // It has just looked for words.
		o.Hint = strings.Replace(o.Hint, strings.TrimPrefix(idHint, "'git ltm ls' lists "), "what is here", 1)
	}
	if strings.Contains(o.Hint, "%s") {
		o.Hint = fmt.Sprintf(o.Hint, strings.TrimPrefix(cmd.CommandPath()+" ", "git ltm "))
	}
	if o.Code == codeFailed && o.Hint == "" {
		o.Hint = git.DamagedRefs(e.dir, e.vars)
	}
	if o.Hint != "" {
		e.hint(o.Hint)
	}
	return o.Code
}

// mostLines is about how many reasons are said of a batch.
const mostLines = 20

// errorDetails lists what an error found, one line each.
func errorDetails(err error) []string {
	if batch, ok := errors.AsType[*batchError](err); ok {
		var all []string
		for i, w := range batch.wrong {
			if len(all) >= mostLines {
				return append(all, fmt.Sprintf("and %d more lines; mend these first", len(batch.wrong)-i))
			}
			for _, text := range errorParts(w.err) {
				all = append(all, fmt.Sprintf("line %d: %s", w.line, text))
			}
		}
		return all
	}
	if several, ok := errors.AsType[*replay.AmbiguousError](err); ok {
		return several.Told
	}
	if partial, ok := errors.AsType[*partialError](err); ok {
		var all []string
		for _, one := range partial.left {
			all = append(all, errorParts(one)...)
		}
		return all
	}
	return reply.Details(err)
}

// say prints one line to the person.
func (e *env) say(kind, text string) {
	// There is nobody left to tell.
	_, _ = fmt.Fprintf(e.stderr, "git-ltm: %s: %s\n", kind, e.printable(text))
}

// hint says what somebody can do, or should know.
func (e *env) hint(text string) { e.say("hint", text) }

func (e *env) hintf(format string, args ...any) { e.hint(fmt.Sprintf(format, args...)) }

func (e *env) warnf(format string, args ...any) { e.say("warning", fmt.Sprintf(format, args...)) }

func (e *env) warnAll(lines []string) {
	for _, line := range lines {
		e.warnf("%s", line)
	}
}

// printable makes a text fit for a terminal and a log. Places stay, they say where to look.
func (e *env) printable(text string) string { return reply.Printable(e.rules, text) }

// printables is a copy of a value with all its texts made fit like that.
func printables[T any](e *env, v T) T { return reply.Printables(e.rules, v) }

// batchError is what is wrong with lines of a batch, which were not stored.
type batchError struct {
	lines  int // of the batch
	stored int
	wrong  []lineError
}

// lineError is what is wrong with one line.
type lineError struct {
	line int
	err  error
}

func (e *batchError) Error() string {
	if e.stored > 0 {
		return fmt.Sprintf("%d of %d lines were not stored, the others were", len(e.wrong), e.lines)
	}
	return fmt.Sprintf("%d of %d lines cannot be stored", len(e.wrong), e.lines)
}

func (e *batchError) Unwrap() []error {
	all := make([]error, len(e.wrong))
	for i, w := range e.wrong {
		all[i] = w.err
	}
	return all
}

// errorParts lists everything that is wrong with one line.
func errorParts(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, part := range joined.Unwrap() {
			all = append(all, errorParts(part)...)
		}
		return all
	}
	if found := errorDetails(err); len(found) > 0 {
		return found
	}
	return []string{err.Error()}
}

// errNoIdentity says that nobody stored who they are.
var errNoIdentity = errors.New("not found")
