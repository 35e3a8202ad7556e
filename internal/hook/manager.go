package hook

import "path/filepath"

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
