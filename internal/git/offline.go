package git

// Offline returns the repository as one whose processes reach no server by themselves. What a
// partial clone has not fetched is missing then, or an error, and nobody waits for it. What is
// meant to go to a remote, such as [Repo.LsRemote], does all the same.
func (r *Repo) Offline() *Repo {
	near := *r
	near.run.offline = true
	return &near
}

// offline are the variables under which git reaches no server. The first is enough for a git that
// knows it.
func offline() []string {
	return []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0"}
}

// outward is the runner of a call that is meant to reach a remote.
func (r *Repo) outward() runner {
	run := r.run
	run.offline, run.watch = false, r.watch
	return run
}
