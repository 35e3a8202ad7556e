package setup

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// hookCommand is the command line of a hook.
func (s Site) hookCommand(host agent.Host, event agent.Event) string {
	return quoteProgram(s.hookProgram(event)) + hookWords(host, event)
}

// hookProgram is the program that answers hooks of an event. The small one would hand on all but those of
// tools, and those of a tool that failed.
func (s Site) hookProgram(event agent.Event) string {
	if event.OfTool() && event != agent.ToolFailure {
		return cmp.Or(s.Quick, s.Program)
	}
	return s.Program
}

// hookWords are the words behind the program.
func hookWords(host agent.Host, event agent.Event) string {
	return " hook " + string(host) + " " + string(event)
}

// isOurs tells whether a program is git ltm, by its name.
func isOurs(program string) bool {
	name := path.Base(strings.ReplaceAll(program, `\`, "/"))
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), "-hook")
	return name == programName || program == "git ltm"
}

// isHook tells whether a command line is one of our hooks, of whatever host.
func isHook(command string) bool {
	program, words, ok := splitHook(command)
	if !ok || len(words) != 2 || !isOurs(program) {
		return false
	}
	_, known := agent.ParseEvent(words[1])
	return known
}

// isHandler tells a value that calls one of our hooks.
func isHandler(value any) bool {
	m, _ := value.(map[string]any)
	command, _ := m["command"].(string)
	return isHook(command)
}

// isGroup tells a value all of whose handlers are ours.
func isGroup(value any) bool {
	m, _ := value.(map[string]any)
	list, _ := m["hooks"].([]any)
	return len(list) > 0 && !slices.ContainsFunc(list, func(h any) bool { return !isHandler(h) })
}

// isServer tells a value that starts our server of tools, in any of the forms in which agents write it.
func isServer(value any) bool {
	m, _ := value.(map[string]any)
	var words []string
	for _, member := range []string{"command", "args"} {
		switch v := m[member].(type) {
		case string:
			words = append(words, v)
		case []any:
			for _, word := range v {
				text, _ := word.(string)
				words = append(words, text)
			}
		}
	}
	switch len(words) {
	case 2:
		return isOurs(words[0]) && words[1] == "mcp"
	case 3:
		return path.Base(words[0]) == "git" && words[1] == "ltm" && words[2] == "mcp"
	}
	return false
}
