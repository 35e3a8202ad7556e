package refs

import (
	"bufio"
	"os"
	"strings"
)

// plainExtensions reports whether the configuration file of a repository names only harmless extensions, or states
// a default. It reads as much as that takes; whatever it is not sure about is not plain.
func plainExtensions(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // It was only read.
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
	return harmless(key)
}

// harmless reports whether an extension changes neither where objects and refs lie nor how they are written.
func harmless(extension string) bool {
	switch extension {
	case "noop", "noop-v1", "worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees":
		return true
	}
	return false
}
