package packet

import (
	"path"
	"strings"
)

// CleanPath gives a path the one form in which paths are compared.
func CleanPath(p string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/")
}

// IsWithin reports whether a path or a topic is another one, or lies below it.
func IsWithin(path, folder string) bool {
	path, folder = CleanPath(path), CleanPath(folder)
	return folder == "" || path == folder || strings.HasPrefix(path, folder+"/")
}
