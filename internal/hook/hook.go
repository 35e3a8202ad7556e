// Package hook answers the hooks of git that guard a push.
//
// It reads what git tells a hook, picks what is about memory, and puts hooks into repositories. It promises
// that a push without memory costs no more than reading its lines, that input which is not what git writes is
// an error and never a push that passes, and that it never changes a hook that somebody else wrote, nor a
// file of the work tree.
package hook

import (
	"os"
	"path/filepath"
	"slices"
)

// Name is a hook of git.
type Name string

// The hooks that guard a push.
const (
	PrePush    Name = "pre-push"    // PrePush runs where the push begins.
	PreReceive Name = "pre-receive" // PreReceive runs where the push arrives.
)

// Names returns the hooks that this package answers.
func Names() []Name { return []Name{PrePush, PreReceive} }

// Known tells whether this package answers a hook.
func (n Name) Known() bool { return slices.Contains(Names(), n) }

// isOfLefthook tells whether a work tree has a file of lefthook, which moves hooks out of the way that it did not
// write.
func isOfLefthook(workTree string) bool {
	for _, dir := range []string{"", ".config"} {
		for _, name := range []string{"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml"} {
			if info, err := os.Stat(filepath.Join(workTree, dir, name)); err == nil && info.Mode().IsRegular() {
				return true
			}
		}
	}
	return false
}
