package redact

import (
	"strings"
	"unicode"
)

// nearness says how a value belongs to a name in front of it.
type nearness int

const (
	assigned  nearness = iota + 1 // A sign of assignment stands directly before it.
	told                          // It stands in the same clause, which speaks of a secret.
	mentioned                     // A word links it to the name, and nothing speaks of a secret.
)

// Bounds of how far from a name its value is looked for.
const (
	maxNear  = 96
	maxTried = 4
)

// valueNear offers the values that follow a name to judge, the nearest first,
// and returns what judge accepts. A value is a run of the characters of
// tokens. How it belongs to the name is told with it.
func valueNear(text string, keyword span, judge func(at, limit int, how nearness) (span, bool)) (span, bool) {
	limit := min(len(text), keyword.end+maxNear)
	tried := 0
	for at := keyword.end; at < limit && tried < maxTried; {
		if !isToken(text[at]) || isToken(byteBefore(text, at)) && at > keyword.end && !opensValue(byteBefore(text, at)) {
			at++
			continue
		}
		end := run(text, at, min(len(text), at+2*maxValue), isToken)
		if end-at >= minNear && at > keyword.end && hasDigit(text[at:end]) {
			tried++
			if how := nearnessOf(text, keyword, at); how != 0 {
				if secret, ok := judge(at, end, how); ok {
					return secret, true
				}
			}
		}
		at = nextValue(text, at, end)
	}
	return span{}, false
}

// minNear is the least length of a value that only its name gives away.
const minNear = 12

func isToken(c byte) bool {
	return isBase64(c) || c == '.' || c == '~' || c == ':' || c == '%' || c == '|'
}

func hasDigit(s string) bool {
	return run(s, 0, len(s), func(c byte) bool { return !isDigit(c) }) < len(s)
}

// opensValue says whether c, which can be part of a token, may also stand
// between a name and its value.
func opensValue(c byte) bool { return c == '=' || c == ':' || c == '/' || c == '|' }

// nextValue returns where the next value may begin: behind a sign inside the
// run that ends at end, or there.
func nextValue(text string, at, end int) int {
	for i := at; i < end; i++ {
		if opensValue(text[i]) && i+1 < end && !opensValue(text[i+1]) {
			return i + 1
		}
	}
	return max(end, at+1)
}

// nearnessOf says how the value at text[at] belongs to the name, or 0.
func nearnessOf(text string, keyword span, at int) nearness {
	gap := strings.ToLower(text[keyword.end:at])
	if digestMarks.ends(text[:at]) {
		return 0
	}
	if harmlessGaps.within(strings.ReplaceAll(gap, "api_hash", "")) {
		return 0
	}
	if isAssigning(text, keyword.end, at) || isArgument(gap) || isCells(gap) || isQuery(gap) || gap == " login " || isBlank(gap[0]) && len(gap) == 1 && option(text, keyword) {
		return assigned
	}
	if byteBefore(text, at) == '/' || strings.ContainsAny(gap, "\n;=") || strings.Contains(gap, ". ") || strings.Contains(gap, "://") {
		return 0
	}
	before := text[max(0, keyword.start-32):keyword.start]
	switch {
	case !linked(gap):
		return 0
	case keyWord(gap), keyWord(strings.ToLower(before[strings.LastIndexAny(before, ".\n;")+1:])):
		return told
	default:
		return mentioned
	}
}

// isAssigning says whether what stands between from and at is the rest of a
// name and the glue in front of a value.
func isAssigning(text string, from, at int) bool {
	name := run(text, from, min(at, from+48), func(c byte) bool { return isDotted(c) || isBlank(c) })
	if name == at {
		return false
	}
	g := readGlue(text, name)
	return g.signs && g.at == at
}

// isQuery says whether gap is the rest of an address, up to the parameter for a
// key.
func isQuery(gap string) bool {
	if strings.ContainsAny(gap, " \t\n\"'`") || len(gap) > maxNear {
		return false
	}
	name := gap[strings.LastIndexAny(gap, "?&")+1:]
	return queryKeys.has(name) && len(name) < len(gap)
}

// isCells says whether gap is the rest of a cell, and one more at most, of a
// table, or only the end of a line.
func isCells(gap string) bool {
	words := run(gap, 0, len(gap), func(c byte) bool { return isAlnum(c) || isSpace(c) || strings.IndexByte(",|;\"'`()-", c) >= 0 })
	if words < len(gap) || len(gap) > 32 {
		return false
	}
	if strings.IndexByte(gap, '\n') >= 0 {
		return strings.Trim(gap, " \t\n\"'`") == ""
	}
	return strings.ContainsAny(gap, ",|\t(") && !secretWords.within(gap)
}

// isArgument says whether gap opens a call, with strings at most before the
// value.
func isArgument(gap string) bool {
	_, rest, ok := strings.Cut(gap, "(")
	return ok && strings.IndexByte(gap, ' ') != 0 && len(rest) > 0 && isQuote(rest[len(rest)-1]) && !strings.ContainsAny(rest, ")\n=;")
}

// keyWord says whether a word of text, which is in small letters, names a
// secret. Other than secretWords it does not take the beginning of one.
func keyWord(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if keyWords.ends(word) {
			return true
		}
	}
	return false
}
