package reply

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// Address is the address of a remote without what it may hold to log in.
func Address(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Scheme + "://" + u.Host + u.Path // Not escaped: a secret would be hidden by that.
	}
	return address
}

// PlaceIn is the place that somebody means who stands somewhere in a repository, or says where on the disk it
// is.
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

// Slug writes a tag in lower case, with hyphens for what parts its words. What else is wrong with it the gate
// says. A secret stays as it is, so that the gate knows it: in lower case it would be none.
func Slug(tag string) string {
	if (*scan.Rules)(nil).Public(tag) != tag {
		return tag
	}
	tag = strings.ToLower(tag)
	const parts = ":/_ \t"
	if !strings.ContainsAny(tag, parts) {
		return tag
	}
	return strings.Join(strings.FieldsFunc(tag, func(r rune) bool {
		return strings.ContainsRune(parts+"-", r)
	}), "-")
}
