package redact

import "strings"

// isCommonPath says whether path is the same on every machine that has it:
// what a distribution or the official package of a server puts there.
func isCommonPath(path string) bool {
	path, _, _ = strings.Cut(path, ":") // A line, or the other side of a volume.
	path = strings.TrimSuffix(path, "/")
	const deepest = 5
	for at, names := 1, 0; at < len(path) && names < deepest; names++ {
		end := strings.IndexByte(path[at:], '/')
		if end < 0 {
			end = len(path) - at
		}
		if commonTrees.has(path[:at+end]) {
			return true
		}
		at += end + 1
	}
	return commonPaths.has(path)
}
