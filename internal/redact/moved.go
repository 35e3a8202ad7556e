package redact

import "strings"

// findMoved finds the literal that is moved to a name for a secret.
func findMoved(text string, keyword span) (span, bool) {
	const to = " to "
	limit := min(len(text), keyword.end+2*maxName)
	end := strings.IndexByte(text[keyword.end:limit], text[keyword.end-1])
	if end < 0 || !hasFold(text[keyword.end+end+1:], to) {
		return span{}, false
	}
	value := span{keyword.end, keyword.end + end}
	start := value.end + 1 + len(to)
	name := span{start, run(text, start, min(len(text), start+maxName), isURLSafe)}
	kind := kindOfName(text, name)
	return value, kind != unnamed && kind.accepts(value.of(text))
}
