package redact

import (
	"fmt"
	"strings"
)

// Relative returns doc with the paths in home directories that Scan finds
// blocking written relative to the home, as "~/…", and those below root, an
// absolute directory or "", relative to that. It returns how many they were.
//
// Paths in names of members stay, and so does what only a decoder shows: a
// scan that follows finds them, and whatever else blocks.
func (s *Scanner) Relative(doc []byte, root string) ([]byte, int, error) {
	all := 0
	for range maxRounds { // A list of paths is found as one, and loses a home in each round.
		texts, err := s.document(doc)
		if err != nil {
			return nil, 0, fmt.Errorf("write paths: %w", err)
		}
		before := all
		doc = edited(doc, texts, func(t *scanned) (string, bool) {
			if t.isName || t.isNumber {
				return "", false
			}
			text, n := relativeIn(t.text, Blocking(t.findings), root)
			all += n
			return text, n > 0
		})
		if all == before {
			break
		}
	}
	return doc, all, nil
}

// Relative is Scanner.Relative with the built-in rules.
func Relative(doc []byte, root string) ([]byte, int, error) { return standard().Relative(doc, root) }

// relativeIn returns text with the paths among its findings written anew, and
// how many they were.
func relativeIn(text string, found []Finding, root string) (string, int) {
	var b strings.Builder
	from, n := 0, 0
	for _, f := range found {
		if f.Start < from || !f.IsPlace() {
			continue
		}
		if path, ok := relativePath(text[f.Start:f.End], root); ok {
			b.WriteString(text[from:f.Start])
			b.WriteString(path)
			from = f.End
			n++
		}
	}
	b.WriteString(text[from:])
	return b.String(), n
}

// relativePath returns a path without root or the home in front of it. It is
// false where neither stands there.
func relativePath(path, root string) (string, bool) {
	path = strings.TrimPrefix(path, "file://")
	if rest, ok := strings.CutPrefix(path, root); ok && root != "" && rest != "" && rest[0] == '/' {
		return strings.TrimLeft(rest, "/"), len(rest) > 1
	}
	isSlash := func(c byte) bool { return c == '/' || c == '\\' }
	for at := run(path, 0, len(path), func(c byte) bool { return !isSlash(c) }); at < len(path); {
		name := run(path, at, len(path), isSlash)
		end := run(path, name, len(path), func(c byte) bool { return !isSlash(c) })
		if name == len(path) {
			break
		}
		switch directory := strings.ToLower(path[name:end]); {
		case directory == "root" && at == 0:
			return "~" + path[end:], true
		case homeParents.has(directory):
			user := run(path, end, len(path), isSlash)
			user = run(path, user, len(path), func(c byte) bool { return !isSlash(c) && c != ':' })
			return "~" + path[user:], true
		}
		at = end
	}
	return "", false
}
