package setup

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
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

// findProgram finds a program on the path of the site.
func (s Site) findProgram(name string) (string, error) {
	path, _ := s.Getenv("PATH")
	return program.Find(name, "", path)
}

// isDir tells whether a path is a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// FindQuick returns how agents call the program for hooks, where it lies beside the one that does everything:
// by its name, where the path finds that one, or by its path; "" where it does not.
func (s Site) FindQuick() string {
	file, err := s.findProgram(s.Program)
	if err != nil {
		return ""
	}
	ending := filepath.Ext(file)
	beside := strings.TrimSuffix(file, ending) + "-hook" + ending
	if s.Program == programName {
		if found, err := s.findProgram(programName + "-hook"); err != nil || found != beside {
			return ""
		}
		return programName + "-hook"
	}
	if _, err := s.findProgram(beside); err != nil {
		return ""
	}
	return beside
}

// Callable tells whether agents find the program as they are told to call it.
func (s Site) Callable() bool {
	_, err := s.findProgram(s.Program)
	return err == nil
}

// Finding is what a look at an agent found.
type Finding struct {
	Level string // ok, advice or problem
	What  string
	Mend  string // the command that mends it; "" for none
}

// Plugin is the plugin that tells the agent of git ltm, and where that is said; "" for none.
func (a Agent) Plugin(site Site) string {
	if a.plugin == nil {
		return ""
	}
	return a.plugin(site)
}

// Examine says what is wrong with what an agent is told; nothing where it is told nothing. It starts no
// program.
func (a Agent) Examine(site Site) []Finding {
	var found []Finding
	find := func(level, mend, format string, args ...any) {
		found = append(found, Finding{level, fmt.Sprintf(format, args...), mend})
	}
	var told, hooked []State
	var places []string
	for _, s := range Look(site, a) {
		if !s.Told {
			continue
		}
		told, places = append(told, s), append(places, "scope "+string(s.Scope))
		if s.Hooks != "" {
			hooked = append(hooked, s)
		}
	}
	setUp := func(scope Scope) string { return "git ltm setup " + a.Name + " --scope " + string(scope) }
	undo := func(scope Scope) string { return "git ltm setup " + a.Name + " --undo --scope " + string(scope) }
	// One's own set-up goes, and not that of the whole project; where only that is there, the plugin.
	mend := "uninstall the plugin git-ltm with the agent's own command"
	if own := slices.IndexFunc(hooked, func(s State) bool { return s.Scope != Project }); own >= 0 {
		mend = undo(hooked[own].Scope)
	}
	where := a.Plugin(site)
	if where != "" {
		places = append(places, "plugin "+where)
	}
	if where != "" && len(hooked) > 0 {
		find("problem", mend, "%s runs each hook twice: from the plugin %s and from %s", a.Title, where,
			hooked[0].Hooks)
	}
	if len(hooked) > 1 {
		find("problem", mend, "%s runs each hook twice: from %s and from %s", a.Title, hooked[0].Hooks,
			hooked[1].Hooks)
	}
	for _, s := range told {
		for _, err := range s.Broken {
			find("problem", "", "%s cannot read its settings: %v", a.Title, err)
		}
		if len(s.Lacking) > 0 {
			find("advice", setUp(s.Scope), "%s lacks parts of its set-up (scope %s): %s", a.Title, s.Scope,
				strings.Join(s.Lacking, ", "))
		}
		if len(s.Altered) > 0 {
			find("advice", setUp(s.Scope),
				"%s reads what this version does not write, or somebody changed (scope %s): %s", a.Title, s.Scope, strings.Join(s.Altered, ", "))
		}
		for path, command := range a.lostHooks(site, s.Scope) { // One finding for each file.
			find("problem", undo(s.Scope)+", then "+setUp(s.Scope), "%s: %s: the program is not there", path,
				command)
		}
	}
	if len(found) == 0 && len(places) > 0 {
		find("ok", "", "%s is set up: %s", a.Title, strings.Join(places, ", "))
	}
	return found
}

// lostHooks are the files of a scope in which a hook of ours calls a program that is not there, with the
// first such call.
func (a Agent) lostHooks(site Site, scope Scope) map[string]string {
	lost := map[string]string{}
	for _, w := range a.wishesAt(site, scope) {
		f, err := settings.Read(w.path)
		if err != nil || !w.hook || filepath.Ext(w.path) != ".json" {
			continue
		}
		value, _, _ := settings.Value(f.Text, "hooks") // A file that cannot be read has been told of.
		eachText(value, func(command string) {
			one := site
			one.Program, _, _ = splitHook(command)
			if isHook(command) && one.Program != "git ltm" && !one.Callable() && lost[w.path] == "" {
				lost[w.path] = command
			}
		})
	}
	return lost
}

// eachText goes through the texts of a value, however deep, members in the order of their names.
func eachText(value any, do func(string)) {
	switch v := value.(type) {
	case string:
		do(v)
	case []any:
		for _, element := range v {
			eachText(element, do)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachText(v[name], do)
		}
	}
}

// Notes are what is left to the person at each scope at which the agent is told, such as what it asks by itself.
func (a Agent) Notes(site Site) []string {
	var notes []string
	for _, s := range Look(site, a) {
		if s.Told {
			notes = append(notes, a.notes[s.Scope]...)
		}
	}
	return notes
}
