package distill

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// trial is a command that failed, or a call of a tool.
type trial struct {
	deed       deed
	tried, why string
	exit       int
	times      int
	instead    string // what then worked in its place
	said       string // what the agent said of it in the end, where nobody knows that all went well
	stays      bool   // why it failed is not over by itself
}

// mostInstead is how many commands later something may still have worked in the place of what failed.
const mostInstead = 6

// addAttempts takes over what failed and stays of use: what something else then worked in the place of, what
// failed again and never worked, what is not allowed, and what the agent speaks of in its last words where
// the session ended without a success. A failed command is seldom a failed approach. Most tell how the code
// or the world around it stood, or that a command was mistyped; what fails for want of something on this
// machine is no matter of the project, and is told of in the summary alone.
func (n *notes) addAttempts(s transcript.Session, x Extra) {
	ran := slices.Concat(s.Commands, unseenFailures(s, x))
	var all []trial
	for i, c := range ran {
		k := commandKey(c.Text)
		if !c.Failed || k == "" {
			continue
		}
		why := tellingLines(c.Output)
		if c.Exit != 0 {
			why = joinTexts(": ", fmt.Sprintf("exit %d", c.Exit), why)
		}
		t := trial{
			deed: deedOf(c.Text), tried: cutLine(plainCommand(c.Text), mostCommand), why: cutLine(why, mostReason),
			exit: c.Exit, times: 1, stays: isForbidden(c),
		}
		if slices.ContainsFunc(ran[i+1:], func(later transcript.Command) bool {
			return !later.Failed && commandKey(later.Text) == k
		}) {
			continue // What stood in its way was mended.
		}
		if !t.stays && isLocal(c) {
			n.local = append(n.local, t)
			continue
		}
		if !isFinished(s) && !isCheck(c.Text) {
			t.said = saidOf(closingWords(s), c)
		}
		if IsSlip(c) || !t.stays && t.said == "" && isUsual(c) {
			continue
		}
		for _, next := range ran[i+1 : min(len(ran), i+1+mostInstead)] {
			if !next.Failed && t.instead == "" && deedOf(next.Text).isLike(t.deed) {
				t.instead = "what worked: " + cutLine(plainCommand(next.Text), mostCommand)
			}
		}
		if i := slices.IndexFunc(all, func(before trial) bool { return before.deed.isLike(t.deed) }); i >= 0 {
			t.times += all[i].times
			all = slices.Delete(all, i, i+1)
		}
		all = append(all, t)
	}
	all = slices.DeleteFunc(all, func(t trial) bool {
		return t.times < 2 && t.instead == "" && t.said == "" && !t.stays
	})
	for _, t := range all[max(0, len(all)-n.most):] {
		origin := fmt.Sprintf("command, exit %d", t.exit)
		if t.times > 1 {
			origin += fmt.Sprintf(", %d times", t.times)
		}
		n.addAttempt(attempt{
			Tried: t.tried, Learned: joinTexts("; ", t.why, t.instead, t.said), Match: matchOf(t.tried),
		}, origin)
	}
}

// saidOf is the sentence of an account that speaks of a command or of what it printed; "" for none.
func saidOf(account string, c transcript.Command) string {
	about := stemsOf(c.Text + " " + tellingLines(c.Output))
	for _, sentence := range sentencesOf(account) {
		if countShared(stemsOf(sentence), about) >= leastShared-1 {
			return "the agent: " + cutLine(sentence, mostAnswered)
		}
	}
	return ""
}

// addAttempt adds an attempt that failed.
func (n *notes) addAttempt(a attempt, origin string) {
	n.origins[fmt.Sprintf("/attempts/%d", len(n.doc.Attempts))] = origin
	a.Outcome = "failed"
	n.doc.Attempts = append(n.doc.Attempts, a)
}

// unseenFailures is what hooks saw fail of which the transcript knows nothing.
func unseenFailures(s transcript.Session, x Extra) []transcript.Command {
	known := map[string]bool{}
	for _, c := range s.Commands {
		known[commandKey(c.Text)] = true
	}
	return slices.DeleteFunc(slices.Clone(x.Failures), func(c transcript.Command) bool {
		return known[commandKey(c.Text)]
	})
}

// deed is what the last command of a line that does not only look or pretend does, and to what.
type deed struct {
	name    string   // the program and the subcommand; "" for nothing
	objects []string // the parts of what else stands there that is no option and no number
}

func deedOf(text string) deed {
	parts := deadend.Deeds(plainCommand(text))
	if len(parts) == 0 {
		return deed{}
	}
	last := parts[len(parts)-1]
	d, named := deed{name: last[0]}, false
	for _, w := range last[1:] {
		switch {
		case phrases.Has("dry", w):
			return deed{}
		case strings.HasPrefix(w, "-") || strings.Contains(w, "="):
		case !named && bareWord().MatchString(w):
			d.name += " " + w
			named = true
		default:
			named = true
			d.objects = append(d.objects, slices.DeleteFunc(words.Fields(w), func(part string) bool {
				return strings.Trim(part, "0123456789") == ""
			})...)
		}
	}
	return d
}

// bareWord finds what may be a subcommand.
var bareWord = words.Compiled(`^[a-z][a-z-]+$`)

// isLike tells whether a command does the same as another to much the same: to all that it is about, or more
// than half of what both are.
func (d deed) isLike(other deed) bool {
	shared, size := countShared(other.objects, d.objects), len(other.objects)
	return d.name != "" && d.name == other.name &&
		(size == len(d.objects) && size == 0 || size > 0 && shared == size || shared*2 > max(size, len(d.objects)))
}

// matchOf says what an attempt is met by: the same command, where it is one line that a packet can hold, and
// what takes the same package into use. A program alone, unless it is a script, does too much to be met by.
func matchOf(command string) *match {
	if strings.HasSuffix(command, "…") ||
		len(strings.Fields(command)) < 2 && !strings.Contains(command, "/") {
		return nil
	}
	m := &match{Command: command}
	if added := deadend.Adds(command); len(added) == 1 {
		m.Adds = added[0]
	}
	return m
}

// isOwn tells a call of git ltm itself.
func isOwn(text string) bool {
	return strings.Contains(text, "git ltm") || strings.Contains(text, "git-ltm") ||
		strings.Contains(text, "mcp__ltm__") || strings.Contains(text, "mcp_ltm_")
}

// isLocal tells a command that failed for want of something on this machine: a program, a right, a key, a
// file of its own. So does one that names a place outside of the work tree.
func isLocal(c transcript.Command) bool {
	return c.Exit == notFound || c.Exit == notExecutable || !IsSlip(c) && !isUsual(c) &&
		(phrases.In("local", strings.ToLower(c.Output)) || machinePath().MatchString(c.Text))
}

// machinePath finds a path that begins at the home of a user or at the root of a file system.
var machinePath = words.Compiled(`(?:^|[\s"'=:(<>])(?:~|/[A-Za-z]+|[A-Za-z]:\\[\w.]+)[/\\][\w.]`)

// plainCommand returns a command without the shell that runs it, and without what an agent puts around it to
// see less of its output.
func plainCommand(command string) string {
	command = strings.TrimSpace(command)
	if m := shellCall().FindStringSubmatch(command); m != nil {
		command = m[1] + m[2]
	}
	for text := clean.Line(command); ; text = command {
		command = strings.TrimSpace(aroundCommand().ReplaceAllString(text, ""))
		if command == text {
			return text
		}
	}
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	shellCall     = words.Compiled(`(?s)^(?:(?:/bin/)?(?:ba|z)?sh) -l?c (?:'([^']*)'|"([^"]*)")$`)
	aroundCommand = words.Compiled(`^cd \./? (?:&& |; )|^cd \.; | 2>&1$| \|\| true$| ;$| &&$` +
		`|; echo (?:\$\?|"(?:exit: |EXIT: |exit=)\$\?")$| \| (?:tail|head|cat|less)(?: [^ |]+){0,2}$`)
)

// commandKey is what makes two commands the same.
func commandKey(command string) string {
	return maskNumber().ReplaceAllString(plainCommand(command), "]")
}

// maskNumber ends a mask that stands for the second secret of its kind, or a later one: another text has
// another number for it.
var maskNumber = words.Compiled(`#\d+\]`)

// The exit codes of a process that somebody ended, or that never began.
const (
	notExecutable = 126
	notFound      = 127
	interrupted   = 130
	terminated    = 143
)

// IsSlip tells a failed command that says nothing at all: one that only looked, that somebody ended, that was
// mistyped or ours, and a merge, whose conflicts are no dead end.
func IsSlip(c transcript.Command) bool {
	output := strings.ToLower(c.Output)
	return wasEnded(c) || isOwn(c.Text) || phrases.In("slips", output) || phrases.In("conflicts", output) ||
		len(deadend.Deeds(plainCommand(c.Text))) == 0
}

// isUsual tells a command whose failure says little of the work: a check, which tells how the code stood, and
// what a project needs every day, unless it names a package that is taken into use. A build, a push or an
// install fails for what is half-written, pushed by others, locked or out of reach, and is right again when
// that is over.
func isUsual(c transcript.Command) bool {
	return isCheck(c.Text) || hasTarget(c.Text, "everyday") && len(deadend.Adds(c.Text)) == 0
}

// isForbidden tells a command that failed because nobody may do that there, which is not over by itself.
func isForbidden(c transcript.Command) bool {
	return phrases.In("forbidden", strings.ToLower(c.Output))
}

// wasEnded tells a command that somebody ended or did not allow: that is a decision, no failure.
func wasEnded(c transcript.Command) bool {
	return c.Exit == interrupted || c.Exit == terminated || phrases.In("interrupted", c.Output)
}

// isCheck tells a command that finds out whether the code is right: one that tests, builds, or reads it.
func isCheck(command string) bool {
	return hasTarget(command, "tests") || hasTarget(command, "builds")
}

// hasTarget tells whether a command line names one of a list of words: as its target, its subcommand or its
// own name.
func hasTarget(command, list string) bool {
	for _, all := range deadend.Deeds(plainCommand(command)) {
		for _, word := range all[:min(len(all), 3)] {
			if slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(word), func(c rune) bool {
				return c < 'a' || c > 'z'
			}), func(part string) bool { return phrases.Has(list, part) }) {
				return true
			}
		}
	}
	return false
}
