package deadend

import (
	"path"
	"slices"
	"strings"
)

// maxCommands bounds how many simple commands of a line are looked at,
// maxNested how deep "sh -c" is followed, and maxExports how many variables
// are remembered that earlier commands set.
const (
	maxCommands = 1000
	maxNested   = 3
	maxExports  = 8
)

// shellCommand is one simple command of a shell line.
type shellCommand struct {
	words   []string // without assignments before and redirections
	assigns []string // NAME=value before the words
	writes  []string // files that its output goes to
	below   string   // the directory in which it runs
	body    string   // the here documents of its line, of which it is the last command
}

// shellCommands splits a line as a shell would, as far as that matters here:
// quotes, lists, pipes, substitutions, comments, here documents, and commands
// that are words of another shell. It is no shell: it expands nothing. The line
// runs in a directory within the repository, or in one elsewhere.
func shellCommands(line, dir string) []shellCommand {
	var all []shellCommand
	collectCommands(line, dir, maxNested, &all)
	return all
}

func collectCommands(line, dir string, nested int, all *[]shellCommand) {
	s, below := splitter{in: line}, dir
	var exported []string
	for len(*all) < maxCommands && s.at < len(s.in) {
		c := s.readCommand()
		if len(c.words)+len(c.assigns)+len(c.writes) == 0 {
			continue
		}
		c.below = below
		c.assigns = slices.Concat(exported, c.assigns)
		if len(c.words) > 0 && c.words[0] == "export" {
			exported = append(exported, assignmentsIn(c.words[1:])...)
			exported = exported[max(0, len(exported)-maxExports):]
		}
		if to, ok := c.changesTo(dir); ok {
			below = to
		}
		*all = append(*all, c)
		if script := c.innerScript(); script != "" && nested > 0 {
			collectCommands(script, below, nested-1, all)
		}
	}
}

// changesTo is the directory that a "cd" goes to, within the repository: a name
// counts from where the line began, for the one before it may have been in
// brackets. One that nobody can tell is taken for the top.
func (c shellCommand) changesTo(began string) (string, bool) {
	if len(c.words) != 2 || c.words[0] != "cd" {
		return "", false
	}
	dir := c.words[1]
	if strings.Contains(dir, "..") {
		began = c.below
	}
	joined := path.Join(began, dir)
	if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "~") || joined == "." || strings.HasPrefix(joined, "..") {
		return "", true
	}
	return joined, true
}

// splitter reads simple commands off a line.
type splitter struct {
	in       string
	at       int
	heredocs []string // the words that end the here documents of this line
}

// readCommand reads up to the end of a simple command and past what ends it.
func (s *splitter) readCommand() shellCommand {
	var c shellCommand
	for s.at < len(s.in) {
		switch ch := s.in[s.at]; {
		case ch == '\n':
			s.at++
			c.body = s.readHeredoc()
			return c
		case strings.IndexByte(";|&()`", ch) >= 0:
			s.at++
			return c
		case ch == ' ' || ch == '\t' || ch == '\r':
			s.at++
		case strings.HasPrefix(s.in[s.at:], "\\\n"): // The line goes on.
			s.at += 2
		case ch == '#':
			line, _, _ := strings.Cut(s.in[s.at:], "\n")
			s.at += len(line)
		case ch == '>' || ch == '<':
			s.readRedirect(&c)
		default:
			start := s.at
			word := s.readWord()
			redirects := s.at < len(s.in) && (s.in[s.at] == '>' || s.in[s.at] == '<')
			if !redirects ||
				strings.Trim(s.in[start:s.at], "0123456789") != "" { // A number there is that of a stream.
				addToCommand(&c, word)
			}
		}
	}
	return c
}

// addToCommand adds a word where it belongs.
func addToCommand(c *shellCommand, word string) {
	switch first := len(c.words) == 0; {
	case first && (word == "" || isAmong("if then else elif do while until ! { } fi done", word)):
	case first && isAssignment(word):
		c.assigns = append(c.assigns, word)
	default:
		c.words = append(c.words, word)
	}
}

// readRedirect reads a redirection and the word that it goes to or comes from.
func (s *splitter) readRedirect(c *shellCommand) {
	start := s.at
	for s.at < len(s.in) && strings.IndexByte("<>&|-", s.in[s.at]) >= 0 {
		s.at++
	}
	sign := s.in[start:s.at]
	for s.at < len(s.in) && (s.in[s.at] == ' ' || s.in[s.at] == '\t') {
		s.at++
	}
	target := s.readWord()
	switch {
	case strings.HasPrefix(sign, "<<") && sign != "<<<":
		s.heredocs = append(s.heredocs, target)
	case strings.HasPrefix(sign, ">") && !strings.Contains(sign, "&"):
		c.writes = append(c.writes, target)
	}
}

// readHeredoc reads the here documents that the last line began.
func (s *splitter) readHeredoc() string {
	var body strings.Builder
	for _, end := range s.heredocs {
		for s.at < len(s.in) {
			line, _, _ := strings.Cut(s.in[s.at:], "\n")
			s.at = min(len(s.in), s.at+len(line)+1)
			if strings.TrimSpace(line) == end {
				break
			}
			body.WriteString(line + "\n")
		}
	}
	s.heredocs = nil
	return body.String()
}

// readWord reads one word and takes its quotes away. A substitution ends it: what
// it runs is a command of its own.
func (s *splitter) readWord() string {
	var b strings.Builder
	for s.at < len(s.in) {
		ch := s.in[s.at]
		switch {
		case ch == '\'' || ch == '"':
			s.readQuoted(&b, ch)
			continue
		case ch == '\\' && s.at+1 < len(s.in):
			s.at++
			if s.in[s.at] != '\n' {
				b.WriteByte(s.in[s.at])
			}
		case ch == '$' && strings.HasPrefix(s.in[s.at:], "$("):
			s.at++
			return b.String()
		case strings.IndexByte(" \t\r\n;|&()<>`", ch) >= 0:
			return b.String()
		default:
			b.WriteByte(ch)
		}
		s.at++
	}
	return b.String()
}

// readQuoted reads up to the end of a quotation.
func (s *splitter) readQuoted(b *strings.Builder, quote byte) {
	s.at++
	for s.at < len(s.in) && s.in[s.at] != quote {
		if quote == '"' && s.in[s.at] == '\\' && s.at+1 < len(s.in) {
			s.at++
		}
		b.WriteByte(s.in[s.at])
		s.at++
	}
	s.at = min(len(s.in), s.at+1)
}

// isAssignment says whether a word is NAME=value.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	return !slices.ContainsFunc([]byte(name), func(ch byte) bool { return ch != '_' && !isAlnum(ch) })
}

func isAlnum(ch byte) bool {
	return '0' <= ch && ch <= '9' || 'a' <= ch && ch <= 'z' || 'A' <= ch && ch <= 'Z'
}

// baseName is the last segment of a path.
func baseName(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}
