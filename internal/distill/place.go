package distill

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The bounds of places.
const (
	mostPath   = 300
	mostBranch = 255
	mostName   = 128
)

// addPlaces cites the files that the session wrote, the last ones. What does not lie below the top of the
// work tree, from which paths are told here, is left out.
func (n *notes) addPlaces(s transcript.Session) {
	var paths []string
	for _, p := range s.Edited {
		if p = pathBelow(p, anyTop, anyTop); p == "" {
			continue
		}
		paths = slices.DeleteFunc(paths, func(before string) bool { return before == p })
		paths = append(paths, p)
	}
	paths = paths[max(0, len(paths)-2*n.most):]
	for _, p := range paths {
		n.doc.Cites = append(n.doc.Cites, cite{p})
	}
	if len(paths) > 0 {
		n.origins["/cites"] = "files that were written"
	}
}

// anyTop stands for the top of a work tree where a path is told from there.
const anyTop = "/top"

// pathBelow returns a path as seen from the top of the work tree, or "" for one that lies elsewhere or that a
// packet cannot hold.
func pathBelow(p, top, dir string) string {
	p, top, dir = withSlashes(p), strings.TrimRight(withSlashes(top), "/"), withSlashes(dir)
	if !path.IsAbs(p) && !hasDrive(p) {
		if p = path.Join(dir, p); dir == "" {
			p = path.Join(top, p)
		}
	}
	rest, ok := strings.CutPrefix(path.Clean(p), top+"/")
	if !ok || top == "" {
		return ""
	}
	bad := clean.Line(rest) != rest || strings.Contains(rest, "\\") || strings.HasPrefix(rest, "~") ||
		strings.HasPrefix(rest, "../") || hasDrive(rest)
	if rest == "" || bad || utf8.RuneCountInString(rest) > mostPath || strings.HasPrefix(rest, ".git/") ||
		strings.Contains(rest, "[REDACTED") {
		return ""
	}
	return rest
}

// withSlashes returns a path with slashes, also one of Windows.
func withSlashes(p string) string {
	if hasDrive(p) {
		return strings.ReplaceAll(p, "\\", "/")
	}
	return p
}

func hasDrive(p string) bool {
	return len(p) > 1 && p[1] == ':' && (p[0] >= 'a' && p[0] <= 'z' || p[0] >= 'A' && p[0] <= 'Z')
}

// addProvenance says which client and which model worked.
func (n *notes) addProvenance(s transcript.Session) {
	if p := (provenance{Agent: cutLine(string(s.Format), mostName), Model: cutLine(s.Model, mostName)}); p !=
		(provenance{}) {
		n.doc.Provenance = &p
		n.origins["/provenance"] = "transcript"
	}
}

// addAnchor says where the session worked. The commit that it began at is that of the draft as long as it
// made none.
func (n *notes) addAnchor(s transcript.Session) {
	var a anchor
	if branch := cutLine(s.Branch, mostBranch+1); utf8.RuneCountInString(branch) <= mostBranch &&
		branch == s.Branch && branch != "HEAD" {
		a.Branch = branch
	}
	if len(s.Commits) == 0 && (len(s.Commit) == 40 || len(s.Commit) == 64) &&
		strings.Trim(s.Commit, "0123456789abcdef") == "" {
		a.Commit = s.Commit
	}
	if a != (anchor{}) {
		n.doc.Anchor = &a
		n.origins["/anchor"] = "transcript"
	}
}

// hideReplaced returns a session in which no text names a commit that others took the place of: whoever
// follows it finds nothing.
func hideReplaced(s transcript.Session) transcript.Session {
	var ids []string
	for _, c := range s.Commits {
		if c.Replaced && isName().MatchString(c.ID) {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return s
	}
	named := regexp.MustCompile("(?: (?:as|in))?(?: commits?)? ?[(`]*\\b(?:" + strings.Join(ids, "|") +
		")[0-9a-f]*[)`]*")
	return changeTexts(s, func(text string) string { return named.ReplaceAllString(text, "") })
}

// isName tells the name of a commit, which may be abbreviated.
var isName = words.Compiled(`^[0-9a-f]{7,64}$`)

// changeTexts returns a session with every text of it changed.
func changeTexts(s transcript.Session, change func(string) string) transcript.Session {
	s.Prompts, s.Commands, s.Words = slices.Clone(s.Prompts), slices.Clone(s.Commands), slices.Clone(s.Words)
	s.Decisions, s.Todos, s.Commits = slices.Clone(s.Decisions), slices.Clone(s.Todos), slices.Clone(s.Commits)
	all := []*string{&s.Last, &s.Summary, &s.Unseen}
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
// names the directories of one machine is of no use on another. What lies below none of the tops, as in a
// session of another machine, is told from where it worked.
func Below(s transcript.Session, tops ...string) transcript.Session {
	tops = append(slices.Clip(tops), s.Dir)
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
