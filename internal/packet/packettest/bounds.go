package packettest

import (
	"strconv"
	"strings"
)

// topics name files, or look like other topics.
func topics() []Case {
	var cases []Case
	for _, topic := range []string{
		"", "/", "/a", "a/", "a//b", "..", "../a", "a/../b", "a/.", ".git", `a\b`, "A", "a/B", "a b", "-a",
		"a-", "_a", "a/-b", "a/b_", "a.b", "é",
		"аdmin", "a\u200bb", "a\nb", "a\tb", "a/*", "${a}", strings.Repeat("a/", 128) + "a",
	} {
		name := strconv.Quote(topic)
		cases = append(cases,
			refused("topic: "+name[:min(len(name), 24)], note(`"topic":`+quoted(topic)), "/topic"))
	}
	for _, topic := range []string{
		"a", "0", "con", "a/b/c", "a-_-b", "warehouse/snow_flake",
		strings.Repeat("a/", 127) + "ab",
	} {
		cases = append(cases, accepted("topic: "+topic[:min(len(topic), 24)], note(`"topic":`+quoted(topic))))
	}
	return cases
}

// priorities are numbers that readers would round, or read differently.
func priorities() []Case {
	var cases []Case
	for _, number := range []string{
		"-1", "-0", "11", "1.0", "1.5", "1e1", "10.0", "4294967297",
		"9223372036854775808", "1e999",
	} {
		cases = append(cases,
			refused("priority: "+number, note(`"kind":"task"`, `"priority":`+number), "/priority"))
	}
	for _, number := range []string{"0", "10"} {
		cases = append(cases, accepted("priority: "+number, note(`"kind":"task"`, `"priority":`+number)))
	}
	return cases
}

// matches reach out of the repository, or cost their reader much.
func matches() []Case {
	match := func(member, text string) string {
		return skip(`"match":{"` + member + `":` + quoted(text) + `}`)
	}
	var cases []Case
	for _, path := range outside() {
		cases = append(cases,
			refused("path of a match: "+strconv.Quote(path), match("path", path), "/match/path"))
	}
	for _, glob := range []string{
		"*", "**", "***/**/***", strings.Repeat("*a", 256), strings.Repeat("**/", 170),
		strings.Repeat("{a,", 170), "[", "[!]", "[z-a]", "{a,b", "-rf", ".git/**", "$HOME",
	} {
		cases = append(cases,
			accepted("path of a match: "+strconv.Quote(glob[:min(len(glob), 16)]), match("path", glob)))
	}
	for _, text := range []string{
		"--help", `"*" OR 1`, "(((", "$(touch owned)", "rm -rf ./everything; true",
		"a* NEAR b", " ", "\u202Egnp",
	} {
		name := strconv.Quote(text)
		cases = append(cases,
			accepted("words of a match: "+name, match("words", text)),
			accepted("command of a match: "+name, match("command", text)),
		)
	}
	return append(cases,
		refused("match: empty words", match("words", ""), "/match/words"),
		refused("match: empty command", match("command", ""), "/match/command"),
		refused("match: long words", match("words", strings.Repeat("w", 513)), "/match/words"),
		refused("match: two commands", match("command", "true\nrm x"), "/match/command"),
		refused("match: a list", skip(`"match":{"words":["a","b"]}`), "/match/words"),
		accepted("match: of nothing", skip(`"match":{}`)),
	)
}

// spans would let a skip last for ever, or not begin.
func spans() []Case {
	var cases []Case
	for _, at := range brokenTimes() {
		cases = append(cases,
			refused("end of a skip: "+strconv.Quote(at), skip(`"expires_at":`+quoted(at)), "/expires_at"),
			refused("start of a skip: "+strconv.Quote(at), skip(`"created_at":`+quoted(at)), "/created_at"),
		)
	}
	for _, at := range []string{
		"0000-01-01T00:00:00Z", "2024-10-13T08:29:59.999999999Z", "2024-10-13T09:30:00+02:00",
		"2025-10-14T08:30:00.000000001Z",
		"2025-10-14T08:30:00-00:01", "9999-12-31T23:59:59-23:59",
	} {
		cases = append(cases, refused("end of a skip: "+at, skip(`"expires_at":`+quoted(at)), "/expires_at"))
	}
	for _, at := range []string{
		"2024-10-13T08:30:00Z", "2024-10-13T10:30:00+02:00", "2025-10-14T08:30:00Z",
		"2025-10-15T08:29:00+23:59",
	} {
		cases = append(cases, accepted("end of a skip: "+at, skip(`"expires_at":`+quoted(at))))
	}
	return append(cases,
		refused("span: of all time",
			skip(`"created_at":"0000-01-01T00:00:00Z"`, `"expires_at":"9999-12-31T23:59:59Z"`),
			"/expires_at"),
		refused("span: no end, twice", skip(`"expires_at":null`, `"expires_at":null`), "/expires_at",
			"/expires_at", "/expires_at"),
	)
}

// smallSizes are within the limits of each member, and past that of the record.
func smallSizes() []Case {
	long := func(text string, n int) string { return `"` + strings.Repeat(text, n) + `"` }
	cite := `{"path":` + long("p", 1024) + `}`
	return []Case{
		accepted("size: text of a note at its limit", note(`"text":`+long("x", 2048))),
		refused("size: text of a note", note(`"text":`+long("x", 2049)), "/text"),
		refused("size: text of a note in two bytes", note(`"text":`+long("é", 2048)), ""),
		refused("size: cites of a note", note(`"cites":[`+cite+`,`+cite+`,`+cite+`,`+cite+`]`), ""),
		refused("size: texts of a skip", skip(`"item":`+long("é", 1024), `"reason":`+long("é", 1024)), ""),
		refused("size: unknown text of a note", note(`"x":`+long("x", 30_000)), ""),
		refused("size: a megabyte in a skip", skip(`"x":`+long("x", 1<<20)), ""),
		refused("size: tags of a note", note(`"tags":[`+strings.Repeat(`"t",`, 16)+`"t"]`), "/tags"),
	}
}
