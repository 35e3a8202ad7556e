package setup

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/settings"
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

// quoteProgram writes the path of a program as shells take it, and as it is where no shell reads anything
// into it.
func quoteProgram(program string) string {
	if !strings.ContainsFunc(program, isShellSign) {
		return program
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(program) + `"`
}

// quotedPowerShell is a call of a program as PowerShell takes it.
func quotedPowerShell(program string) string {
	if !strings.ContainsFunc(program, isShellSign) {
		return program
	}
	return "& '" + strings.ReplaceAll(program, "'", "''") + "'"
}

// isShellSign tells whether a shell may read something into a character.
func isShellSign(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("/._-+:@,", c)
}

// splitHook splits the command line of a hook into the program, without quotes, and the words behind "hook". A
// text whose quotes do not end has none.
func splitHook(command string) (program string, words []string, ok bool) {
	command = strings.TrimSpace(command)
	program, rest, ok := strings.Cut(command, " hook ")
	if command == "" || !strings.ContainsRune(`"'`, rune(command[0])) {
		return program, strings.Fields(rest), ok
	}
	var out strings.Builder
	for i := 1; i < len(command); i++ {
		switch c := command[i]; {
		case c == command[0]:
			rest, ok = strings.CutPrefix(command[i+1:], " hook ")
			return out.String(), strings.Fields(rest), ok
		case c == '\\' && command[0] == '"' && i+1 < len(command) &&
			strings.IndexByte("\\\"$`", command[i+1]) >= 0:
			i++
		}
		out.WriteByte(command[i])
	}
	return "", nil, false
}

// isPlugin tells our plugin by the name under which agents list it.
func isPlugin(name string) bool { return name == "git-ltm" || strings.HasPrefix(name, "git-ltm@") }

// enabledPlugin looks for our plugin in settings of Claude's form. A later file counts more.
func enabledPlugin(paths ...string) string {
	on := map[string]string{}
	for _, path := range paths {
		f, err := settings.Read(path)
		if err != nil {
			continue
		}
		list, _, err := settings.Value(f.Text, "enabledPlugins")
		all, _ := list.(map[string]any)
		for name, value := range all {
			enabled, ok := value.(bool)
			switch {
			case err != nil || !ok || !isPlugin(name):
			case enabled:
				on[name] = name + " in " + path
			default:
				delete(on, name)
			}
		}
	}
	if len(on) == 0 {
		return ""
	}
	return on[slices.Min(slices.Collect(maps.Keys(on)))]
}
