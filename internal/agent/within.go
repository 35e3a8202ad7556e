package agent

import (
	"regexp"
	"strings"
)

// odd finds a character that means something to a shell, or is rare in names of directories.
var odd = regexp.MustCompile(`[^a-zA-Z0-9/._-]`)

// changeDir is what goes into the directory where a command runs, for a shell: empty where that is the one of
// the session, or none below it.
func changeDir(session, dir string) string {
	below := strings.Trim(strings.TrimPrefix(dir, session), "/")
	inside := !strings.HasPrefix(dir, "/") ||
		session != "" && (dir == session || strings.HasPrefix(dir, session+"/"))
	if below == "" || below == "." || !inside || strings.Contains(below, "..") ||
		odd.MatchString(below) {
		return ""
	}
	return "cd " + below + " && "
}
