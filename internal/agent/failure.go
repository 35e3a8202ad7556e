package agent

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// failureOf is why a tool failed, of hosts that tell of every call alike; empty for one that did not. They
// write an error of its own, the code that a command ended with, or that code within the text.
func failureOf(said gjson.Result) string {
	answer := firstOf(said, "tool_response", "toolResult", "tool_result", "tool_output")
	if answer.Type == gjson.String {
		return failedText(answer.Str)
	}
	if why := firstText(answer, "error.message", "error"); why != "" {
		return why
	}
	output := firstText(answer, "llmContent", "textResultForLlm", "output", "stderr", "stdout")
	// Gemini CLI puts it around.
	if inside, found := strings.CutPrefix(output, "<untrusted_context>\n"); found {
		inside, _, _ = strings.Cut(strings.TrimPrefix(inside, "Output: "), "\nProcess Group PGID: ")
		output = strings.TrimSuffix(inside, "\n</untrusted_context>")
	}
	if answer.Get("resultType").Str == "failure" {
		return output
	}
	for _, path := range []string{"exit_code", "exitCode", "metadata.exit", "metadata.exit_code"} {
		if code := answer.Get(path); code.Type == gjson.Number && code.Int() != 0 {
			return "exit code " + strconv.FormatInt(code.Int(), 10) + "\n" + output
		}
	}
	return failedText(output)
}

// failedText is a text that says that a command ended with a code which is not 0. What comes last counts: the
// command may have printed such lines too.
func failedText(output string) string {
	failed := false
	for line := range strings.Lines(output) {
		if code, ok := exitCode(strings.TrimSpace(line)); ok {
			failed = code != 0
		}
	}
	if !failed {
		return ""
	}
	return cutBytes(output, maxText)
}

// exitCode reads a line in which a host says how a command ended.
func exitCode(line string) (code int, ok bool) {
	if inside, found := strings.CutPrefix(line, "<"); found {
		_, line, found = strings.Cut(inside, " completed with exit code ")
		code, err := strconv.Atoi(strings.TrimSuffix(line, ">"))
		return code, found && err == nil
	}
	for _, mark := range []string{"Exit Code: ", "Exit code: ", "Process exited with code "} {
		if rest, found := strings.CutPrefix(line, mark); found {
			code, err := strconv.Atoi(rest)
			return code, err == nil
		}
	}
	return 0, false
}
