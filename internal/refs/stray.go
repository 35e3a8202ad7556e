package refs

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
)

// Stray lists the names below refs/ltm that do not belong to the layout, and the refs there that stand for another
// ref. They are reported, never followed.
func (s *Store) Stray(ctx context.Context) ([]string, error) {
	files, ok := plain(s.reader).(*filesReader)
	if !ok {
		return s.strayByGit(ctx)
	}
	loose, err := files.loose().names(Root)
	if err != nil {
		return nil, wrap("list refs below", Root, err)
	}
	var found []string
	for name, err := range files.names(ctx, Root, "") {
		if err != nil {
			return nil, err
		}
		_, isLoose := slices.BinarySearch(loose, name) // Nothing that is packed is symbolic.
		if !ours(name) || isLoose && files.loose().symbolic(name) {
			found = append(found, name)
		}
	}
	return found, nil
}

// symbolic reports whether a loose ref stands for another one.
func (l looseRefs) symbolic(ref string) bool {
	if l.looksWhole(ref) {
		return false
	}
	_, state, err := l.read(ref)
	return err == nil && state == looseSymbolic
}

// strayByGit asks git for the names.
func (s *Store) strayByGit(ctx context.Context) ([]string, error) {
	refs, err := s.repo.Refs(ctx, []string{Root}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, wrap("list refs below", Root, err)
	}
	var found []string
	for _, ref := range refs {
		if !ours(ref.Name) || ref.Symref != "" {
			found = append(found, ref.Name)
		}
	}
	return found, nil
}
