package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// errSilenced answers every call where the user silenced git ltm.
var errSilenced = errors.New("memory is silenced by GIT_LTM_DISABLE")

// errDefect ends a call that a defect of this program ended.
var errDefect = errors.New("the call ended by a defect of git ltm")

// printable makes a text fit to be told.
func printable(rules *scan.Rules, text string) string { return reply.Printable(rules, text) }

// explainError says what went wrong, with what, and what to do, in words that are cleaned by rules.
func explainError(rules *scan.Rules, err error) string {
	var out strings.Builder
	summary := reply.Summary(rules, err)
	if wrong, ok := errors.AsType[*command.InputError](err); ok {
		if summary = "the arguments are not valid"; len(wrong.Problems) != 1 {
			summary += fmt.Sprintf(", for %d reasons", len(wrong.Problems))
		}
	}
	fmt.Fprintf(&out, "error: %s\n", printable(rules, summary))
	for _, d := range reply.Details(err) {
		fmt.Fprintf(&out, "  %s\n", printable(rules, d))
	}
	hints := errorHints()
	i := slices.IndexFunc(hints, func(w way) bool { return w.fits(err) })
	if i >= 0 && hints[i].hint != "" {
		fmt.Fprintf(&out, "hint: %s\n", hints[i].hint)
	}
	return out.String()
}

// way ties a kind of error to the way out.
type way struct {
	fits func(error) bool
	hint string
}

func isA[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// errorHints say what to do about an error that an agent can do something about. The first that fits counts. No way
// out leads past the scan or a signature: those are the user's.
func errorHints() []way {
	return []way{
		{is(errSilenced), "do not ask again; the user unsets it to have memory back"},
		{is(context.Canceled), ""},
		{isA[*command.InputError], "mend what is listed and call again"},
		{is(errOutside), "leave repo out to work in the project; if another repository is meant, tell the " +
			"user: 'git config --global --add ltm.mcpRepository PATH' names it"},
		{is(errRelative), "give repo as an absolute path"},
		{
			isA[*replay.SecretError],
			"take it out, or call again with redact: true, which puts masks in its place; tell the user " +
				"to change a secret that leaked",
		},
		{
			isA[*replay.PolicyError],
			"the user decides: 'git ltm verify ID' says whether it is trusted and which command changes that",
		},
		{
			isA[*replay.StandingError],
			"do not use it; tell the user that 'git ltm verify' says what is wrong with its signature",
		},
		{is(replay.ErrExists), "records are written once; call again without its id"},
		{isA[*packet.InvalidError], "mend what is listed and call again"},
		{isA[*replay.AmbiguousError], "give more characters of the id"},
		{is(replay.ErrWithheld), "the user decides: 'git ltm verify' says why each is withheld"},
		{is(replay.ErrHidden), "the user answers it: git ltm purge --refuse ID, or --accept ID"},
		{is(replay.ErrPurged), "a purge counts for ever"},
		{is(gate.ErrPrivate), "give private: true to what names it, or do not name it"},
		{is(gate.ErrSelf), "name two records"},
		{is(replay.ErrTombstone), "name the record itself, or leave it"},
		{is(draft.ErrNoDraft), "save without draft; the user lists drafts with 'git ltm distill --list'"},
		{
			is(replay.ErrNotFound),
			`recall with kinds: [packet, note, skip] lists what is here; the user brings what a remote holds with 'git ltm sync'`,
		},
		{is(git.ErrConflict), "another process changed the same ref; call again"},
		{is(git.ErrNotRepository), "give repo: an absolute path in the repository that is meant"},
		{
			is(git.ErrEmbedded),
			"give repo: an absolute path beside that folder, which a clone can bring like any other files",
		},
		{
			func(error) bool { return true },
			"tell the user: the same command of 'git ltm' in a terminal says the way out, and 'git ltm doctor' looks at " +
				"the set-up; other calls may work",
		},
	}
}
