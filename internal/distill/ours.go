package distill

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// changeTexts returns a session with every text of it changed.
func changeTexts(s transcript.Session, change func(string) string) transcript.Session {
	s.Prompts = mapAll(s.Prompts, func(p transcript.Said) transcript.Said {
		p.Text = change(p.Text)
		return p
	})
	s.Commands = mapAll(s.Commands, func(c transcript.Command) transcript.Command {
		c.Text, c.Output = change(c.Text), change(c.Output)
		return c
	})
	s.Words = mapAll(s.Words, func(w transcript.Word) transcript.Word {
		w.Text = change(w.Text)
		return w
	})
	s.Decisions = mapAll(s.Decisions, func(d transcript.Decision) transcript.Decision {
		d.Question, d.Text = change(d.Question), change(d.Text)
		return d
	})
	s.Todos = mapAll(s.Todos, func(t transcript.Todo) transcript.Todo {
		t.Text = change(t.Text)
		return t
	})
	s.Commits = mapAll(s.Commits, func(c transcript.Commit) transcript.Commit {
		c.Subject = change(c.Subject)
		return c
	})
	s.Last, s.Summary = change(s.Last), change(s.Summary)
	s.Settled, s.Unseen = change(s.Settled), change(s.Unseen)
	return s
}

func mapAll[T any](all []T, change func(T) T) []T {
	out := make([]T, len(all))
	for i, one := range all {
		out[i] = change(one)
	}
	return out
}

// Below returns a session in which places below the top of a work tree are told from there: a draft that
// names the directories of one machine is of no use on another. A session that worked below none of the tops,
// as one of another machine, is told from where it worked.
func Below(s transcript.Session, tops ...string) transcript.Session {
	if !slices.ContainsFunc(tops, func(top string) bool { return isBelow(s.Dir, top) }) {
		tops = append(slices.Clip(tops), s.Dir)
	}
	var edited []string
	for _, p := range s.Edited {
		for _, top := range tops {
			if rest := pathBelow(p, top, s.Dir); rest != "" {
				edited = append(edited, rest)
				break
			}
		}
	}
	for _, top := range tops {
		if top = strings.TrimRight(top, "/\\"); len(top) > 1 {
			s = changeTexts(s, func(text string) string { return fromTop(text, top) })
		}
	}
	s.Edited, s.Dir = edited, ""
	return s
}

// isBelow tells whether a directory is another one or lies below it.
func isBelow(dir, top string) bool {
	dir, top = strings.TrimRight(withSlashes(dir), "/")+"/", strings.TrimRight(withSlashes(top), "/")+"/"
	return len(top) > 1 && strings.HasPrefix(dir, top)
}

// fromTop tells the places of a text that lie below the top from there, and the top itself as ".".
func fromTop(text, top string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, top)
		out.WriteString(before)
		next, _ := utf8.DecodeRuneInString(after)
		switch {
		case !found:
			return out.String()
		case next == '/' || next == '\\':
			after = after[1:]
		case unicode.IsLetter(next) || unicode.IsDigit(next) || next == '-' || next == '_' || next == '.':
			out.WriteString(top) // Another directory, whose name begins so.
		default:
			out.WriteByte('.')
		}
		text = after
	}
}
