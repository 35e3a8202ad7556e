package transcript

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
