package redact

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// Relative returns doc without what names a machine or whoever works at it, and how many places it changed:
// paths below root, an absolute directory or "", are written relative to that, those in a home directory as
// "~/…", and of a host that only one network knows the first label stays.
//
// Names of members stay, and so does what only a decoder shows.
func (s *Scanner) Relative(doc []byte, root string) ([]byte, int, error) {
	doc, all, err := belowRoot(doc, root)
	if err != nil {
		return nil, 0, fmt.Errorf("write paths: %w", err)
	}
	for range maxRounds { // A list of paths is found as one, and loses a home in each round.
		texts, err := s.scanDocument(doc, false)
		if err != nil {
			return nil, 0, fmt.Errorf("write paths: %w", err)
		}
		before := all
		doc = editStrings(doc, texts, func(t *scanned) (string, bool) {
			if t.isName || t.isNumber {
				return "", false
			}
			text, n := relativeIn(t.text, t.findings)
			all += n
			return text, n > 0
		})
		if all == before {
			break
		}
	}
	return doc, all, nil
}

// belowRoot returns doc with paths below root written relative to it, and how many they were.
func belowRoot(doc []byte, root string) ([]byte, int, error) {
	root = strings.TrimRight(root, "/") + "/"
	if len(root) < 3 || !bytes.Contains(doc, []byte(root)) {
		return doc, 0, nil
	}
	var texts []scanned
	w := walker{closed: func([]member) {}, visit: func(l literal) string {
		if !l.isName && strings.Contains(l.text, root) {
			texts = append(texts, scanned{literal: l})
		}
		return l.text
	}}
	err := w.walkDocument(doc)
	n := 0
	return editStrings(doc, texts, func(t *scanned) (string, bool) {
		var b strings.Builder
		rest, from, end := t.text, 0, 0
		for at := strings.Index(rest, root); at >= end; at = end + strings.Index(rest[end:], root) {
			end = at + len(root)
			start := at - len(fileScheme)
			if start < from || rest[start:at] != fileScheme {
				start = at
			}
			before := lex.ByteBefore(rest, start)
			whole := !lex.IsWord(before) && !lex.IsBeyond(before) &&
				strings.IndexByte("./~-)}>]*$%@:\\", before) < 0 || start == 0
			if path := rest[end:layouts.PathEnd(rest, end)]; whole && !layouts.IsRouted(rest, start) &&
				layouts.IsNameStart(lex.ByteAt(rest, end)) && !climbsUp(path) {
				b.WriteString(rest[from:start])
				from = end
				n++
			}
		}
		b.WriteString(rest[from:])
		return b.String(), from > 0
	}), n, err
}

const fileScheme = "file://"

// climbsUp says whether a path goes up, so that what stands in front of it cannot be left out.
func climbsUp(path string) bool {
	return slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// relativeIn returns text with the places among its findings written anew, and how many they were.
func relativeIn(text string, found []Finding) (string, int) {
	var b strings.Builder
	from, n := 0, 0
	for _, f := range found {
		if f.Start < from || !f.IsPlace() {
			continue
		}
		place := text[f.Start:f.End]
		written, ok := relativePath(place)
		switch {
		case f.Rule == "internal-host":
			written, ok = layouts.ShortHost(place), true
		case f.Rule == "unc-path" && !lex.HasFold(place, `\\wsl`):
			ok = false // The machine and the share say where it is.
		case ok:
			ok = isWholePath(text, f.Start, f.End, written)
		}
		if ok {
			b.WriteString(text[from:f.Start])
			b.WriteString(written)
			from = f.End
			n++
		}
	}
	b.WriteString(text[from:])
	return b.String(), n
}

// isWholePath says whether a path that was written anew ends where it seems
// to and is one of this machine: the name of a user may have blanks, and a
// path may be that of an address. What is not sure stays.
func isWholePath(text string, start, end int, path string) bool {
	if climbsUp(path) {
		return false
	}
	from := strings.LastIndexFunc(text[:start], func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`(<=", r)
	}) + 1
	if strings.Contains(text[from:start], "://") {
		return false
	}
	if path != "~" || lex.ByteAt(text, end) != ' ' {
		return true
	}
	line, _, _ := strings.Cut(text[end+1:], "\n")
	words := strings.Fields(line)
	for i, word := range words[:min(3, len(words))] {
		if first, _ := utf8.DecodeRuneInString(word); i == 0 && unicode.IsUpper(first) || strings.LastIndexAny(word, `/\`) > 0 {
			return false
		}
	}
	return true
}

// relativePath returns a path without the home in front of it. It is false where none stands there.
func relativePath(path string) (string, bool) {
	path = strings.TrimPrefix(path, fileScheme)
	isSlash := func(c byte) bool { return c == '/' || c == '\\' }
	for at := lex.Run(path, 0, len(path), func(c byte) bool { return !isSlash(c) }); at < len(path); {
		name := lex.Run(path, at, len(path), isSlash)
		end := lex.Run(path, name, len(path), func(c byte) bool { return !isSlash(c) })
		if name == len(path) {
			break
		}
		switch directory := strings.ToLower(path[name:end]); {
		case directory == "root" && at == 0:
			return "~" + path[end:], true
		case rules.Words("home-parent").Has(directory):
			user := lex.Run(path, end, len(path), isSlash)
			user = lex.Run(path, user, len(path), func(c byte) bool {
				return !isSlash(c) && c != ':' && c != '@'
			})
			return "~" + path[user:], true
		}
		at = end
	}
	return "", false
}
