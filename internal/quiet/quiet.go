// Package quiet tells of a hook that it has nothing to say.
//
// Most calls of a tool meet nothing that did not work before, and somebody waits at each. So that is found
// out without a process, without opening the memory and without reading a record: the refs have the stamp
// that the view speaks of, and the action has none of the traits of its rules. Whatever is not as plain as
// that is not quiet, and the memory is asked.
package quiet

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/view"
)

// FaultFile keeps why a hook could last do nothing, until it can do it again.
const FaultFile = "hook.json"

// Failed tells whether a moment is that of a tool which failed.
func Failed(m agent.Moment) bool {
	return m.Error != "" && (m.Event == agent.ToolFailure || m.Event == agent.AfterTool)
}

// Action is what the call of a tool does, as seen from the top of a repository. A command with paths in the
// home of the user, or with hosts of one network, counts in both forms: as it is, and as a record has it,
// which says them relative to the repository or the home, and of a host the first label.
func Action(repo *git.Repo, call agent.Call) deadend.Action {
	action := deadend.Action{
		Command: call.Command, Dir: strings.TrimSuffix(repo.Prefix, "/"), Added: call.Added, Removed: call.Removed,
	}
	if call.Dir != "" {
		action.Dir = repo.PathIn(call.Dir)
	}
	home, _ := repo.Env("HOME")
	written := redact.ShortHosts(call.Command)
	if home = strings.TrimRight(home, "/") + "/"; len(home) > 1 && strings.Contains(written, home) {
		if strings.HasPrefix(repo.WorkTree, home) {
			written = strings.ReplaceAll(written, repo.WorkTree+"/", "")
		}
		written = strings.ReplaceAll(written, home, "~/")
	}
	if written != call.Command {
		action.Command += "\n" + written
	}
	for _, name := range call.Paths {
		action.Paths = append(action.Paths, repo.PathIn(name))
	}
	return action
}

// Tool reports whether a moment is one of a tool at which there is nothing to say and nothing to keep. It
// says yes only where that is known.
func Tool(m agent.Moment, env []string) bool {
	switch {
	case !m.Event.OfTool(), Failed(m):
		return false
	case !m.Host.Listens(m.Event), m.Call.Command == "" && len(m.Call.Paths) == 0:
		return true
	}
	if m.Dir != "" {
		if info, err := os.Stat(m.Dir); err != nil || !info.IsDir() || !filepath.IsAbs(m.Dir) {
			return false
		}
		env = git.Nowhere(env) // An agent that git started has variables that speak of another repository.
	}
	repo := git.Plain(m.Dir, env)
	if project := m.Host.Project(func(name string) (string, bool) { return git.LookupEnv(env, name) }); repo != nil &&
		project != "" && project != m.Dir {
		if home := git.Plain(project, env); home == nil || home.CommonDir != repo.CommonDir {
			return false
		}
	}
	if repo == nil || repo.Settings().MaybeSet(local.UserStoreKey) || repo.Local().OwnFile(FaultFile).Exists() {
		return false
	}
	traits := Action(repo, m.Call).Read().Traits()
	return traits.Empty() ||
		meetsNone(repo, traits) && userMeetsNone(repo, env, traits) &&
			!view.DraftsMayMeet(repo.Local(), traits)
}

// meetsNone reports whether it is known that an action meets no rule of the memory in a repository.
func meetsNone(repo *git.Repo, traits deadend.Traits) bool {
	stamp, err := refs.StampOf(repo)
	return err == nil &&
		!view.MayMeet(repo.Local(), view.Stamp{Packed: stamp.Packed, Loose: stamp.Loose}, traits)
}

// userMeetsNone reports the same of the user-wide memory, where there is one.
func userMeetsNone(repo *git.Repo, env []string, traits deadend.Traits) bool {
	path, ok := local.UserMemory(func(name string) string {
		value, _ := repo.Env(name)
		return value
	})
	if !ok || !local.At(filepath.Join(path, "HEAD")).Exists() {
		return true
	}
	user := git.PlainBare(path, env)
	return user != nil && meetsNone(user, traits)
}
