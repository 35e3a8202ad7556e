package transcript

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

	"github.com/git-ltm/git-ltm/internal/words"
)

// Place is where a transcript lies.
type Place struct {
	Format   Format
	Path     string
	Modified time.Time
}

// mostPlaces is how many transcripts of one client are looked at, and returned in all.
const mostPlaces = 300

// Places returns the transcripts of sessions that worked in dir or below it in the same repository, newest
// first. It looks where each client keeps its own, a bounded number of the newest, and follows no symbolic
// link out of there. What cannot be read counts as not there. OpenCode keeps none in files.
func Places(home string, getenv func(string) (string, bool), dir string) []Place {
	at := ground{names: []string{filepath.Clean(dir)}}
	if target, err := filepath.EvalSymlinks(dir); err == nil && target != at.names[0] {
		at.names = append(at.names, target)
	}
	all := slices.Concat(
		sluggedPlaces(ClaudeCode, folderOf(getenv, "CLAUDE_CONFIG_DIR", home, ".claude"), ".", at),
		codexPlaces(folderOf(getenv, "CODEX_HOME", home, ".codex"), at),
		geminiPlaces(filepath.Join(folderOf(getenv, "GEMINI_CLI_HOME", home, "."), ".gemini"), at),
		copilotPlaces(copilotFolder(home, getenv), at),
		sluggedPlaces(Qwen, folderOf(getenv, "QWEN_HOME", home, ".qwen"), "chats", at),
	)
	sortPlaces(all)
	return all[:min(len(all), mostPlaces)]
}

// folderOf is where a client keeps its files: where a variable says, or below home.
func folderOf(getenv func(string) (string, bool), variable, home, name string) string {
	if dir, ok := getenv(variable); ok && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, name)
}

// copilotFolder is where Copilot CLI keeps its files.
func copilotFolder(home string, getenv func(string) (string, bool)) string {
	return folderOf(getenv, "COPILOT_HOME", home, ".copilot")
}

func sortPlaces(all []Place) {
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
	})
}

// SessionPlace returns where the transcript of one session lies, for clients that do not always say so. It is
// that of Copilot CLI, which keeps each session in a folder of its name.
func SessionPlace(home string, getenv func(string) (string, bool), f Format, session string) (Place, bool) {
	if f != Copilot || session == "" || session != path.Base(session) || !filepath.IsLocal(session) {
		return Place{}, false
	}
	for _, p := range onShelf(Copilot, copilotFolder(home, getenv), copilotSessions, func(s *shelf) []Place {
		return s.file(path.Join(session, copilotEvents))
	}) {
		return p, true
	}
	return Place{}, false
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

// sluggedPlaces looks below projects/<slug>, also of directories further down. Several directories may
// share a slug, so that each file is asked where its session worked.
func sluggedPlaces(f Format, base, below string, at ground) []Place {
	return onShelf(f, base, "projects", func(s *shelf) []Place {
		var all []Place
		for _, project := range s.names(".") {
			if !at.mayBe(project) {
				continue
			}
			for _, p := range s.files(path.Join(project, below)) {
				if dir := s.firstMember(p, "cwd"); dir == "" && at.is(project) || at.holds(dir) {
					all = append(all, p)
				}
			}
		}
		return all
	})
}

// is says whether a folder is named after the ground itself.
func (g ground) is(project string) bool {
	return slices.ContainsFunc(g.names, func(name string) bool { return project == slug(name) })
}

// mayBe says whether a folder may hold sessions of the ground. Long names are cut by the client.
func (g ground) mayBe(project string) bool {
	for _, name := range g.names {
		s := slug(name)
		if project == s || strings.HasPrefix(project, s+"-") ||
			len(s) > mostSlug && strings.HasPrefix(project, s[:mostSlug]+"-") {
			return true
		}
	}
	return false
}

// mostSlug is how much of a long name is kept; a hash follows.
const mostSlug = 200

// codexPlaces looks through sessions/YYYY/MM/DD, the newest days first.
func codexPlaces(base string, at ground) []Place {
	return onShelf(Codex, base, "sessions", func(s *shelf) []Place {
		var all []Place
		seen := 0
		for _, day := range s.days() {
			for _, p := range s.files(day) {
				seen++
				if at.holds(s.firstMember(p, "payload.cwd")) &&
					s.firstMember(p, "payload.thread_source") != "subagent" {
					all = append(all, p)
				}
			}
			if seen >= mostPlaces {
				break
			}
		}
		return all
	})
}

// days are the folders of days, newest first.
func (s *shelf) days() []string {
	var all []string
	for _, year := range s.names(".") {
		for _, month := range s.names(year) {
			for _, day := range s.names(path.Join(year, month)) {
				if all = append(all, path.Join(year, month, day)); len(all) == mostNames {
					return all
				}
			}
		}
	}
	return all
}

// geminiPlaces looks below tmp, in the folder that projects.json names and in that of older clients, a hash.
func geminiPlaces(base string, at ground) []Place {
	return onShelf(Gemini, base, ".", func(s *shelf) []Place {
		var projects []string
		gjson.GetBytes(s.head("projects.json"), "projects").ForEach(func(dir, name gjson.Result) bool {
			if at.holds(dir.String()) {
				projects = append(projects, name.Str)
			}
			return true
		})
		for _, name := range at.names {
			sum := sha256.Sum256([]byte(name))
			projects = append(projects, hex.EncodeToString(sum[:]))
		}
		var all []Place
		for _, project := range projects {
			if project == path.Base(project) {
				all = append(all, s.files(path.Join("tmp", project, "chats"))...)
			}
		}
		return all
	})
}

// Where Copilot CLI keeps what happened in a session: in a folder of all, one of its name, and there a file.
const (
	copilotSessions = "session-state"
	copilotEvents   = "events.jsonl"
)

// copilotPlaces looks through session-state, where each session has a folder with a note of where it works.
func copilotPlaces(base string, at ground) []Place {
	return onShelf(Copilot, base, copilotSessions, func(s *shelf) []Place {
		var all []Place
		for _, session := range s.names(".") {
			for _, p := range s.file(path.Join(session, copilotEvents)) {
				dir := ""
				if m := notedPlace().FindSubmatch(s.head(path.Join(session, "workspace.yaml"))); m != nil {
					dir = strings.TrimSpace(string(m[1]))
				}
				if dir == "" {
					dir = s.firstMember(p, "data.context.cwd")
				}
				if at.holds(dir) {
					all = append(all, p)
				}
			}
		}
		return all
	})
}

var notedPlace = words.Compiled(`(?m)^\s*cwd: ([^"'|>#\n]+)$`)

// shelf is the folder of one client. Nothing outside it is read, whatever the symbolic links in it say.
type shelf struct {
	root   *os.Root
	format Format
}

// onShelf returns what is found in a folder below the place where a client keeps its files.
func onShelf(f Format, base, name string, find func(*shelf) []Place) []Place {
	if !filepath.IsAbs(base) {
		return nil
	}
	root, err := os.OpenRoot(filepath.Join(base, name))
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	return find(&shelf{root: root, format: f})
}

// names are the entries of a folder, the last in the order of names first, and not too many.
func (s *shelf) names(dir string) []string {
	all, err := fs.ReadDir(s.root.FS(), dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range slices.Backward(all) {
		if len(names) == mostNames {
			break
		}
		names = append(names, entry.Name())
	}
	return names
}

// mostNames is how many entries of a folder are looked at.
const mostNames = 5000

// files are the transcripts of a folder that holds lines, newest first.
func (s *shelf) files(dir string) []Place {
	var all []Place
	for _, name := range s.names(dir) {
		if strings.HasSuffix(name, ".jsonl") {
			all = append(all, s.file(path.Join(dir, name))...)
		}
	}
	sortPlaces(all)
	return all[:min(len(all), mostPlaces)]
}

// file is one plain file, or none.
func (s *shelf) file(name string) []Place {
	info, err := s.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return []Place{{
		Format: s.format, Path: filepath.Join(s.root.Name(), filepath.FromSlash(name)),
		Modified: info.ModTime(),
	}}
}

// mostHead is how much of a file is read to know where its session worked.
const mostHead = 256 << 10

// head reads the beginning of a file of the shelf.
func (s *shelf) head(name string) []byte {
	f, err := s.root.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, mostHead)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return data[:n]
}

// firstMember is the first text under a name in the lines at the beginning of a place of the shelf.
func (s *shelf) firstMember(p Place, name string) string {
	file, err := filepath.Rel(s.root.Name(), p.Path)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(s.head(filepath.ToSlash(file))) {
		if v := gjson.GetBytes(line, name); v.Type == gjson.String && v.Str != "" { // It may be cut.
			return v.Str
		}
	}
	return ""
}

// ground is a directory, under each of its names.
type ground struct {
	names []string
}

// holds says whether a session that worked in dir belongs to the ground: there, or below it with no other
// repository in between.
func (g ground) holds(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	return slices.ContainsFunc(g.names, func(name string) bool {
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
