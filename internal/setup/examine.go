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
	var told []State
	for _, s := range Look(site, a) {
		if s.Told {
			told = append(told, s)
		}
	}
	where := a.Plugin(site)
	if len(told) == 0 && where == "" {
		return nil
	}
	found := a.examineTwice(told, where)
	for _, s := range told {
		found = append(found, a.examineState(site, s)...)
	}
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Level != "ok" }) {
		found = append(found, Finding{"ok", a.Title + " is set up: " + scopesOf(told, where), ""})
	}
	return found
}

// scopesOf says from where an agent is told.
func scopesOf(told []State, where string) string {
	var all []string
	for _, s := range told {
		all = append(all, "scope "+string(s.Scope))
	}
	if where != "" {
		all = append(all, "plugin "+where)
	}
	return strings.Join(all, ", ")
}

// examineTwice finds hooks that run twice.
func (a Agent) examineTwice(told []State, where string) []Finding {
	var hooked []State
	for _, s := range told {
		if s.Hooks != "" {
			hooked = append(hooked, s)
		}
	}
	var found []Finding
	if where != "" && len(hooked) > 0 {
		found = append(found,
			Finding{"problem", fmt.Sprintf("%s runs each hook twice: from the plugin %s and from %s", a.Title,
				where, hooked[0].Hooks), a.undoOne(hooked)})
	}
	if len(hooked) > 1 {
		found = append(found,
			Finding{"problem", fmt.Sprintf("%s runs each hook twice: from %s and from %s", a.Title,
				hooked[0].Hooks, hooked[1].Hooks), a.undoOne(hooked)})
	}
	return found
}

// undoOne is the command that takes out one of two set-ups: one's own, and not that of the whole project.
// Where only that is there, it is the plugin that goes.
func (a Agent) undoOne(hooked []State) string {
	for _, s := range hooked {
		if s.Scope != Project {
			return a.undoCommand(s.Scope)
		}
	}
	return "uninstall the plugin git-ltm with the agent's own command"
}

// undoCommand is the command that takes a set-up out.
func (a Agent) undoCommand(scope Scope) string {
	return "git ltm setup " + a.Name + " --undo --scope " + string(scope)
}

// setupCommand is the command that sets an agent up.
func (a Agent) setupCommand(scope Scope) string {
	return "git ltm setup " + a.Name + " --scope " + string(scope)
}

// examineState finds what is wrong at one scope.
func (a Agent) examineState(site Site, s State) []Finding {
	var found []Finding
	for _, err := range s.Broken {
		found = append(found,
			Finding{"problem", fmt.Sprintf("%s cannot read its settings: %v", a.Title, err), ""})
	}
	if len(s.Lacking) > 0 {
		found = append(found,
			Finding{"advice", fmt.Sprintf("%s lacks parts of its set-up (scope %s): %s", a.Title, s.Scope,
				strings.Join(s.Lacking, ", ")), a.setupCommand(s.Scope)})
	}
	if len(s.Altered) > 0 {
		found = append(found,
			Finding{"advice", fmt.Sprintf(
				"%s reads what this version does not write, or somebody changed (scope %s): %s", a.Title,
				s.Scope, strings.Join(s.Altered, ", ")), a.setupCommand(s.Scope)})
	}
	return append(found, a.examineHooks(site, s.Scope)...)
}

// examineHooks finds what is wrong with our hooks at one scope: one finding for each fault of a file.
func (a Agent) examineHooks(site Site, scope Scope) []Finding {
	var found []Finding
	var last string
	for _, h := range a.findHooks(site, scope) {
		why := h.faultOf(site, a.second)
		if why == "" || h.path+why == last {
			continue
		}
		last = h.path + why
		found = append(found,
			Finding{
				"problem", fmt.Sprintf("%s: %s: %s", h.path, h.command, why),
				a.undoCommand(scope) + ", then " + a.setupCommand(scope),
			})
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
				return append(all, written{path, command, timeoutOf(v)})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = collectHooks(all, path, v[name])
		}
	}
	return all
}

// timeoutOf is the timeout of a handler, whatever it is called.
func timeoutOf(handler map[string]any) float64 {
	for _, member := range []string{"timeout", "timeoutSec"} {
		if value, ok := handler[member]; ok {
			n, err := strconv.ParseFloat(fmt.Sprint(value), 64)
			if err == nil {
				return n
			}
		}
	}
	return 0
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

// Refuses tells whether an agent says of the server that it does not run.
func Refuses(lines []string) bool {
	all := strings.ToLower(strings.Join(lines, "\n"))
	return slices.ContainsFunc([]string{
		"failed", "not found", "✘", "✗", "disabled", "disconnected", "pending approval", "enabled: false",
		"no mcp server",
	}, func(word string) bool { return strings.Contains(all, word) })
}
