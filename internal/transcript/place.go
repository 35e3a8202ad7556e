package transcript

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"
)

// Place is where a transcript lies.
type Place struct {
	Format   Format
	Path     string
	Modified time.Time
}

// mostPlaces is how many transcripts of one client are looked at, and returned in all.
const mostPlaces = 300

// Places returns the transcripts of sessions that worked in dir or below it in the same repository, newest first. It looks where
// each client keeps its own, a bounded number of the newest, and follows no symbolic link out of there. What cannot be read counts
// as not there. OpenCode keeps none in files.
func Places(home string, getenv func(string) (string, bool), dir string) []Place {
	at := ground{names: []string{filepath.Clean(dir)}}
	if target, err := filepath.EvalSymlinks(dir); err == nil && target != at.names[0] {
		at.names = append(at.names, target)
	}
	var all []Place
	all = append(all, claudePlaces(folder(getenv, "CLAUDE_CONFIG_DIR", home, ".claude"), at)...)
	all = append(all, codexPlaces(folder(getenv, "CODEX_HOME", home, ".codex"), at)...)
	all = append(all, geminiPlaces(filepath.Join(folder(getenv, "GEMINI_CLI_HOME", home, "."), ".gemini"), at)...)
	all = append(all, copilotPlaces(copilotFolder(home, getenv), at)...)
	all = append(all, qwenPlaces(folder(getenv, "QWEN_HOME", home, ".qwen"), at)...)
	sortPlaces(all)
	return all[:min(len(all), mostPlaces)]
}

// folder is where a client keeps its files: where a variable says, or below home.
func folder(getenv func(string) (string, bool), variable, home, name string) string {
	if dir, ok := getenv(variable); ok && filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, name)
}

// copilotFolder is where Copilot CLI keeps its files.
func copilotFolder(home string, getenv func(string) (string, bool)) string {
	return folder(getenv, "COPILOT_HOME", home, ".copilot")
}

func sortPlaces(all []Place) {
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(a.Path, b.Path))
	})
}
