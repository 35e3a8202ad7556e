package distill

import (
	"path"
	"regexp"
	"slices"
	"strings"
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
