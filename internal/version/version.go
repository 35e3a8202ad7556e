// Package version says which git ltm a program belongs to.
package version

import (
	"runtime/debug"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Release is the number of this version.
const Release = "0.1.0"

// Text names the release, the format that it writes and the commit that the program was built from, where
// that is known.
func Text() string {
	text := "git-ltm " + Release + " (packets " + packet.Version + ") " + Commit()
	return strings.TrimSuffix(text, " ")
}

// Commit is the beginning of the hash of the commit that the program was built from; empty where that is not known.
func Commit() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return ""
}
