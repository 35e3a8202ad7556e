package setup

import (
	"iter"
	"slices"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// State is what an agent finds at a scope.
type State struct {
	Scope   Scope
	Told    bool     // the agent knows our hooks or our server
	Hooks   string   // the file in which our hooks stand; "" for none
	Lacking []string // the files that hold some of it, or none
	Altered []string // the files of our own that are not as this version writes them
	Broken  []error  // the files that cannot be read
}

// Look says what an agent finds at each of its scopes. Outside of a repository that is the scope of the user
// alone.
func Look(site Site, a Agent) []State {
	var all []State
	for _, scope := range a.Scopes {
		if scope == User || site.Top != "" {
			all = append(all, a.lookAt(site, scope))
		}
	}
	return all
}

// Told is each agent with each scope at which it knows our hooks or our server.
func Told(site Site) iter.Seq2[Agent, Scope] {
	return func(yield func(Agent, Scope) bool) {
		for _, a := range Agents() {
			for _, s := range Look(site, a) {
				if s.Told && !yield(a, s.Scope) {
					return
				}
			}
		}
	}
}

// lookAt goes through the wishes of one scope. Another path of the program and another timeout are no change:
// a look at the hooks judges them.
func (a Agent) lookAt(site Site, scope Scope) State {
	s := State{Scope: scope}
	seen := map[string]map[presence]bool{}
	var paths []string
	for _, w := range a.wishesAt(site, scope) {
		if w.mere {
			continue
		}
		if seen[w.path] == nil {
			seen[w.path] = map[presence]bool{}
			paths = append(paths, w.path)
		}
		f, err := settings.Read(w.path)
		state := missing
		if err == nil {
			state, err = w.lookAt(f)
		}
		if err != nil {
			err = &FileError{w.path, err}
			if !slices.ContainsFunc(s.Broken, func(e error) bool { return e.Error() == err.Error() }) {
				s.Broken = append(s.Broken, err)
			}
			continue
		}
		if state == altered && w.add != nil {
			state = present
		}
		seen[w.path][state] = true
		if state != missing && w.isTelling() {
			s.Told = true
			if w.hook {
				s.Hooks = w.path
			}
		}
	}
	for _, path := range paths {
		switch {
		case seen[path][missing]:
			s.Lacking = append(s.Lacking, path)
		case seen[path][altered]:
			s.Altered = append(s.Altered, path)
		}
	}
	return s
}

// Found tells whether an agent is on this machine: its program, or its folder.
func (a Agent) Found(site Site) bool {
	if _, err := site.findProgram(a.Program); err == nil {
		return true
	}
	return isDir(a.folder(site))
}
