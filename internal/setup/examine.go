package setup

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/settings"
)

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
		last := "" // One finding for each fault of a file.
		for _, h := range a.findHooks(site, s.Scope) {
			if why := h.faultOf(site, a.second); why != "" && h.path+why != last {
				last = h.path + why
				find("problem", undo(s.Scope)+", then "+setUp(s.Scope), "%s: %s: %s", h.path, h.command, why)
			}
		}
	}
	if len(found) == 0 && len(places) > 0 {
		find("ok", "", "%s is set up: %s", a.Title, strings.Join(places, ", "))
	}
	return found
}

// written is a hook of ours as it stands in a file.
type written struct {
	path, command string
	timeout       float64 // 0 for none
}

// findHooks finds our hooks in the files of a scope.
func (a Agent) findHooks(site Site, scope Scope) []written {
	var all []written
	var seen []string
	for _, w := range a.wishesAt(site, scope) {
		if !w.hook || slices.Contains(seen, w.path) || filepath.Ext(w.path) != ".json" {
			continue
		}
		seen = append(seen, w.path)
		if f, err := settings.Read(w.path); err == nil {
			if value, ok, err := settings.Value(f.Text, "hooks"); err == nil && ok {
				all = collectHooks(all, w.path, value)
			}
		}
	}
	return all
}

// collectHooks finds hooks of ours in a value, however deep.
func collectHooks(all []written, path string, value any) []written {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			all = collectHooks(all, path, element)
		}
	case map[string]any:
		for _, member := range []string{"command", "bash"} {
			command, _ := v[member].(string)
			if isHook(command) {
				timeout, given := v["timeout"]
				if !given {
					timeout = v["timeoutSec"]
				}
				n, _ := strconv.ParseFloat(fmt.Sprint(timeout), 64) // What is no number is none.
				return append(all, written{path, command, n})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = collectHooks(all, path, v[name])
		}
	}
	return all
}

// mostSeconds is the longest timeout of a hook that makes sense: an agent stands still for so long.
const mostSeconds = 60

// faultOf says what is wrong with a hook; "" for nothing.
func (h written) faultOf(site Site, second int) string {
	program, _, _ := splitHook(h.command)
	one := site
	one.Program = program
	if program != "git ltm" && !one.Callable() {
		return "the program is not there"
	}
	seconds := h.timeout / float64(second)
	switch {
	case h.timeout == 0:
		return "it has no timeout, so the agent may wait for minutes"
	case seconds > mostSeconds:
		return fmt.Sprintf("the agent reads its timeout as %.0f seconds", seconds)
	case seconds < 1:
		return "the agent reads its timeout as less than a second"
	}
	return ""
}

// Notes are what is left to the person at each scope at which the agent is told: the approvals that are
// missing, where its files say which, and else what it may ask for.
func (a Agent) Notes(site Site) []string {
	if a.missing != nil {
		return a.Missing(site)
	}
	var notes []string
	for _, s := range Look(site, a) {
		if s.Told {
			notes = append(notes, a.notes[s.Scope]...)
		}
	}
	return notes
}
