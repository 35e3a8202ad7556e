package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/command"
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
	if !errors.Is(err, context.Canceled) {
		way, _ := command.WayOf(err, slices.Concat(ownFaults(), command.Faults()))
		fmt.Fprintf(&out, "hint: %s\n", cmp.Or(way.Advice, command.WayNamed("agent").Advice))
	}
	return out.String()
}

// ownFaults are the kinds of errors that tools alone have.
func ownFaults() []command.Fault {
	return []command.Fault{
		{Name: "mcp.errSilenced", Fits: command.Is(errSilenced)},
		{Name: "mcp.errOutside", Fits: command.Is(errOutside)},
		{Name: "mcp.errRelative", Fits: command.Is(errRelative)},
	}
}
