// Package version says which git ltm a program belongs to. Nothing here is a number to raise: the tag of the
// commit is the version, and the Go tool writes it into the program.
package version

import (
	"cmp"
	"runtime/debug"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// linked is the release that whoever builds from an archive, where there is no tag to read, gives to the linker:
// -ldflags='-X github.com/git-ltm/git-ltm/internal/version.linked=1.2.3'.
var linked string

// Release is the tag that the program was built from, without its v. Between two tags it is the pseudo-version
// of the commit, and where neither is known it is "devel".
func Release() string {
	release := linked
	if info, ok := debug.ReadBuildInfo(); ok && release == "" && info.Main.Version != "(devel)" {
		release = info.Main.Version
	}
	return cmp.Or(strings.TrimPrefix(release, "v"), "devel")
}

// Text names the release, the format that it writes and the commit that the program was built from, where
// that is known.
func Text() string {
	text := "git-ltm " + Release() + " (packets " + packet.Version + ") " + Commit()
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
