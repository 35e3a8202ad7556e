package setup

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
)

// findProgram finds a program on the path of the site.
func (s Site) findProgram(name string) (string, error) {
	path, _ := s.Getenv("PATH")
	return program.Find(name, "", path)
}

// isDir tells whether a path is a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// FindQuick returns how agents call the program for hooks, where it lies beside the one that does everything:
// by its name, where the path finds that one, or by its path; "" where it does not.
func (s Site) FindQuick() string {
	file, err := s.findProgram(s.Program)
	if err != nil {
		return ""
	}
	ending := filepath.Ext(file)
	beside := strings.TrimSuffix(file, ending) + "-hook" + ending
	if s.Program == programName {
		if found, err := s.findProgram(programName + "-hook"); err != nil || found != beside {
			return ""
		}
		return programName + "-hook"
	}
	if _, err := s.findProgram(beside); err != nil {
		return ""
	}
	return beside
}

// Callable tells whether agents find the program as they are told to call it.
func (s Site) Callable() bool {
	_, err := s.findProgram(s.Program)
	return err == nil
}
