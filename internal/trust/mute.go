package trust

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// mutedFile is where the muted names are kept. It belongs to one user.
func mutedFile(repo *git.Repo) local.File { return repo.Local().OwnFile("muted.json") }

// Muted returns the names whose unsigned records are not shown automatically in this clone, because its user said so.
func Muted(repo *git.Repo) (names []string, err error) {
	_, err = mutedFile(repo).ReadState(&names)
	return names, err
}

// Mute keeps the unsigned records of a name, and of those that look like it, from being shown automatically, or lets them, and reports whether that was new.
func Mute(repo *git.Repo, name string, muted bool) (changed bool, err error) {
	name = clean.Line(name)
	names, err := Muted(repo)
	at := slices.IndexFunc(names, func(n string) bool { return Look(n) == Look(name) })
	switch {
	case err != nil || muted == (at >= 0):
		return false, err
	case muted:
		names = append(names, name)
	default:
		names = slices.Delete(names, at, at+1)
	}
	return true, mutedFile(repo).WriteState(names)
}
