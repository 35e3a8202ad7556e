package git

import "path/filepath"

// A Line is one line of the configuration.
type Line struct{ Key, Value string }

// OfRepository returns what the repository itself configures, in the order git reads it: by its own
// file, by the one of a work tree, and by what these include. Such lines may have come with the
// repository.
func (c Config) OfRepository() []Line {
	var lines []Line
	for _, entry := range c.entries {
		if !isOwnScope(entry.scope) {
			lines = append(lines, Line{entry.key, entry.value})
		}
	}
	return lines
}

// MaybePartial reports whether git may fetch objects of the repository when they are needed. It
// starts no process, and says no only where the configuration of the repository shows that.
func (r *Repo) MaybePartial() bool {
	for _, file := range []string{r.ConfigFile(), filepath.Join(r.GitDir, "config.worktree")} {
		if r.fileMentions(file, "promisor") || r.fileMentions(file, "partialclone") {
			return true
		}
	}
	return false
}
