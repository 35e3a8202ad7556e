package transcript

import (
	"strconv"
	"strings"
)

// codexExit takes the exit code off what the model was told of a command: JSON, a head of some lines, or neither.
func codexExit(words string) (exit int, output string, failed bool) {
	if strings.HasPrefix(words, "{") {
		v := argument(words)
		if code := v.Get("metadata.exit_code"); code.Exists() {
			return int(code.Int()), v.Get("output").Str, code.Int() != 0
		}
	}
	head, output, ok := strings.Cut(words, "Output:\n")
	if !ok {
		head, output = words, words
	}
	for line := range strings.Lines(head) {
		for _, prefix := range [...]string{"Exit code: ", "Process exited with code "} {
			code, found := strings.CutPrefix(strings.TrimSpace(line), prefix)
			if n, err := strconv.Atoi(code); found && err == nil {
				return n, output, n != 0
			}
		}
	}
	return 0, output, codexRefused(words)
}

// codexRefused says whether a call failed that has no exit code.
func codexRefused(words string) bool {
	words = strings.TrimSpace(words)
	for _, prefix := range [...]string{
		"unsupported c", "failed ", "apply_patch verification failed", "error:", "Error:", "execution error",
		"exec_command failed", "command timed out",
	} {
		if strings.HasPrefix(words, prefix) {
			return true
		}
	}
	return false
}
