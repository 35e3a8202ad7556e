package packettest

import (
	"fmt"
	"strconv"
	"strings"
)

// brokenTexts are not JSON, or not JSON as it is meant here.
func brokenTexts() []Case {
	whole := packet()
	var cases []Case
	for name, text := range map[string]string{
		"empty":                      "",
		"blanks only":                " \n",
		"nul byte":                   "\x00",
		"byte order mark":            "\uFEFF" + whole,
		"utf-16 little endian":       "\xff\xfe" + strings.Join(strings.Split(whole, ""), "\x00") + "\x00",
		"utf-16 without a mark":      strings.Join(strings.Split(whole, ""), "\x00") + "\x00",
		"latin-1":                    strings.Replace(whole, "Stop", "St\xf6p", 1),
		"overlong slash":             strings.Replace(whole, "Stop", "\xc0\xaf", 1),
		"surrogate in utf-8":         strings.Replace(whole, "Stop", "\xed\xa0\xbd", 1),
		"beyond unicode":             strings.Replace(whole, "Stop", "\xf4\x90\x80\x80", 1),
		"cut character":              strings.Replace(whole, "Stop", "\xf0\x9f\x98", 1),
		"trailing object":            whole + "{}",
		"trailing bracket":           whole + "}",
		"trailing nul":               whole + "\x00",
		"trailing comma":             strings.TrimSuffix(whole, "}") + ",}",
		"two commas":                 strings.Replace(whole, ",", ",,", 1),
		"comment before":             "/**/" + whole,
		"comment after":              whole + "// x",
		"hash comment":               "# x\n" + whole,
		"single quotes":              strings.ReplaceAll(whole, `"`, "'"),
		"name without quotes":        strings.Replace(whole, `"goal"`, "goal", 1),
		"unclosed object":            strings.TrimSuffix(whole, "}"),
		"unclosed text":              whole[:len(whole)-3],
		"unclosed escape":            whole[:len(whole)-3] + `\`,
		"half an escape":             packet(`"x":"\u12"`),
		"escape of another language": packet(`"x":"\x41"`),
		"raw line break":             strings.Replace(whole, "Stop", "St\nop", 1),
		"raw escape character":       strings.Replace(whole, "Stop", "\x1b[2J", 1),
		"json lines":                 whole + "\n" + whole,
		"prefix against hijacking":   ")]}'\n" + whole,
		"array":                      "[" + whole + "]",
		"text":                       `"` + strings.ReplaceAll(whole, `"`, `\"`) + `"`,
		"null":                       "null",
		"true":                       "true",
		"number":                     "0",
		"conflict markers":           "<<<<<<< ours\n" + whole + "\n=======\n" + whole + "\n>>>>>>> theirs\n",
		"yaml":                       "goal: x\nnext_step: y\n",
	} {
		cases = append(cases, refused("broken: "+name, text, ""))
	}
	return cases
}

// nestings try to exhaust the stack of a reader.
func nestings() []Case {
	nest := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	inArrays := func(n int) string { return packet(`"x":` + nest("[", "1", "]", n)) }
	inObjects := func(n int) string { return packet(`"x":` + nest(`{"y":`, "1", "}", n)) }
	deepest := "/x" + strings.Repeat("/0", 15)
	return []Case{
		accepted("nesting: arrays at the limit", inArrays(15)),
		accepted("nesting: objects at the limit", inObjects(15)),
		refused("nesting: arrays over the limit", inArrays(16), deepest),
		refused("nesting: objects over the limit", inObjects(16), "/x"+strings.Repeat("/y", 15)),
		refused("nesting: arrays by the thousand", inArrays(10_000), deepest),
		refused("nesting: objects by the thousand", inObjects(10_000), "/x"+strings.Repeat("/y", 15)),
		refused("nesting: known member by the thousand", packetWith("goal", nest("[", "1", "]", 10_000)),
			"/goal", "/goal"+strings.Repeat("/0", 15)),
		refused("nesting: open brackets only", strings.Repeat("[", 100_000), ""),
		refused("nesting: open objects only", strings.Repeat(`{"a":`, 20_000), ""),
		refused("nesting: a megabyte of brackets", nest("[", "", "]", 1<<20), ""),
		refused("nesting: wide and empty", packet(`"x":[`+strings.Repeat("[],", 20_000)+`[]]`), ""),
	}
}

// level is an object somewhere in a packet, and the pointer to it.
type level struct {
	pointer, name   string
	before, members string
	after           string
}

func levels() []level {
	return []level{
		{"", "goal", packet(), "", ""},
		{"/project", "name", `"project":{`, `"name":"n"`, `}`},
		{"/decisions/0", "why", `"decisions":[{`, `"what":"a","why":"b"`, `}]`},
		{"/methods/0", "how", `"methods":[{`, `"name":"n","when_applicable":"w","how":"h"`, `}]`},
		{"/attempts/0", "outcome", `"attempts":[{`, `"tried":"t","outcome":"failed"`, `}]`},
		{"/provenance", "agent", `"provenance":{`, `"agent":"a"`, `}`},
		{"/anchor", "branch", `"anchor":{`, `"branch":"b"`, `}`},
		{"/cites/0", "path", `"cites":[{`, `"path":"p"`, `}]`},
		{"/scan", "rules", `"scan":{`, `"rules":"r"`, `}`},
		{"/x", "inner", `"x":{`, `"inner":1`, `}`},
		{"/x/0/1", "inner", `"x":[[0,{`, `"inner":1`, `}]]`},
		{"/project/x", "inner", `"project":{"x":{`, `"inner":1`, `}}`},
	}
}

// with returns a packet with one member more at the level.
func (l level) with(member string) string {
	if l.pointer == "" {
		return packet(member)
	}
	return packet(l.before + l.members + "," + member + l.after)
}

// doubledMembers show one content to one reader and another to the next.
func doubledMembers() []Case {
	cases := []Case{
		refused("doubled: three times", packet(`"goal":"a"`, `"goal":"b"`), "/goal", "/goal"),
		refused("doubled: the type", `{"type":"event",`+packet(`"type":"packet"`)[1:], eventProblems()...),
	}
	for _, l := range levels() {
		at := l.pointer + "/" + l.name
		value := `"twice"`
		if l.name == "outcome" {
			value = `"succeeded"`
		}
		escaped := fmt.Sprintf(`"\u%04x%s"`, l.name[0], l.name[1:])
		cases = append(cases,
			refused("doubled: "+at, l.with(strconv.Quote(l.name)+":"+value), at),
			refused("doubled, escaped: "+at, l.with(escaped+":"+value), at),
		)
	}
	return cases
}

// eventProblems are those of a packet that says that it is an event and, later
// on, that it is a packet.
func eventProblems() []string {
	return []string{"/type", "/type", "/event", "/targets"}
}

// caseTwins are members that some readers take for another one.
func caseTwins() []Case {
	var cases []Case
	for _, l := range levels() {
		upper := strings.ToUpper(l.name)
		at := l.pointer + "/" + upper
		cases = append(cases, refused("case twin: "+at, l.with(strconv.Quote(upper)+`:"x"`), at))
	}
	return append(cases,
		refused("case twin: of a missing member", packet(`"Tags":["t"]`), "/Tags"),
		refused("case twin: of the type", packet(`"Type":"event"`), "/Type"),
		refused("case twin: kelvin sign", packet(`"decisions":[{"what":"a","why":"b","loc\u212aed":true}]`),
			"/decisions/0/loc\u212aed"),
		refused("case twin: long s", packet("\"tag\u017f\":[]"), "/tagſ"),
		refused("case twin: two strangers", packet(`"Xa":1`, `"xA":2`), "/xA"),
		refused("case twin: three strangers", packet(`"xa":1`, `"xA":2`, `"XA":3`), "/xA", "/XA"),
		accepted("case twin: full-width letters are others", packet(`"ｇｏａｌ":"x"`)),
		accepted("case twin: cyrillic letters are others", packet(`"gоal":"x"`)),
		accepted("case twin: with a blank", packet(`"goal ":"x"`, `" goal":"x"`)),
		accepted("case twin: in another object", packet(`"x":{"Goal":"x"}`)),
	)
}
