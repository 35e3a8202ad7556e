package packettest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ids name what a careless reader would open, run or overwrite. The protocol
// leaves the id of a packet open, so most are stored; none may become a name.
func ids() []Case {
	var cases []Case
	for _, id := range []string{
		"../../etc/passwd", "--allow-unredacted", "refs/heads/main", "-rf /tmp/everything",
		"C:\\Windows\\win.ini", "HEAD^{commit}~3",
		"packets/../events/x", ".lock.lock.lock", "a?b=c&d=e#frag", "$(touch owned)", "; rm -rf ./everything",
		"01j9zq4m8t3v5x7y9a1c3e5g7h",
		"81J9ZQ4M8T3V5X7Y9A1C3E5G7H", "01J9ZQ4M8T3V5X7Y9A1C3E5G7I", "          ", "%2e%2e%2f%2e%2e%2f",
		"id with blanks in it", "\u202E0123456789",
	} {
		cases = append(cases, accepted("id: "+strconv.Quote(id), packetWith("id", quoted(id))))
	}
	for name, text := range map[string]string{
		"empty": `""`, "short": `"123456789"`, "long": quoted(strings.Repeat("1", 65)),
		"newline": `"0123456789\nx"`, "tab": `"0123456789\tx"`,
	} {
		cases = append(cases,
			refused("id: "+name, packetWith("id", text), "/id"),
			refused("parent id: "+name, packet(`"parent_id":`+text), "/parent_id"),
		)
	}
	for name, text := range map[string]string{
		"a path": `"../../etc/passwd"`, "lower case": `"01j9zq4m8t3v5x7y9a1c3e5g7h"`,
		"beyond time":      `"81J9ZQ4M8T3V5X7Y9A1C3E5G7H"`,
		"ambiguous letter": `"01J9ZQ4M8T3V5X7Y9A1C3E5G7I"`, "uuid": `"3f2b8c1e-0c5b-4f6e-9a57-1d1f3f6f2a10"`,
		"full-width digit": `"０1J9ZQ4M8T3V5X7Y9A1C3E5G7H"`,
	} {
		json := `{"type":"event","id":` + text +
			`,"created_at":"2024-10-12T08:30:00Z","event":"retract","targets":["0123456789"]}`
		cases = append(cases, refused("id of an event: "+name, json, "/id"))
	}
	return cases
}

// numbers overflow, or change their value from reader to reader.
func numbers() []Case {
	var cases []Case
	for _, number := range []string{"1e999", "-1e999", "1e400", strings.Repeat("9", 400)} {
		name := number[:min(len(number), 8)]
		cases = append(cases,
			refused("number in the unknown: "+name, packet(`"x":`+number), "/x"),
			refused("number deep in the unknown: "+name, packet(`"x":[{"y":[`+number+`]}]`), "/x/0/y/0"),
		)
	}
	for _, number := range []string{
		"NaN", "Infinity", "-Infinity", "+1", "01", "1.", ".5", "0x10", "1e",
		"1_000", "--1", "-",
	} {
		cases = append(cases, refused("number: "+number, packet(`"x":`+number), ""))
	}
	for _, number := range []string{
		"0", "-1", "1.5", "1.0", "1e2", "2147483648", "1e-999",
		"9223372036854775808", "1e999", "-0",
	} {
		cases = append(cases,
			refused("line: "+number, packet(`"cites":[{"path":"p","line":`+number+`}]`), "/cites/0/line"))
	}
	for _, number := range []string{
		"9007199254740993", "1e-999", "-0", "1E+2", "0.1000",
		strings.Repeat("9", 300),
	} {
		name := number[:min(len(number), 16)]
		cases = append(cases, accepted("number kept as written: "+name, packet(`"x":`+number)))
	}
	return append(cases,
		refused("line: end before start", packet(`"cites":[{"path":"p","line":9,"end_line":8}]`),
			"/cites/0/end_line"),
		refused("masked: negative", packet(`"scan":{"masked":-1}`), "/scan/masked"),
	)
}

// wrongTypes put a value of another type at every top-level member.
func wrongTypes() []Case {
	const text, array, object = "a text", "an array", "an object"
	want := map[string]string{
		"ltm_version": text, "id": text, "parent_id": text, "created_at": text, "goal": text,
		"next_step": text, "expires_at": text,
		"impact": text, "origin": text, "project": object, "provenance": object, "anchor": object,
		"scan":             object,
		"success_criteria": array, "constraints": array, "decisions": array, "methods": array,
		"attempts": array, "open_questions": array,
		"tags": array, "cites": array, "supersedes": array, "parents": array, "paths": array,
	}
	values := map[string]string{
		"null": "null", "true": "true", "a number": "7", text: `"0123456789"`,
		array: "[]", object: "{}",
	}
	var cases []Case
	for member, right := range want {
		for name, value := range values {
			if name != right {
				cases = append(cases,
					refused("type: "+member+" is "+name, packetWith(member, value), "/"+member))
			}
		}
		if right == array {
			cases = append(cases,
				refused("type: items of "+member, packet(`"`+member+`":[null,true,7,[]]`),
					items("/"+member, 4)...))
		}
	}
	return cases
}

// overLong are texts and lists past their limits.
func overLong() []Case {
	long := func(n int) string { return `"` + strings.Repeat("é", n) + `"` }
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	cases := []Case{
		accepted("long: goal at its limit", packetWith("goal", long(1024))),
		refused("long: goal", packetWith("goal", long(1025)), "/goal"),
		refused("long: goal past the packet", packetWith("goal", long(20_000)), "/goal", ""),
		refused("long: outcome", packet(`"attempts":[{"tried":"t","outcome":`+long(1025)+`}]`),
			"/attempts/0/outcome"),
		refused("long: branch", packet(`"anchor":{"branch":`+long(256)+`}`), "/anchor/branch"),
		refused("long: unknown text", packet(`"x":`+long(20_000)), ""),
		refused("long: the sum of allowed texts", packet(`"constraints":`+list(long(1024), 32)), ""),
		refused("long: a megabyte", packet(`"x":`+long(1<<19)), ""),
		refused("long: a megabyte of blanks", strings.Repeat(" ", 1<<20)+packet(), ""),
	}
	for member, limit := range map[string]int{
		"tags": 16, "constraints": 32, "success_criteria": 16,
		"open_questions": 32, "paths": 128,
	} {
		cases = append(cases,
			refused("many: "+member, packet(`"`+member+`":`+list(`"x"`, limit+1)), "/"+member))
	}
	for member, limit := range map[string]int{"supersedes": 32, "parents": 16} {
		cases = append(cases,
			refused("many: "+member, packet(`"`+member+`":`+list(`"0123456789"`, limit+1)), "/"+member))
	}
	return cases
}

// outsidePaths leave the repository on one system or another.
func outsidePaths() []Case {
	var cases []Case
	for _, path := range outside() {
		name := strconv.Quote(path)
		cases = append(cases,
			refused("path: "+name, packet(`"paths":[`+quoted(path)+`]`), "/paths/0"),
			refused("path of a cite: "+name, packet(`"cites":[{"path":`+quoted(path)+`}]`), "/cites/0/path"),
		)
	}
	for _, path := range []string{"-rf", ".git/config", "a b", "$HOME", "a/...", "xx:y:z/", "nul"} {
		cases = append(cases, accepted("path: "+strconv.Quote(path), packet(`"paths":[`+quoted(path)+`]`)))
	}
	return cases
}

// outside are the paths that are refused.
func outside() []string {
	return []string{
		"/etc/passwd", "..", "../x", "a/../../x", "a/..", "~", "~/x", "~root/x", `\\host\share`, `a\b`,
		`..\x`, "C:", "c:/x", "//host/x", "", "a\nb", "a\tb",
	}
}

func oddTimes() []Case {
	var cases []Case
	for _, at := range brokenTimes() {
		cases = append(cases,
			refused("created at "+strconv.Quote(at), packetWith("created_at", quoted(at)), "/created_at"),
			refused("expires at "+strconv.Quote(at), packet(`"expires_at":`+quoted(at)), "/expires_at"),
		)
	}
	for _, at := range []string{
		"0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-23:59",
		"1969-12-31T23:59:59Z",
	} {
		cases = append(cases, accepted("created at "+at, packetWith("created_at", quoted(at))))
	}
	return cases
}

// brokenTimes are no times of RFC 3339.
func brokenTimes() []string {
	return []string{
		"", "now", "0", "2024-10-12", "2024-10-12T08:30:00", "2024-10-12t08:30:00z", "2024-10-12 08:30:00Z",
		"2024-10-12T8:30:00Z", "2024-13-01T00:00:00Z",
		"2023-02-29T00:00:00Z", "2024-10-12T24:00:00Z", "2024-10-12T23:59:60Z", "2024-10-12T08:30:00,5Z",
		"2024-10-12T08:30:00+24:00", "20241012T083000Z",
		"+12024-10-12T08:30:00Z", "２０２４-10-12T08:30:00Z", "2024-10-12T08:30:00Z\n", " 2024-10-12T08:30:00Z",
	}
}

// types try to pass one kind of record for another.
func types() []Case {
	var cases []Case
	for _, kind := range []string{
		"Note", "notes", "SKIP", "skip ", "Event", "EVENT", "event ", "", "packets",
		"../event",
	} {
		cases = append(cases, refused("kind: "+strconv.Quote(kind), packet(`"type":`+quoted(kind)), "/type"))
	}
	for _, kind := range []string{"null", "1", "true", "[]", `["event"]`, `{"event":1}`} {
		cases = append(cases, refused("kind: "+kind, packet(`"type":`+kind), "/type"))
	}
	for _, version := range []string{"", "0.0", "0.4", "1.0", "0.2 ", "0.20", "v0.2", "0,2", "２"} {
		cases = append(cases,
			refused("version: "+strconv.Quote(version), packetWith("ltm_version", quoted(version)),
				"/ltm_version"))
	}
	event := `"type":"event","id":"01J9ZQ4M8T3V5X7Y9A1C3E5G7H","created_at":"2024-10-12T08:30:00Z"`
	return slices.Concat(cases, []Case{
		refused("event: a packet says it is one", packet(`"type":"event"`), "/event", "/targets"),
		refused("note: a packet says it is one", packet(`"type":"note"`), "/kind", "/text"),
		refused("skip: a packet says it is one", packet(`"type":"skip"`), "/item", "/reason", "/expires_at"),
		refused("event: no targets", "{"+event+`,"event":"purge","targets":[]}`, "/targets"),
		refused("event: everything is a target", "{"+event+`,"event":"purge","targets":["*"]}`, "/targets/0"),
		refused("event: of its own making", "{"+event+`,"event":"forge","targets":["0123456789"]}`, "/event"),
		refused("event: case twin", "{"+event+`,"event":"purge","targets":["0123456789"],"Event":"undo"}`,
			"/Event"),
		refused("event: over its bound",
			fmt.Sprintf(`{%s,"event":"purge","targets":["0123456789"],"x":%q}`, event,
				strings.Repeat("x", 4096)), ""),
		accepted("event: targets are paths",
			"{"+event+`,"event":"retract","targets":["../../refs/heads/main"]}`),
	})
}
