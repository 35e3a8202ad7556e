package redact

import "strings"

// findPrompt finds "account@machine" in front of a directory.
func findPrompt(text string, keyword span) (span, bool) {
	machine := back(text, keyword.start, max(0, keyword.start-maxSegment), isDotted)
	if machine == keyword.start || byteBefore(text, machine) != '@' {
		return span{}, false
	}
	account := back(text, machine-1, max(0, machine-1-maxSegment), isDotted)
	name, host := text[account:machine-1], text[machine:keyword.start]
	if name == "" || byteBefore(text, account) == '/' || isHomeless(name) || name == "git" || anyHosts.has(strings.ToLower(host)) {
		return span{}, false
	}
	return span{account, keyword.start}, true
}
