package deadend

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// maxInstalls is how many packages of one action are looked at.
const maxInstalls = 64

// adopts says whether the name after these words is what a rule takes into
// use: "with tikv-jemallocator", or the first thing that it names.
func adopts(before []spoken) bool {
	if len(before) == 0 {
		return true
	}
	return isListed("adopts", before[len(before)-1].stem)
}

// installed finds a name that a rule takes into use among the packages that an
// action installs.
func (w *wordRule) installed(read *reading) (Match, bool) {
	for _, u := range w.units {
		if !u.adopted || u.old {
			continue
		}
		if text := read.installs[u.key]; text != "" {
			return Match{Rule: w.rule, By: ByWords, On: []string{text}, Of: len(w.units), Sure: lower(max(1, w.doubt))}, true
		}
	}
	return Match{}, false
}

// addRule is a package that is not to be taken into use, by its key.
type addRule struct {
	rule  int
	key   string
	doubt int
}

// byAdds finds the rules whose package an action takes into use.
func (r *Rules) byAdds(all ...*reading) []Match {
	var found []Match
	for _, rule := range r.adds {
		for _, read := range all {
			if text := read.installs[rule.key]; text != "" {
				found = append(found, Match{Rule: rule.rule, By: ByWords, On: []string{text}, Of: 1, Sure: lower(rule.doubt)})
			}
		}
	}
	return found
}

// Adds returns the packages that a command takes into a project.
func Adds(command string) []string {
	return slices.Sorted(maps.Values(readCommands(shellCommands(command)).installs))
}

// noteInstalls notes the packages that a command takes into a project.
func (r *reading) noteInstalls(words []string) {
	f := formOf(words)
	plain := f.plain
	if len(plain) > 2 && plain[0] == "pip" {
		plain = plain[1:] // of uv
	}
	if len(plain) < 2 || !installs(baseName(f.program), plain[0]) {
		return
	}
	for _, w := range plain[1:] {
		r.install(w)
	}
}

// installs says whether a subcommand takes packages into a project.
func installs(program, subcommand string) bool {
	switch program {
	case "npm", "pnpm", "yarn", "bun", "pip", "pip3", "pipx", "uv", "poetry", "cargo", "go", "gem", "bundle", "apt", "apt-get", "brew",
		"dnf", "apk", "composer", "conda", "mamba", "deno":
	default:
		return false
	}
	switch subcommand {
	case "install", "i", "add", "get", "require":
		return true
	default:
		return false
	}
}

// install notes a package by its name.
func (r *reading) install(word string) {
	name := packageName(word)
	key := packageKey(name)
	if key == "" || len(r.installs) >= maxInstalls {
		return
	}
	if r.installs == nil {
		r.installs = make(map[string]string)
	}
	r.installs[key] = name
}

// packageName is the name of a package without scope, path and version.
func packageName(word string) string {
	name := strings.TrimLeft(word, "@\"'")
	if end := strings.IndexAny(name, "@=<>~!^[\"':, "); end >= 0 {
		name = name[:end]
	}
	segments := strings.Split(name, "/")
	for len(segments) > 1 && isMajor(segments[len(segments)-1]) {
		segments = segments[:len(segments)-1]
	}
	return segments[len(segments)-1]
}

// packageKey is what packages are compared by.
func packageKey(word string) string {
	return Stem(strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, packageName(word)))
}

// isMajor says whether a segment of a path is a version, as in ".../pgx/v5".
func isMajor(segment string) bool {
	return len(segment) > 1 && segment[0] == 'v' && strings.Trim(segment[1:], "0123456789") == ""
}

// isManifest says whether a file names the packages of a project, one a line.
func isManifest(path string) bool {
	name := baseName(path)
	switch name {
	case "package.json", "Cargo.toml", "go.mod", "pyproject.toml", "Gemfile", "composer.json":
		return true
	default:
		return strings.HasPrefix(name, "requirements") && (strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".in"))
	}
}
