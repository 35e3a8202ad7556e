package agent

import "strings"

// changeDir is what goes into the directory where a command runs, for a shell: empty where that is the one of
// the session, or none below it.
func changeDir(session, dir string) string {
	below := strings.Trim(strings.TrimPrefix(dir, session), "/")
	inside := !strings.HasPrefix(dir, "/") ||
		session != "" && (dir == session || strings.HasPrefix(dir, session+"/"))
	if below == "" || below == "." || !inside || strings.Contains(below, "..") ||
		strings.ContainsFunc(below, isOdd) {
		return ""
	}
	return "cd " + below + " && "
}

// isOdd tells a character that means something to a shell, or is rare in names of directories.
func isOdd(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	default:
		return !strings.ContainsRune("/._-", r)
	}
}
