package garden

import (
	"strings"
	"unicode/utf8"
)

const (
	outputLines = 3   // lines that a program printed, from which on it is no citation
	frameLines  = 2   // frames of a stack
	quoteLines  = 4   // lines of a quotation in the manner of mail
	quoteLong   = 300 // characters of a quotation
)

// isTrace says whether a text holds the stack of a program.
func isTrace(text string) bool {
	frames := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "Traceback (most recent call last)"),
			strings.HasPrefix(line, "goroutine ") && strings.HasSuffix(line, "]:"):
			return true
		case strings.HasPrefix(line, "at ") && strings.HasSuffix(line, ")") && strings.Contains(line, ":"),
			strings.HasPrefix(line, `File "`) && strings.Contains(line, `", line `),
			strings.Contains(line, ".go:") && strings.Contains(line, " +0x"),
			strings.HasPrefix(line, "Caused by: "),
			strings.HasPrefix(line, "thread '") && strings.Contains(line, "panicked at"):
			frames++
		}
	}
	return frames >= frameLines
}

// isOutput says whether a text holds what a program printed, or a patch.
func isOutput(text string) bool {
	printed := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "diff --git ") ||
			strings.HasPrefix(line, "@@ -") && strings.Count(line, "@@") > 1 {
			return true
		}
		if isPrinted(line) || isStamped(line) {
			printed++
		}
	}
	return printed >= outputLines
}

// isPrinted says whether a line begins as lines of well-known programs do.
func isPrinted(line string) bool {
	for _, start := range [...]string{
		"npm ERR!", "npm error", "npm WARN", "npm warn", "--- FAIL", "--- PASS", "=== RUN", "FAIL\t",
		"ok  \t", "PASS ", "FAIL ",
		"error[", "error: ", "warning: ", "fatal: ", "remote: ", "hint: ", "[INFO]", "[ERROR]", "[WARN",
		"[DEBUG]", "INFO ", "DEBUG ", "WARN ", "ERROR ",
		"drwx", "-rw", "> Task :", "✓ ", "✗ ", "✔ ", "✘ ", "Collecting ", "Successfully ", "Compiling ",
		"Downloading ", "Get:", "Step ",
	} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return line == "PASS" || line == "FAIL"
}

// isStamped says whether a line begins with a time of day, as lines of logs do.
func isStamped(line string) bool {
	line = strings.TrimPrefix(line, "[")
	if len(line) > 11 && matches(line[:10], "0000-00-00") && (line[10] == 'T' || line[10] == ' ') {
		line = line[11:]
	}
	return len(line) >= 8 && matches(line[:8], "00:00:00")
}

// matches says whether s has a digit wherever the form has one, and the same
// sign elsewhere.
func matches(s, form string) bool {
	for i := range len(s) {
		if digit := isDigit(rune(s[i])); digit != (form[i] == '0') || !digit && s[i] != form[i] {
			return false
		}
	}
	return true
}

// isLongQuote says whether a text repeats what somebody else wrote at length.
func isLongQuote(text string) bool {
	lines := 0
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "> ") {
			lines++
		}
	}
	return lines >= quoteLines || longestQuote(text) > quoteLong
}

// longestQuote returns the number of characters of the longest quotation.
func longestQuote(text string) int {
	longest := 0
	for open := strings.IndexAny(text, `"“„«`); open >= 0; open = strings.IndexAny(text, `"“„«`) {
		_, size := utf8.DecodeRuneInString(text[open:])
		free := open == 0 || strings.ContainsRune(" \n\t([:", rune(text[open-1]))
		text = text[open+size:]
		end := strings.IndexAny(text, `"”“»`)
		if !free {
			continue
		}
		if end < 0 {
			break
		}
		longest = max(longest, utf8.RuneCountInString(text[:end]))
		_, size = utf8.DecodeRuneInString(text[end:])
		text = text[end+size:]
	}
	return longest
}
