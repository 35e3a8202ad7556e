package setup

import (
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// State is what an agent finds at a scope.
type State struct {
	Scope   Scope
	Told    bool     // the agent knows our hooks or our server
	Hooks   string   // the file in which our hooks stand; "" for none
	Present []string // the files that hold all that they should
	Lacking []string // the files that hold some of it, or none
	Altered []string // the files in which somebody changed what is ours
	Broken  []error  // the files that cannot be read
}

// Look says what an agent finds at each of its scopes. Outside of a repository that is the scope of the user alone.
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
	for _, w := range a.wishes(site, scope) {
		if w.mere {
			continue
		}
		if seen[w.path] == nil {
			seen[w.path] = map[presence]bool{}
			paths = append(paths, w.path)
		}
		f, err := settings.Read(w.path)
		var state presence
		if err == nil {
			state, err = w.look(f)
		}
		if err != nil {
			if !slices.ContainsFunc(s.Broken, func(e error) bool { return e.Error() == fmt.Sprintf("%s: %v", w.path, err) }) {
				s.Broken = append(s.Broken, fmt.Errorf("%s: %w", w.path, err))
			}
			continue
		}
		if state != missing && w.tells() {
			s.Told = true
		}
		if state != missing && w.hook {
			s.Hooks = w.path
		}
		seen[w.path][state] = true
	}
	for _, path := range paths {
		s.sort(path, seen[path])
	}
	return s
}

// sort puts a file where its wishes say.
func (s *State) sort(path string, seen map[presence]bool) {
	switch {
	case seen[missing]:
		s.Lacking = append(s.Lacking, path)
	case seen[altered]:
		s.Altered = append(s.Altered, path)
	case seen[present]:
		s.Present = append(s.Present, path)
	}
	if seen[missing] && seen[altered] {
		s.Altered = append(s.Altered, path)
	}
}

// Found tells whether an agent is on this machine: its program, or its folder.
func (a Agent) Found(site Site) bool {
	if _, ok := site.program(a.Program); ok {
		return true
	}
	return isDir(a.folder(site))
}
