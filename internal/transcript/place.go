package transcript

import (
	"bytes"
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/tidwall/gjson"
)

// Place is where a transcript lies.
type Place struct {
	Format Format
	Path   string
}

// client is where a program keeps the transcripts of its sessions: in a folder that a variable moves, or
// else below the home of the person, in files of a pattern below one of its folders. SLUG stands for a
// directory as Claude Code and Qwen Code write it, and for those below it.
type client struct {
	format                   Format
	variable, folder         string
	below, pattern, directed string // the last is the member of a record that says where the session worked
}

func clients() []client {
	return []client{
		{ClaudeCode, "CLAUDE_CONFIG_DIR", ".claude", "projects", "SLUG/*.jsonl", "cwd"},
		{Codex, "CODEX_HOME", ".codex", "sessions", "*/*/*/*.jsonl", "payload.cwd"},
		{Gemini, "GEMINI_CLI_HOME", ".", ".gemini", "tmp/*/chats/*.jsonl", ""},
		{Copilot, "COPILOT_HOME", ".copilot", "session-state", "*/events.jsonl", "data.context.cwd"},
		{Qwen, "QWEN_HOME", ".qwen", "projects", "SLUG/chats/*.jsonl", "cwd"},
	}
}

// openRoot opens the folder of a client. Nothing outside it is read, whatever the symbolic links in it say.
func (c client) openRoot(home string, getenv func(string) (string, bool)) (*os.Root, error) {
	at := filepath.Join(folderOf(getenv, c.variable, home, c.folder), c.below)
	if !filepath.IsAbs(at) {
		return nil, fs.ErrNotExist // No home is known.
	}
	return os.OpenRoot(at)
}

// mostLooked is how many of the newest transcripts are asked where their session worked.
const mostLooked = 1000

// Newest returns the transcript of the session that worked last in dir or below it in the same repository, of
// one client or of any. It looks where each client keeps its own, at a bounded number of the newest, and
// follows no symbolic link out of there. What cannot be read counts as not there. OpenCode keeps none in files.
func Newest(home string, getenv func(string) (string, bool), dir string, only Format) (Place, bool) {
	at := ground{filepath.Clean(dir)}
	if target, err := filepath.EvalSymlinks(dir); err == nil && target != at[0] {
		at = append(at, target)
	}
	type file struct {
		Place
		modified time.Time
		belongs  func() bool
	}
	var all []file
	for _, c := range clients() {
		root, err := c.openRoot(home, getenv)
		if err != nil || only != "" && c.format != only {
			continue
		}
		defer func() { _ = root.Close() }()
		for _, name := range c.findFiles(root, at) {
			if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
				all = append(all, file{
					Place{c.format, filepath.Join(root.Name(), filepath.FromSlash(name))},
					info.ModTime(),
					func() bool { return c.hasWorked(root, name, at) },
				})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b file) int {
		return cmp.Or(b.modified.Compare(a.modified), cmp.Compare(a.Path, b.Path))
	})
	i := slices.IndexFunc(all[:min(len(all), mostLooked)], func(f file) bool { return f.belongs() })
	if i < 0 {
		return Place{}, false
	}
	return all[i].Place, true
}

// folderOf is where a client keeps its files: where a variable says, or below home.
func folderOf(getenv func(string) (string, bool), variable, home, name string) string {
	if dir, ok := getenv(variable); ok && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, name)
}

// SessionPath returns where the transcript of one session lies, for clients that do not always say so; "" for
// none. It is that of Copilot CLI, which keeps each session in a folder of its name.
func SessionPath(home string, getenv func(string) (string, bool), f Format, session string) string {
	if f != Copilot || session == "" || session != path.Base(session) || !filepath.IsLocal(session) {
		return ""
	}
	for _, c := range clients() {
		root, err := c.openRoot(home, getenv)
		if err != nil || c.format != f {
			continue
		}
		defer func() { _ = root.Close() }()
		name := path.Join(session, path.Base(c.pattern))
		if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
			return filepath.Join(root.Name(), filepath.FromSlash(name))
		}
	}
	return ""
}

// slug is the name of the folder in which Claude Code and Qwen Code keep the sessions of a directory.
func slug(dir string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, dir)
}

// mostSlug is how much of a long name clients keep; a hash follows.
const mostSlug = 200

// findFiles returns the files of a client that may be of the ground.
func (c client) findFiles(root *os.Root, at ground) (all []string) {
	for _, name := range at {
		name = slug(name)
		name = name[:min(len(name), mostSlug)]
		pattern := strings.Replace(c.pattern, "SLUG", name+"*", 1)
		found, _ := fs.Glob(root.FS(), pattern) // It is right.
		all = append(all, found...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// hasWorked tells whether a file is of a session of the ground, and of no subagent.
func (c client) hasWorked(root *os.Root, name string, at ground) bool {
	head := readHead(root, name)
	if c.format != Gemini {
		return at.holds(firstMember(head, c.directed)) &&
			firstMember(head, "payload.thread_source") != "subagent"
	}
	belongs, project := false, path.Base(path.Dir(path.Dir(name)))
	gjson.GetBytes(readHead(root, "projects.json"), "projects").ForEach(func(dir, name gjson.Result) bool {
		belongs = belongs || name.Str == project && at.holds(dir.String())
		return true
	})
	return belongs
}

// mostHead is how much of a file is read to know where its session worked.
const mostHead = 256 << 10

// readHead reads the beginning of a file.
func readHead(root *os.Root, name string) []byte {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	data, _ := io.ReadAll(io.LimitReader(f, mostHead)) // What cannot be read is not there.
	return data
}

// firstMember is the first text under a name in some lines.
func firstMember(lines []byte, name string) string {
	for line := range bytes.Lines(lines) {
		if v := gjson.GetBytes(line, name); v.Type == gjson.String && v.Str != "" { // It may be cut.
			return v.Str
		}
	}
	return ""
}

// ground is a directory, under each of its names.
type ground []string

// holds says whether a session that worked in dir belongs to the ground: there, or below it with no other
// repository in between.
func (g ground) holds(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	return slices.ContainsFunc(g, func(name string) bool {
		return dir == name || strings.HasPrefix(dir, name+string(filepath.Separator)) && !liesApart(dir, name)
	})
}

// liesApart says whether a repository begins in dir or between it and above.
func liesApart(dir, above string) bool {
	for len(dir) > len(above) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// What is kept of one text, in bytes.
const (
	mostPrompt  = 16 << 10
	mostCommand = 4 << 10
	mostOutput  = 2 << 10
	mostPlan    = 8 << 10
	mostWords   = 16 << 10 // of the agent
	mostSummary = 32 << 10
	mostSaid    = 1 << 20 // of all words of the agent
	mostLabel   = 1 << 10 // names, paths, steps
)

// How many of each are kept.
const (
	mostPrompts  = 200
	mostCommands = 400
	mostRest     = 200
	mostPaths    = 500
	mostPending  = 100 // calls without an answer yet
	mostQueued   = 5   // prompts that may wait for their turn
	mostParts    = 100 // paths, steps and questions of one call
)

// headOfText returns the first words of a text, at most n bytes of them. It holds on to nothing else of the
// text. A word that would be cut is left out, for no rule knows a secret by a part of it.
func headOfText(text string, n int) string {
	if text = withoutKeyEnd(text); len(text) > n {
		text = text[:max(0, strings.LastIndexFunc(text[:n], unicode.IsSpace))]
	}
	return strings.Clone(strings.TrimSpace(text))
}

// tailOfText returns the last words of a text, as headOfText does the first.
func tailOfText(text string, n int) string {
	if text = withoutKeyEnd(text); len(text) > n {
		text = text[len(text)-n:]
		first := strings.IndexFunc(text, unicode.IsSpace)
		if first < 0 {
			return ""
		}
		text = withoutKeyEnd(text[first:])
	}
	return strings.Clone(strings.TrimSpace(text))
}

// withoutKeyEnd returns a text without the rest of a key whose beginning is gone, which no rule knows either.
func withoutKeyEnd(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	begin, end := strings.Index(text, "-----BEGIN "), strings.Index(text, "-----END ")
	if end >= 0 && (begin < 0 || begin > end) {
		_, text, _ = strings.Cut(text[end:], "\n")
	}
	return text
}
