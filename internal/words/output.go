package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	outputLines = 3 // lines that a program printed, from which on it is no citation
	frameLines  = 2 // frames of a stack
)

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	// a patch, or the head of a stack
	pastedLine = Compiled(`(?m)^[ \t]*(?:diff --git |@@ -.*@@|` +
		`Traceback \(most recent call last\)|goroutine .*\]:[ \t]*$)`)
	frameLine = Compiled(`(?m)^[ \t]*(?:at .*:.*\)[ \t]*$|File ".*", line |.*\.go:.* \+0x|` +
		`Caused by: |thread '.*panicked at)`)
	// as lines of well-known programs and of logs begin
	printedLine = Compiled(`(?m)^[ \t]*(?:\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|` +
		`(?:PASS|FAIL)[ \t]*$|` +
		`npm ERR!|npm error|npm WARN|npm warn|--- FAIL|--- PASS|=== RUN|FAIL\t|ok  \t|PASS |FAIL |` +
		`error\[|error: |warning: |fatal: |remote: |hint: |\[INFO\]|\[ERROR\]|\[WARN|\[DEBUG\]|` +
		`INFO |DEBUG |WARN |ERROR |drwx|-rw|> Task :|✓ |✗ |✔ |✘ |Collecting |Successfully |` +
		`Compiling |Downloading |Get:|Step ` + `)`)
)

// Compiled is an expression that is compiled when it is first asked for.
func Compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// IsOutput says whether a text holds what a program printed, the stack of one, or a patch. Of a text that has
// none of what these need no expression is compiled.
func IsOutput(text string) bool {
	lines := strings.Count(text, "\n") + 1
	return slices.ContainsFunc([]string{"diff --git ", "@@", "Traceback", "goroutine"}, func(head string) bool {
		return strings.Contains(text, head)
	}) && pastedLine().MatchString(text) ||
		lines >= frameLines && len(frameLine().FindAllString(text, frameLines)) == frameLines ||
		lines >= outputLines && len(printedLine().FindAllString(text, outputLines)) == outputLines
}
