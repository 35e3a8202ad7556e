package reply

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// PlaceIn is the place that somebody means who stands somewhere in a repository, or says where on the disk it is.
func PlaceIn(repo *git.Repo, file string, line, end int) (recall.Place, error) {
	name := repo.PathIn(filepath.FromSlash(file))
	switch {
	case file == "" || name == ".":
		return recall.Place{}, errors.New("name a file, or a folder below the top of the repository")
	case path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../"):
		return recall.Place{}, fmt.Errorf("%q is not in the work tree", file)
	case end > 0 && end < line:
		return recall.Place{}, fmt.Errorf("lines %d-%d: the last stands before the first", line, end)
	}
	return recall.Place{Path: name, Line: line, EndLine: end}, nil
}
