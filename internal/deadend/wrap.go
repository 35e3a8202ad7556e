package deadend

import "strings"

// unwrapped returns the words of a command, and the words of what it runs in
// turn: "sudo -H npx jest" is also "npx jest" and "jest".
func (c shellCommand) unwrapped() [][]string {
	var all [][]string
	words := c.words
	for len(words) > 0 {
		words = spelledOut(words)
		all = append(all, words)
		rest, ok := inner(words)
		if !ok {
			break
		}
		words = rest
	}
	return all
}

// spelledOut writes a command that has two names the longer way.
func spelledOut(words []string) []string {
	switch name := baseName(words[0]); {
	case name == "pip3" || name == "python3":
		return append([]string{strings.TrimSuffix(name, "3")}, words[1:]...)
	case name == "docker-compose":
		return append([]string{"docker", "compose"}, words[1:]...)
	case (name == "npm" || name == "pnpm") && len(words) > 1 && words[1] == "i":
		return append([]string{words[0], "install"}, words[2:]...)
	default:
		return words
	}
}

// inner is what a command runs that only runs another one.
func inner(words []string) ([]string, bool) {
	switch baseName(words[0]) {
	case "sudo", "doas", "env", "time", "nohup", "command", "exec", "builtin", "nice", "timeout", "xargs", "stdbuf", "setsid", "ionice":
		return afterOptions(words[1:], true)
	}
	if rest, ok := runnerRest(words); ok {
		return afterOptions(rest, false)
	}
	return nil, false
}

// runnerRest is what comes after the words of a program that runs a tool of
// the project.
func runnerRest(words []string) ([]string, bool) {
	second := ""
	if len(words) > 1 {
		second = words[1]
	}
	switch name := baseName(words[0]); name {
	case "npx", "bunx":
		return words[1:], true
	case "python", "python3", "py":
		if second == "-m" {
			return words[2:], true
		}
	case "bundle", "poetry", "uv", "pipenv", "pnpm", "yarn", "npm", "hatch", "pdm":
		switch name + " " + second {
		case "bundle exec", "poetry run", "uv run", "pipenv run", "pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx", "npm exec", "hatch run", "pdm run":
			return words[2:], true
		}
	}
	return nil, false
}

// afterOptions drops the options and assignments at the start, and a duration
// or number where the wrapper takes one.
func afterOptions(words []string, numbers bool) ([]string, bool) {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-u" || w == "-g" || w == "-n" || w == "-s" || w == "-I":
			i++
		case strings.HasPrefix(w, "-") || isAssignment(w):
		case numbers && w != "" && '0' <= w[0] && w[0] <= '9':
		default:
			return words[i:], true
		}
	}
	return nil, false
}

// takesValue says whether an option that stands before the subcommand of a
// program is followed by a value, so that the value is no subcommand.
func takesValue(program, option string) bool {
	switch program {
	case "git":
		return option == "-C" || option == "-c" || option == "--git-dir" || option == "--work-tree"
	case "docker":
		return option == "-H" || option == "--context" || option == "-f" || option == "--file" || option == "-p" || option == "--project-name" || option == "--profile"
	case "kubectl", "helm":
		return option == "-n" || option == "--namespace" || option == "--context" || option == "--kubeconfig" || option == "--kube-context"
	case "npm", "pnpm", "yarn":
		return option == "-C" || option == "--prefix" || option == "--cwd" || option == "-w" || option == "--workspace"
	case "go", "make":
		return option == "-C"
	default:
		return false
	}
}
