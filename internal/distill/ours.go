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
	s.Prompts, s.Commands, s.Words = slices.Clone(s.Prompts), slices.Clone(s.Commands), slices.Clone(s.Words)
	s.Decisions, s.Todos, s.Commits = slices.Clone(s.Decisions), slices.Clone(s.Todos), slices.Clone(s.Commits)
	all := []*string{&s.Last, &s.Summary, &s.Settled, &s.Unseen}
	for i := range s.Prompts {
		all = append(all, &s.Prompts[i].Text)
	}
	for i := range s.Commands {
		all = append(all, &s.Commands[i].Text, &s.Commands[i].Output)
	}
	for i := range s.Words {
		all = append(all, &s.Words[i].Text)
	}
	for i := range s.Decisions {
		all = append(all, &s.Decisions[i].Question, &s.Decisions[i].Text)
	}
	for i := range s.Todos {
		all = append(all, &s.Todos[i].Text)
	}
	for i := range s.Commits {
		all = append(all, &s.Commits[i].Subject)
	}
	for _, text := range all {
		*text = change(*text)
	}
	return s
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
