package redact

import "strings"

// promptRules are the names that a shell shows in front of a command.
func promptRules() []Rule {
	return []Rule{{
		ID: "shell-prompt", Severity: Warn,
		Why:      "looks like the account and the machine of the writer",
		Advice:   "leave out the prompt",
		keywords: []string{":~/", ":~$", ":~#", ":~%", ":~ "}, find: findPrompt,
	}}
}

// findPrompt finds "account@machine" in front of a directory.
func findPrompt(text string, keyword span) (span, bool) {
	machine := back(text, keyword.start, max(0, keyword.start-maxSegment), isDotted)
	if machine == keyword.start || byteBefore(text, machine) != '@' {
		return span{}, false
	}
	account := back(text, machine-1, max(0, machine-1-maxSegment), isDotted)
	name, host := text[account:machine-1], text[machine:keyword.start]
	if name == "" || byteBefore(text, account) == '/' || isHomeless(name) || name == "git" || isHost(host) {
		return span{}, false
	}
	return span{account, keyword.start}, true
}

// isHost says whether name only stands for the name of a host.
func isHost(name string) bool {
	switch strings.ToLower(name) {
	case "host", "hostname", "server", "remote", "machine", "localhost", "example.com":
		return true
	default:
		return false
	}
}
