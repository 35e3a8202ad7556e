package redact

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func findHome(text string, keyword span) (span, bool) {
	start, name, ok := homeAt(text, keyword)
	if !ok || isImageHome(name) {
		return span{}, false
	}
	return span{start, pathEnd(text, keyword.end)}, true
}

func findImageHome(text string, keyword span) (span, bool) {
	start, name, ok := homeAt(text, keyword)
	if !ok || !isImageHome(name) {
		return span{}, false
	}
	return span{start, pathEnd(text, keyword.end)}, true
}

// homeAt finds "/home/<name>/<more>", "/Users/<name>" and "/root/<more>", and
// returns where the path begins and the name of the user. Where a word stands
// in front, or where the form is that of a route, the directory after the
// name must be one that homes have.
func homeAt(text string, keyword span) (start int, name string, ok bool) {
	user := segment(text, keyword.end)
	name = strings.TrimRight(user.of(text), ".:!")
	if !isNameStart(byteAt(text, user.start)) {
		return 0, "", false
	}
	start, sure := pathStart(text, keyword.start)
	sure = (sure || isRemote(text, keyword.start)) && !isRouted(text, start)
	if keyword.of(text) == "/root/" {
		return start, "", sure && !words("root-cache").has(name)
	}
	if isHomeless(name) {
		return 0, "", false
	}
	child := ""
	if byteAt(text, user.end) == '/' {
		child = segment(text, user.end+1).of(text)
	}
	switch keyword.of(text) {
	case "/Users/":
		ok = sure || homeChild(child)
	case "/home/":
		ok = homeChild(child) || sure && (child != "" && isNameStart(child[0]) || child == "" && isAccount(text, start, name))
	default: // In small letters /users/ is a route more often than a directory.
		ok = homeChild(child) && !isLower(child[0])
	}
	return start, name, ok
}

// isNameStart says whether c can begin the name of a file.
func isNameStart(c byte) bool { return isWord(c) || isBeyond(c) || c == '.' || c == '@' }

// isAccount says whether "/home/<name>" with nothing below it is the home of
// an account and not the page of a site: a full name, or a command or the
// name of a directory in front of it.
func isAccount(text string, start int, name string) bool {
	first, last, full := strings.Cut(name, ".")
	if full && len(first) > 0 && len(last) > 2 && run(last, 0, len(last), isLetter) == len(last) && !words("extension").has(strings.ToLower(last)) {
		return true
	}
	return words("directory-command").has(strings.ToLower(wordBefore(text, start)))
}

// homeChild says whether name is a directory that home directories have.
func homeChild(name string) bool {
	return len(name) > 1 && name[0] == '.' && isLetter(name[1]) || words("home-child").has(name)
}

// findFileURL finds a file URL with a path.
func findFileURL(text string, keyword span) (span, bool) {
	if isAlnum(byteBefore(text, keyword.start)) {
		return span{}, false
	}
	from := run(text, keyword.end, min(len(text), keyword.end+3), func(c byte) bool { return c == '/' })
	path := text[from:]
	if from-keyword.end == 0 && byteAt(text, segment(text, from).end) != '/' {
		return span{}, false // A name beside the one who reads it.
	}
	if from-keyword.end == 1 && !isHomeOrDrive(path) {
		return span{}, false // The same on every machine that has it, or a warning as a path.
	}
	if !isNameStart(byteAt(text, from)) || strings.HasPrefix(path, "path/to") || strings.HasPrefix(path, "...") {
		return span{}, false
	}
	return span{keyword.start, pathEnd(text, from)}, true
}

// findHomeRelative finds a path that begins with a sign for a home.
func findHomeRelative(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if isWord(before) || before == '/' || before == '.' || before == '~' || before == '\\' {
		return span{}, false
	}
	from := keyword.end
	if text[from-1] != '/' {
		if c := byteAt(text, from); c != '\\' && c != '/' {
			return span{}, false
		}
		from++
	}
	if !isNameStart(byteAt(text, from)) {
		return span{}, false
	}
	return span{keyword.start, pathEnd(text, from)}, true
}

// findTilde finds "~name/more".
func findTilde(text string, keyword span) (span, bool) {
	before := byteBefore(text, keyword.start)
	if keyword.start > 0 && !isSpace(before) && strings.IndexByte("\"'`(=", before) < 0 {
		return span{}, false
	}
	name := segment(text, keyword.start+1)
	if byteAt(text, name.end) != '/' || !isNameStart(byteAt(text, name.end+1)) || isHomeless(name.of(text)) {
		return span{}, false
	}
	return span{keyword.start, pathEnd(text, name.end)}, true
}

// isHomeOrDrive says whether the path of a URL, without the slash in front,
// begins in the directory of a user or on a drive.
func isHomeOrDrive(path string) bool {
	return words("url-home").beginsFold(path) || len(path) > 1 && isLetter(path[0]) && (path[1] == ':' || path[1] == '|')
}

// isHomeless says whether the name after /home or /Users is no user: a page
// of a site, a directory that all share, or a word that stands for a name.
func isHomeless(name string) bool {
	name = strings.ToLower(name)
	return words("homeless").has(name) || words("page").has(name) || strings.HasPrefix(name, "your") || strings.HasPrefix(name, "...") || strings.HasPrefix(name, "…") ||
		run(name, 0, len(name), isDigit) == len(name)
}

// isImageHome says whether name is the account of an image or a hosted
// runner. A path in its home only warns: it still is no path that a reader
// with another machine has.
func isImageHome(name string) bool { return words("image-home").has(strings.ToLower(name)) }

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
		if path, ok := relativePath(text[f.Start:f.End], root); ok && isWholePath(text, f.Start, f.End, path) {
			b.WriteString(text[from:f.Start])
			b.WriteString(path)
			from = f.End
			n++
		}
	}
	b.WriteString(text[from:])
	return b.String(), n
}

// isWholePath says whether a path that was written anew ends where it seems
// to and is one of this machine: the name of a user may have blanks, and a
// path may be that of an address. What is not sure blocks as before.
func isWholePath(text string, start, end int, path string) bool {
	if slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
		return false
	}
	from := strings.LastIndexFunc(text[:start], func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`(<=", r) }) + 1
	if strings.Contains(text[from:start], "://") {
		return false
	}
	if path != "~" || byteAt(text, end) != ' ' {
		return true
	}
	line, _, _ := strings.Cut(text[end+1:], "\n")
	words := strings.Fields(line)
	for i, word := range words[:min(3, len(words))] {
		if i == 0 && unicode.IsUpper(firstRune(word)) || strings.LastIndexAny(word, `/\`) > 0 {
			return false
		}
	}
	return true
}

func firstRune(word string) rune {
	r, _ := utf8.DecodeRuneInString(word)
	return r
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
		case words("home-parent").has(directory):
			user := run(path, end, len(path), isSlash)
			user = run(path, user, len(path), func(c byte) bool { return !isSlash(c) && c != ':' })
			return "~" + path[user:], true
		}
		at = end
	}
	return "", false
}
