package refs

import (
	"bufio"
	"os"
	"slices"
	"strings"
)

// harmless are the extensions that change neither where objects and refs lie nor how they are written.
var harmless = []string{
	"noop", "noop-v1", "worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees",
}

// plainExtensions reports whether the configuration file of a repository names only harmless extensions, or states
// a default. It reads as much as that takes; whatever it is not sure about is not plain.
func plainExtensions(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	inside := false
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := strings.ToLower(strings.TrimSpace(lines.Text()))
		if strings.HasPrefix(line, "[") {
			inside = strings.Contains(line, "extensions")
			_, line, _ = strings.Cut(line, "]")
			line = strings.TrimSpace(line)
		}
		if inside && !plainLine(line) {
			return false
		}
	}
	return lines.Err() == nil
}

// plainLine judges one line inside the section.
func plainLine(line string) bool {
	if line == "" || line[0] == '#' || line[0] == ';' {
		return true
	}
	key, value, _ := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch key {
	case "objectformat":
		return value == "sha1"
	case "refstorage":
		return value == "files"
	}
	return slices.Contains(harmless, key)
}
