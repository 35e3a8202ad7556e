package refs

import "github.com/git-ltm/git-ltm/internal/git"

// OpenByGit opens a store that leaves refs and objects to git, as it is done where this process does not
// understand the repository.
func OpenByGit(repo *git.Repo) *Store {
	return newStore(repo, &gitReader{repo: repo}, &gitObjects{repo: repo})
}
