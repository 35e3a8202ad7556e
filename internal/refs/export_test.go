package refs

import (
	"cmp"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
)

// OpenByGit opens a store that leaves refs and objects to git, as it is done where this process does not
// understand the repository.
func OpenByGit(repo *git.Repo) *Store {
	s := &Store{
		repo: repo, spool: newSpool(repo.Local()), reader: &gitReader{repo: repo},
		objects: &gitObjects{repo: repo},
	}
	s.showOffered(s.readWaiting(), s.Here)
	return s
}

// Damaged lists what reading has passed over in archives so far, one reason for each archive.
func (s *Store) Damaged() []Broken {
	s.archive.mu.Lock()
	defer s.archive.mu.Unlock()
	var damaged []Broken
	for _, broken := range s.archive.damage {
		damaged = append(damaged, broken)
	}
	slices.SortFunc(damaged, func(a, b Broken) int { return cmp.Compare(a.Ref, b.Ref) })
	return damaged
}
