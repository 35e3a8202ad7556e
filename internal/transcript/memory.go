package transcript

import (
	"os"
	"path/filepath"
	"strings"
)

// Remembered returns the folder in which a client keeps what it remembers of a directory by itself, and how many files are there. Where
// there are none, or the client keeps no such folder, it is "".
func Remembered(home string, getenv func(string) (string, bool), f Format, dir string) (at string, files int) {
	switch f {
	case ClaudeCode:
		at = folder(getenv, "CLAUDE_CONFIG_DIR", home, ".claude")
	case Qwen:
		at = folder(getenv, "QWEN_HOME", home, ".qwen")
	default:
		return "", 0
	}
	at = filepath.Join(at, "projects", slug(dir), "memory")
	list, err := os.ReadDir(at)
	if err != nil {
		return "", 0
	}
	for _, e := range list {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md") && e.Name() != "MEMORY.md" {
			files++
		}
	}
	if files == 0 {
		return "", 0
	}
	return at, files
}
