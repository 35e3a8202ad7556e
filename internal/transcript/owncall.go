package transcript

import (
	"path"
	"strings"
)

// isOwnTool says whether a tool is of our MCP server, under the name that any client gives it.
func isOwnTool(tool string) bool {
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		server, _, _ := strings.Cut(rest, "__")
		return server == "ltm" || strings.HasSuffix(server, "_ltm")
	}
	for _, prefix := range [...]string{"mcp_ltm_", "ltm_", "ltm-", "ltm__"} {
		if strings.HasPrefix(tool, prefix) {
			return true
		}
	}
	return false
}

// ownership says how much of a command line is a call of git ltm.
type ownership int

const (
	foreign ownership = iota
	partly
	wholly
)

// ownCommand says how much of a command line calls git ltm. It knows no quoting: what looks like a call counts as one.
func ownCommand(line string) ownership {
	if !strings.Contains(line, "ltm") {
		return foreign
	}
	ours, others := 0, 0
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(";&|\n()`", r) }) {
		switch words := strings.Fields(part); {
		case len(words) == 0 || words[0] == "cd" || words[0] == "export" || words[0] == "echo":
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
