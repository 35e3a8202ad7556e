package deadend

import (
	"slices"
	"strings"
)

// commandIn finds the command in what an attempt says was tried: between
// backticks, at its beginning where that names a tool, or around an option. It
// returns "" where
// the command alone would not be the attempt: where it has no option and the
// rest of the text says more.
func commandIn(text string) string {
	command, rest, ok := quotedCommand(text)
	if !ok {
		command, rest, ok = leadingCommand(text)
	}
	if !ok {
		command, rest, ok = optionCommand(text)
	}
	if !ok || !tellsEnough(command, rest) {
		return ""
	}
	return command
}

// quotedCommand is the first text between backticks that begins with a tool.
func quotedCommand(text string) (command, rest string, ok bool) {
	left := text
	for {
		_, tail, found := strings.Cut(left, "`")
		quoted, after, closed := strings.Cut(tail, "`")
		if !found || !closed {
			return "", "", false
		}
		if words := strings.Fields(quoted); len(words) > 1 && isTool(words[0]) {
			return quoted, strings.Replace(text, "`"+quoted+"`", " ", 1), true
		}
		left = after
	}
}

// leadingCommand is the beginning of a text that names a tool, up to the first
// word that is prose.
func leadingCommand(text string) (command, rest string, ok bool) {
	words := strings.Fields(text)
	if len(words) < 2 || !isTool(words[0]) {
		return "", "", false
	}
	end := 1
	for end < len(words) && !isProse(words[end]) {
		end++
	}
	return strings.Join(words[:end], " "), strings.Join(words[end:], " "), true
}

// optionCommand is the stretch without prose around the first option: that of
// "pack it with upx --best for now" is "upx --best".
func optionCommand(text string) (command, rest string, ok bool) {
	words := strings.Fields(text)
	option := slices.IndexFunc(words, func(w string) bool { return len(w) > 1 && w[0] == '-' && w[1] != '-' || len(w) > 2 && w[0] == '-' })
	if option < 1 || isProse(words[option-1]) {
		return "", "", false
	}
	start, end := option-1, option
	for start > 0 && !isTool(words[start]) && !isProse(words[start-1]) {
		start--
	}
	for end < len(words) && !isProse(words[end]) {
		end++
	}
	return strings.Join(words[start:end], " "), strings.Join(slices.Concat(words[:start], words[end:]), " "), true
}

// isProse says whether a word ends a command that nobody quoted.
func isProse(word string) bool {
	switch strings.Trim(word, ",.;:()") {
	case "to", "with", "and", "in", "for", "on", "the", "a", "an", "of", "because", "after", "before", "by", "instead", "so", "did", "does",
		"then", "but", "from", "without", "as", "is", "was", "at", "it", "into", "when", "while", "via":
		return true
	default:
		return strings.HasSuffix(word, ",") || strings.HasSuffix(word, ";")
	}
}

// tellsEnough says whether a command alone tells what was tried.
func tellsEnough(command, rest string) bool {
	words := strings.Fields(command)
	if len(words) < 2 {
		return false
	}
	if slices.ContainsFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "-") }) {
		return true
	}
	w, _ := newWordRule(0, rest)
	return w.all.weighty == 0 && (len(words) > 2 || strings.ContainsAny(words[1], "./@:"))
}

// isTool says whether a word is the name of a program that is no word of prose
// at the beginning of a sentence.
func isTool(word string) bool {
	switch baseName(word) {
	case "npm", "npx", "yarn", "pnpm", "bun", "node", "deno", "git", "docker", "docker-compose", "podman", "kubectl", "helm", "terraform",
		"ansible", "ansible-playbook", "aws", "gcloud", "az", "pip", "pip3", "pipx", "poetry", "uv", "python", "python3", "pytest", "tox", "mypy",
		"ruff", "go", "gofmt", "cargo", "rustc", "rustup", "mvn", "gradle", "java", "javac", "bundle", "gem", "rails", "rake", "composer",
		"php", "psql", "mysql", "sqlite3", "redis-cli", "mongosh", "curl", "wget", "ssh", "scp", "rsync", "sed", "awk", "chmod", "chown", "rm",
		"mv", "cp", "systemctl", "journalctl", "apt", "apt-get", "brew", "dnf", "yum", "apk", "cmake", "ninja", "gcc", "clang", "jest", "vitest",
		"webpack", "vite", "eslint", "prettier", "tsc", "bazel", "buildah", "sudo", "bash", "sh", "dotnet", "swift", "xcodebuild", "flutter", "mix":
		return true
	default:
		return false
	}
}
