package readers

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// readElements reads the elements of a document in angle brackets. What stands in
// one is given to its name, or where that only says "value" or "string" to the
// name that an element or an attribute before it holds.
func readElements(text string, give func(Event)) {
	var label lex.Span // What was last said to be a name.
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '<')
		if open < 0 {
			return
		}
		at += open + 1
		limit := min(len(text), at+8*maxName)
		closing := strings.IndexByte(text[at:limit], '>')
		if closing < 0 {
			continue
		}
		if more := strings.Index(text[at+closing:limit], `" name="`); more > 0 && // It stood in an attribute.
			strings.Count(text[at:at+closing], `"`)%2 > 0 {
			closing += more + max(0, strings.IndexByte(text[at+closing+more:limit], '>'))
		}
		tag := lex.Between(at, at+closing)
		at = tag.End + 1
		name := lex.Between(tag.Start, tag.Start+strings.IndexFunc(text[tag.Start:at], func(r rune) bool {
			return !isNaming(r) && r != ':'
		}))
		if name.Start == name.End {
			continue
		}
		if named := attributeOf(text, tag, " name=", " key="); named.End > 0 && isName(named.Of(text)) {
			label = named
			value := attributeOf(text, tag, " value=")
			if value.End > 0 && value.End < named.Start && isCandidate(value.Of(text)) {
				give(Event{Name: named, Value: value, Quoted: true})
			}
		}
		closed := "</"
		if data := "<![CDATA["; strings.HasPrefix(text[at:], data) {
			at, closed = at+len(data), "]]>"
		}
		end := strings.IndexAny(text[at:min(len(text), at+maxValue)], closed[:1])
		if end < 0 || !strings.HasPrefix(text[at+end:], closed) {
			if label.Start < tag.Start {
				label = name
			}
			continue
		}
		content := trimSet(text, lex.Between(at, at+end), " \t\r\n")
		switch strings.ToLower(name.Of(text)) {
		case "key", "name", "field", "parameterkey", "label":
			if isName(content.Of(text)) {
				label = content
			}
		case "value", "string", "text", "data", "val", "property", "parametervalue", "entry", "item",
			"setting", "param", "defaultvalue":
			name, label = label, lex.Span{}
		}
		if name.End > 0 && isCandidate(content.Of(text)) {
			give(Event{Name: name, Value: content, Quoted: true})
		}
	}
}

// attributeOf returns the value of the first of some attributes of a tag that stands in quotes.
func attributeOf(text string, tag lex.Span, starts ...string) lex.Span {
	for _, start := range starts {
		at := strings.Index(tag.Of(text), start)
		if at < 0 {
			continue
		}
		at += tag.Start + len(start)
		if at < tag.End && strings.IndexByte(quotes, text[at]) >= 0 {
			if end := strings.IndexByte(text[at+1:tag.End], text[at]); end > 0 {
				return lex.Between(at+1, at+1+end)
			}
		}
	}
	return lex.Span{}
}
