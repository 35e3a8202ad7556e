package deadend

import (
	"path"
	"slices"
	"strings"
)

// Deeds returns the words of those simple commands of a line, as a shell would
// read it, that do more than look, search, talk or name.
func Deeds(line string) [][]string {
	var all [][]string
	for _, c := range shellCommands(line, "") {
		if len(c.words) > 0 && !onlyLooks(c.words) {
			all = append(all, c.words)
		}
	}
	return all
}

// onlyLooks says whether a command looks, searches, talks or names.
func onlyLooks(words []string) bool {
	name := baseName(words[0])
	switch name {
	case "sed", "yq":
		return !editsInPlace(words)
	case "find", "fd":
		return !slices.Contains(words, "-delete") && !slices.Contains(words, "-exec")
	}
	plain := formOf(words).plain
	return isIn("lookers", name) || name == "git" && len(plain) == 0 ||
		len(plain) > 0 && isAmong(lookUp("looking", name), plain[0])
}

// editsInPlace says whether an option lets a program change the files that it names.
func editsInPlace(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "-i") || strings.HasPrefix(w, "-pi") ||
			isAmong("--inplace --in-place --write --fix", w)
	})
}

// writtenBy returns the paths that commands write, move or delete.
func writtenBy(run []shellCommand) []string {
	var paths []string
	for _, c := range run {
		found := c.writes
		if chains := c.commandChain(); len(chains) > 0 {
			words := chains[len(chains)-1]
			if plain := formOf(words).plain; writesFiles(words) && len(plain) > 0 {
				if isIn("copying", baseName(words[0])) {
					plain = plain[len(plain)-1:]
				}
				found = slices.Concat(found, plain)
			}
			for i, w := range words[1:] {
				if isAmong("-o -O --output", words[i]) && !onlyLooks(words) {
					found = append(slices.Clip(found), w)
				}
			}
		}
		paths = append(paths, found...)
		for _, p := range found {
			if c.below != "" && !strings.HasPrefix(p, "/") {
				paths = append(paths, path.Join(c.below, p))
			}
		}
	}
	return paths
}

// writesFiles says whether a command changes the files that it names.
func writesFiles(words []string) bool {
	switch name := baseName(words[0]); name {
	case "find", "fd":
		return !onlyLooks(words)
	case "git":
		plain := formOf(words).plain
		return len(plain) > 0 && isAmong("rm mv restore apply", plain[0])
	case "sed", "yq", "perl", "ruby":
		return editsInPlace(words)
	default:
		return isIn("writing", name) || !onlyLooks(words) && (editsInPlace(words) || slices.Contains(words, "-w"))
	}
}
