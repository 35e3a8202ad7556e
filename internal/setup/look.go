package setup

import (
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
			all = append(all, a.look(site, scope))
		}
	}
	return all
}

// look goes through the wishes of one scope.
func (a Agent) look(site Site, scope Scope) State {
	s := State{Scope: scope}
	seen := map[string]map[presence]bool{}
	var paths []string
	for _, w := range a.at(site, scope) {
		if w.mere {
			continue
		}
		if seen[w.path] == nil {
			seen[w.path] = map[presence]bool{}
			paths = append(paths, w.path)
		}
		if state, err := w.glance(); err != nil {
			s.broke(w.path, err)
		} else {
			s.note(w, state)
			seen[w.path][state] = true
		}
	}
	for _, path := range paths {
		s.sort(path, seen[path])
	}
	return s
}

// glance reads the file of a wish and says what stands there. Another path of the program and another timeout
// are no change: a look at the hooks judges them.
func (w wish) glance() (presence, error) {
	f, err := settings.Read(w.path)
	if err != nil {
		return missing, err
	}
	state, err := w.look(f)
	if state == altered && w.add != nil {
		state = present
	}
	return state, err
}

// broke notes a file that cannot be read, once.
func (s *State) broke(path string, err error) {
	err = &FileError{path, err}
	if !slices.ContainsFunc(s.Broken, func(e error) bool { return e.Error() == err.Error() }) {
		s.Broken = append(s.Broken, err)
	}
}

// note notes what one wish tells the agent.
func (s *State) note(w wish, state presence) {
	if state == missing || !w.tells() {
		return
	}
	s.Told = true
	if w.hook {
		s.Hooks = w.path
	}
}

// sort puts a file where its wishes say.
func (s *State) sort(path string, seen map[presence]bool) {
	switch {
	case seen[missing]:
		s.Lacking = append(s.Lacking, path)
	case seen[altered]:
		s.Altered = append(s.Altered, path)
	}
}

// Found tells whether an agent is on this machine: its program, or its folder.
func (a Agent) Found(site Site) bool {
	if _, err := site.program(a.Program); err == nil {
		return true
	}
	return isDir(a.folder(site))
}
