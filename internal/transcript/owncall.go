package transcript

import (
	"path"
	"slices"
	"strings"
)

// isOwnTool says whether a tool is of our MCP server, under the name that any client gives it.
func isOwnTool(tool string) bool {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		server, _, _ := strings.Cut(rest, "__")
		return server == "ltm" || strings.HasSuffix(server, "_ltm")
	}
	return slices.ContainsFunc([]string{"mcp_ltm_", "ltm_", "ltm-", "ltm__"}, func(prefix string) bool {
		return strings.HasPrefix(tool, prefix)
	})
}

// IsOwn tells whether a command line, or the tool that ran it, does nothing but call git ltm: what it says is the memory's own.
func IsOwn(tool, command string) bool { return isOwnTool(tool) || ownCommand(command) == wholly }

// ownership says how much of a command line is a call of git ltm.
type ownership int

const (
	foreign ownership = iota
	partly
	wholly
)

// ownCommand says how much of a command line calls git ltm. Commands that only hand text on count with those that they stand by.
func ownCommand(line string) ownership {
	if !strings.Contains(line, "ltm") {
		return foreign
	}
	ours, others := 0, 0
	for _, part := range simpleCommands(line) {
		switch words := strings.Fields(part); {
		case len(words) == 0 || handsOn(words[0]):
		case isOwnCall(words):
			ours++
		default:
			others++
		}
	}
	switch {
	case ours == 0:
		return foreign
	case others == 0:
		return wholly
	default:
		return partly
	}
}

// handsOn says whether a program does nothing of its own.
func handsOn(program string) bool {
	switch program {
	case "cd", "export", "echo", "printf", "cat", "tee", "true", "set", "then", "fi", "}", "{", "done":
		return true
	default:
		return false
	}
}

// simpleCommands cuts a command line where a shell would, outside of quotes and without the texts that stand in the line itself.
func simpleCommands(line string) []string {
	var all []string
	start, quote, escaped := 0, rune(0), false
	line = withoutHereTexts(line)
	for i, c := range line {
		switch {
		case escaped:
			escaped = false
		case c == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.ContainsRune(";&|\n()`", c):
			all = append(all, line[start:i])
			start = i + 1
		}
	}
	return append(all, line[start:])
}

// withoutHereTexts takes out the lines of here-documents.
func withoutHereTexts(line string) string {
	if !strings.Contains(line, "<<") {
		return line
	}
	var kept strings.Builder
	end := ""
	for part := range strings.Lines(line) {
		switch {
		case end != "" && strings.TrimSpace(part) == end:
			end = ""
		case end == "":
			kept.WriteString(part)
			if _, word, ok := strings.Cut(part, "<<"); ok {
				word, _, _ = strings.Cut(strings.TrimLeft(word, "- \t"), " ")
				end = strings.Trim(word, "\"'\n;|&)")
			}
		}
	}
	return kept.String()
}

// isOwnCall says whether the words of one command call git ltm.
func isOwnCall(words []string) bool {
	for len(words) > 0 && strings.Contains(words[0], "=") {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	switch path.Base(strings.Trim(words[0], `"'$`)) {
	case "git-ltm":
		return true
	case "git":
		return subcommand(words[1:]) == "ltm"
	default:
		return false
	}
}

// subcommand is the first of git's arguments that is no option and no value of one.
func subcommand(args []string) string {
	for len(args) > 0 {
		switch {
		case (args[0] == "-C" || args[0] == "-c") && len(args) > 1:
			args = args[2:]
		case strings.HasPrefix(args[0], "-"):
			args = args[1:]
		default:
			return strings.Trim(args[0], `"'`)
		}
	}
	return ""
}
