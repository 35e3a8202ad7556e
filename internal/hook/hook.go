// Package hook answers the hooks of git that guard a push.
//
// It reads what git tells a hook, picks what is about memory, and puts hooks into repositories. It promises
// that a push without memory costs no more than reading its lines, that input which is not what git writes is
// an error and never a push that passes, and that it never changes a hook that somebody else wrote, nor a
// file of the work tree.
package hook

import (
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

// lefthookLines call git ltm from the file of lefthook, which hands over the arguments and the standard input
// of git.
const lefthookLines = `pre-push:
  commands:
    git-ltm:
      run: git-ltm hook pre-push {0}
      use_stdin: true
`

// preCommitFile is where the users of pre-commit list their hooks. It reads the standard input of git itself,
// so there is nothing by which a hook of its own could judge a push.
const preCommitFile = ".pre-commit-config.yaml"

// lefthookFile returns the file in which the users of lefthook list their hooks, or nothing.
func lefthookFile(workTree string) string {
	for _, dir := range []string{"", ".config"} {
		for _, name := range []string{"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml"} {
			if file := filepath.Join(workTree, dir, name); isFile(file) {
				return file
			}
		}
	}
	return ""
}
