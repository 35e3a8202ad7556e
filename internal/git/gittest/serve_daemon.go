package gittest

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// serveDaemon lets git daemon answer below a folder, to everybody and for everything.
func serveDaemon(folder string, env []string) (*listener, error) {
	return listenWith(env, lookGit(env), "daemon", "--inetd", "--base-path="+folder, "--export-all",
		"--enable=receive-pack",
		"--informative-errors", folder)
}

// lookGit finds git on the last PATH of env, or returns "git".
func lookGit(env []string) string {
	for _, entry := range slices.Backward(env) {
		path, ok := strings.CutPrefix(entry, "PATH=")
		if !ok {
			continue
		}
		for _, dir := range filepath.SplitList(path) {
			if found, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
				return found
			}
		}
		break
	}
	return "git"
}
