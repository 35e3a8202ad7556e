package git

import "slices"

// Offline returns the repository as one whose processes reach no server. What a partial clone has not fetched is missing then,
// or an error, and nobody waits for it.
func (r *Repo) Offline() *Repo {
	near := *r
	near.run.env = append(slices.Clone(r.run.env), "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0")
	return &near
}
