package hook

import "path/filepath"

// lefthookLines call git ltm from the file of lefthook, which hands over the arguments and the standard input of git.
const lefthookLines = `pre-push:
  commands:
    git-ltm:
      run: git-ltm hook pre-push {0}
      use_stdin: true
`

// preCommitFile is where the users of pre-commit list their hooks.
const preCommitFile = ".pre-commit-config.yaml"

// preCommitLines call git ltm from the file of pre-commit, below repos. It reads the standard input itself, so there is
// nothing to guard a push by; it tells the name of the remote in a variable.
const preCommitLines = `  - repo: local
    hooks:
      - id: git-ltm
        name: git ltm rides along
        entry: sh -c 'git-ltm hook ride-along "$PRE_COMMIT_REMOTE_NAME"'
        language: system
        stages: [pre-push]
        always_run: true
        pass_filenames: false
`

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
