package distill

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// trial is something that was tried and failed.
type trial struct {
	tried, learned, origin string
	key                    string // what is the same attempt
	times                  int
}

// attempts takes over what failed last. A command that the session later ran unchanged with success led to no dead end: what stood in
// its way was mended, and the draft does not hold it.
func (n *notes) attempts(s transcript.Session, x Extra) {
	passed := map[string]int{} // the last success of a command
	for i, c := range s.Commands {
		if !c.Failed {
			passed[key(c.Text)] = i
		}
	}
	var all []trial
	known := map[string]bool{}
	for i, c := range s.Commands {
		k := key(c.Text)
		known[k] = true
		if last, ok := passed[k]; !c.Failed || k == "" || isNoise(c) || ok && last > i {
			continue
		}
		all = again(all, trial{tried: line(plain(c.Text), mostCommand), learned: because(c), origin: fmt.Sprintf("command, exit %d", c.Exit), key: k})
	}
	for _, f := range s.Failures {
		if t := callOf(f); t.key != "" {
			all = again(all, t)
		}
	}
	for _, text := range x.Failures {
		tried, why, _ := strings.Cut(text, " :: ")
		k := key(tried)
		if k == "" || known[k] || isOwn(tried) || isInterrupted(why) || isUsual(why) {
			continue
		}
		all = again(all, trial{tried: line(plain(tried), mostCommand), learned: line(telling(why), mostReason), origin: "tool call that failed", key: k})
	}
	for _, t := range all[max(0, len(all)-n.most):] {
		n.origins[fmt.Sprintf("/attempts/%d", len(n.doc.Attempts))] = t.where()
		n.doc.Attempts = append(n.doc.Attempts, attempt{Tried: t.tried, Outcome: "failed", Learned: t.learned, Confidence: t.confidence()})
	}
}

// confidence says how final an attempt is. A check that fails tells how the code stood; it is not wrong to run it again.
func (t trial) confidence() string {
	if isCheck(t.tried) {
		return "low"
	}
	return ""
}

// where says where an attempt comes from.
func (t trial) where() string {
	if t.times > 1 {
		return fmt.Sprintf("%s, %d times", t.origin, t.times)
	}
	return t.origin
}

// again adds a trial; the same one as before takes the place of that.
func again(all []trial, t trial) []trial {
	t.times = 1
	if i := slices.IndexFunc(all, func(before trial) bool { return before.key == t.key }); i >= 0 {
		t.times += all[i].times
		all = slices.Delete(all, i, i+1)
	}
	return append(all, t)
}

// because says why a command failed.
func because(c transcript.Command) string {
	why := telling(c.Output)
	switch {
	case c.Exit != 0 && why != "":
		return line(fmt.Sprintf("exit %d: %s", c.Exit, why), mostReason)
	case c.Exit != 0:
		return fmt.Sprintf("exit %d", c.Exit)
	default:
		return line(why, mostReason)
	}
}

// callOf returns the trial that a failed call of a tool was, or none where it says nothing about the work.
func callOf(f transcript.Failure) trial {
	what := strings.TrimSpace(f.Tool + " " + f.What)
	if isOwn(what) || isUsual(f.Error) || isInterrupted(f.Error) || strings.TrimSpace(f.Error) == "" {
		return trial{}
	}
	return trial{tried: line(what, mostCommand), learned: line(telling(f.Error), mostReason), origin: "call of " + line(f.Tool, 60), key: key(what)}
}

// isOwn tells a call of git ltm itself.
func isOwn(text string) bool {
	return strings.Contains(text, "git ltm") || strings.Contains(text, "git-ltm") || strings.Contains(text, "mcp__ltm__") || strings.Contains(text, "mcp_ltm_")
}

// isInterrupted tells a call that a person ended or did not allow: that is a decision, no failure.
func isInterrupted(text string) bool {
	return slices.ContainsFunc([]string{
		"Request interrupted", "doesn't want to proceed", "doesn't want to take this action",
		"Sibling tool call", "cancelled by", "canceled by", "aborted by", "Interrupted by",
	}, func(mark string) bool { return strings.Contains(text, mark) })
}

// isUsual tells what tools for files say when an agent used them wrongly: it says nothing about the work.
func isUsual(text string) bool {
	for _, mark := range []string{
		"has not been read yet", "has been modified since", "has been unexpectedly modified", "File has been modified", "does not exist", "No such file or directory",
		"not found in file", "String to replace not found", "matches of the string to replace", "old_string", "exceeds maximum allowed", "No changes to make",
		"InputValidationError", "No such tool", "EISDIR", "ENOENT", "File not found", "invalid arguments", "invalid parameters", "must have required property",
		"failed the following validation", "Failed to find expected lines", "could not find the string",
	} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}
