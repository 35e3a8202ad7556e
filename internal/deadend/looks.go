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

// looking are programs that look, search, talk or name, so that the words in their commands are no deed.
const looking = "grep rg ag ack egrep fgrep cat bat less more head tail ls ll tree stat file wc echo printf man which type whereis history jq yq diff " +
	"cmp awk cut sort uniq pwd ps top df du date true false test [ cd pushd popd tldr help gh glab export"

// lookingAt are the subcommands that do the same, by their programs; what writes a message or a name is talk.
var lookingAt = map[string]string{ //nolint:gochecknoglobals // A table that nobody writes to.
	"git": "log show diff status blame grep branch tag notes commit reflog describe shortlog ls-files ls-tree ls-remote rev-parse rev-list cat-file " +
		"checkout switch add fetch stash help ltm",
	"npm": listing, "yarn": listing, "pnpm": listing, "go": listing, "docker": listing, "terraform": listing, "kubectl": listing + " get top",
}

const listing = "ls list view info outdated why explain search help doc version env describe logs ps images inspect show validate plan"

// onlyLooks says whether a command looks, searches, talks or names.
func onlyLooks(words []string) bool {
	name := baseName(words[0])
	switch name {
	case "sed":
		return !edits(words)
	case "find", "fd":
		return !slices.Contains(words, "-delete") && !slices.Contains(words, "-exec")
	}
	plain := formOf(words).plain
	return isAmong(looking, name) || name == "git" && len(plain) == 0 || len(plain) > 0 && isAmong(lookingAt[name], plain[0])
}

// edits says whether an option lets a program change the files that it names.
func edits(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "-i") || strings.HasPrefix(w, "-pi") || isAmong("--inplace --in-place --write --fix", w)
	})
}

// settles says whether a command that only prints writes settings, and no
// notes, to a file.
func (c shellCommand) settles() bool {
	return isAmong("echo printf", baseName(c.words[0])) && slices.ContainsFunc(c.writes, func(file string) bool {
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

// writing are programs that change the files which they name.
const writing = "rm mv cp tee touch truncate patch install ln chmod chown unlink shred vi vim nvim nano emacs code ed mkdir rmdir"

// writes says whether a command changes the files that it names.
func writes(words []string) bool {
	switch name := baseName(words[0]); name {
	case "find", "fd":
		return !onlyLooks(words)
	case "git":
		plain := formOf(words).plain
		return len(plain) > 0 && isAmong("rm mv restore apply", plain[0])
	case "sed", "perl", "ruby":
		return edits(words)
	default:
		return isAmong(writing, name) || slices.ContainsFunc(words, func(w string) bool { return isAmong("--inplace --in-place --write --fix", w) })
	}
}
