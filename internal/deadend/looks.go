package deadend

import (
	"slices"
	"strings"
)

// Deeds returns the words of those simple commands of a line, as a shell would
// read it, that do more than look, search, talk or name.
func Deeds(line string) [][]string {
	var all [][]string
	for _, c := range shellCommands(line) {
		if len(c.words) > 0 && !onlyLooks(c.words) {
			all = append(all, c.words)
		}
	}
	return all
}

// onlyLooks says whether a command looks, searches, talks or names, so that
// the words in it are no deed.
func onlyLooks(words []string) bool {
	switch baseName(words[0]) {
	case "grep", "rg", "ag", "ack", "egrep", "fgrep", "cat", "bat", "less", "more", "head", "tail", "ls", "ll", "tree", "stat", "file",
		"wc", "echo", "printf", "man", "which", "type", "whereis", "history", "jq", "yq", "diff", "cmp", "awk", "cut", "sort", "uniq",
		"pwd", "ps", "top", "df", "du", "date", "true", "false", "test", "[", "cd", "pushd", "popd", "tldr", "help", "gh", "glab", "export":
		return true
	case "sed":
		return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-i") || w == "--in-place" })
	case "find", "fd":
		return !slices.Contains(words, "-delete") && !slices.Contains(words, "-exec")
	case "git":
		return gitOnlyLooks(formOf(words))
	case "npm", "yarn", "pnpm", "go", "kubectl", "docker", "terraform":
		return subcommandOnlyLooks(formOf(words))
	default:
		return false
	}
}

// gitOnlyLooks counts what writes words, a message or a name, as talk.
func gitOnlyLooks(f form) bool {
	if len(f.plain) == 0 {
		return true
	}
	switch f.plain[0] {
	case "log", "show", "diff", "status", "blame", "grep", "branch", "tag", "notes", "commit", "reflog", "describe", "shortlog",
		"ls-files", "ls-tree", "ls-remote", "rev-parse", "rev-list", "cat-file", "checkout", "switch", "add", "fetch", "stash", "help", "ltm":
		return true
	default:
		return false
	}
}

func subcommandOnlyLooks(f form) bool {
	if len(f.head) == 0 {
		return false
	}
	switch f.head[0] {
	case "get", "top":
		return baseName(f.program) == "kubectl"
	case "ls", "list", "view", "info", "outdated", "why", "explain", "search", "help", "doc", "version", "env",
		"describe", "logs", "ps", "images", "inspect", "show", "validate", "plan":
		return true
	default:
		return false
	}
}

// settles says whether a command that only prints writes settings, and no
// notes, to a file.
func (c shellCommand) settles() bool {
	name := baseName(c.words[0])
	return (name == "echo" || name == "printf") && slices.ContainsFunc(c.writes, func(file string) bool {
		return !strings.HasSuffix(file, ".md") && !strings.HasSuffix(file, ".txt") && !strings.HasPrefix(file, "/dev/")
	})
}

// writtenBy returns the paths that commands write, move or delete.
func writtenBy(run []shellCommand) []string {
	var paths []string
	for _, c := range run {
		found := c.writes
		if chains := c.unwrapped(); len(chains) > 0 {
			if words := chains[len(chains)-1]; writes(words) {
				found = slices.Concat(found, formOf(words).plain)
			}
		}
		paths = append(paths, found...)
		for _, p := range found {
			if c.below != "" && !strings.HasPrefix(p, "/") {
				paths = append(paths, c.below+"/"+tidyPath(p))
			}
		}
	}
	return paths
}

// writes says whether a command changes the files that it names.
func writes(words []string) bool {
	for _, w := range words {
		switch w {
		case "--inplace", "--in-place", "--write", "--fix":
			return true
		}
	}
	switch baseName(words[0]) {
	case "rm", "mv", "cp", "tee", "touch", "truncate", "patch", "install", "ln", "chmod", "chown", "unlink", "shred",
		"vi", "vim", "nvim", "nano", "emacs", "code", "ed", "mkdir", "rmdir":
		return true
	case "sed", "find", "fd":
		return !onlyLooks(words)
	case "perl", "ruby":
		return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-i") || strings.HasPrefix(w, "-pi") })
	case "git":
		plain := newGivenForm(words).plain
		return len(plain) > 0 && (plain[0] == "rm" || plain[0] == "mv" || plain[0] == "restore" || plain[0] == "apply")
	default:
		return false
	}
}
