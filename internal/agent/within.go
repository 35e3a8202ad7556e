package agent

import "strings"

// plainName is the characters of names of directories that mean nothing to a shell, and are not rare.
const plainName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-"

// changeDir is what goes into the directory where a command runs, for a shell: empty where that is the one of
// the session, or none below it.
func changeDir(session, dir string) string {
	below := strings.Trim(strings.TrimPrefix(dir, session), "/")
	inside := !strings.HasPrefix(dir, "/") ||
		session != "" && (dir == session || strings.HasPrefix(dir, session+"/"))
	if below == "" || below == "." || !inside || strings.Contains(below, "..") ||
		strings.Trim(below, plainName) != "" {
		return ""
	}
	return "cd " + below + " && "
}
