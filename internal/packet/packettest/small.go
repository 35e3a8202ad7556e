package packettest

import (
	"slices"
	"strconv"
	"strings"
)

// HostileSmall returns the notes and skips, ordered by name. Their names are
// unique, also beside those of [Hostile].
func HostileSmall() []Case {
	return byName(slices.Concat(
		smallTypes(),
		smallDoubles(),
		smallTexts(),
		noteWords(),
		topics(),
		priorities(),
		matches(),
		spans(),
		smallSizes(),
	))
}

// note returns the smallest note with some members more. Each is JSON like
// `"name": value`.
func note(more ...string) string {
	return small(more, `"type":"note"`, `"id":"01J9ZQ4M8T3V5X7Y9A1C3E5G7N"`,
		`"created_at":"2024-10-13T08:30:00Z"`, `"kind":"fact"`,
		`"text":"The export reads through a cursor."`)
}

// skip returns the smallest skip with some members more.
func skip(more ...string) string {
	return small(more, `"type":"skip"`, `"id":"01J9ZQ4M8T3V5X7Y9A1C3E5G7S"`,
		`"created_at":"2024-10-13T08:30:00Z"`,
		`"item":"Do not raise the timeout."`, `"reason":"The proxy cuts it."`,
		`"expires_at":"2025-01-31T23:59:59Z"`)
}

// small joins members to an object. Of the first ones, those are left out whose
// name stands among the others.
func small(more []string, first ...string) string {
	kept := slices.DeleteFunc(first, func(member string) bool {
		name, _, _ := strings.Cut(member, ":")
		return slices.ContainsFunc(more, func(m string) bool { return strings.HasPrefix(m, name+":") })
	})
	return "{" + strings.Join(append(kept, more...), ",") + "}"
}

// smallTypes put a value of another type at every top-level member.
func smallTypes() []Case {
	const text, array, object, number = "a text", "an array", "an object", "a number"
	values := map[string]string{
		"null": "null", "true": "true", number: "7", text: `"x"`, array: "[]",
		object: "{}",
	}
	var cases []Case
	put := func(kind string, with func(...string) string, right string, members ...string) {
		for _, member := range members {
			for name, value := range values {
				if name != right {
					cases = append(cases,
						refused("type: "+member+" of a "+kind+" is "+name, with(`"`+member+`":`+value),
							"/"+member))
				}
			}
		}
	}
	put("note", note, text, "id", "created_at", "kind", "text", "why", "topic", "impact", "confidence",
		"category", "status", "next_action",
		"expires_at", "origin")
	put("note", note, number, "priority")
	put("note", note, array, "tags", "cites", "links")
	put("note", note, object, "anchor", "scan", "provenance")
	put("skip", skip, text, "id", "created_at", "item", "reason", "expires_at", "origin")
	put("skip", skip, array, "tags", "cites")
	put("skip", skip, object, "match", "anchor", "scan", "provenance")
	return cases
}

// smallDoubles are members that appear twice, or differ only in case.
func smallDoubles() []Case {
	cases := []Case{
		refused("doubled in a match", skip(`"match":{"words":"a","words":"b"}`), "/match/words"),
		refused("doubled in a match, escaped", skip(`"match":{"path":"a","\u0070ath":"b"}`), "/match/path"),
		refused("case twin in a match", skip(`"match":{"Command":"rm"}`), "/match/Command"),
		refused("case twin of the type of a note", note(`"Type":"skip"`), "/Type"),
		refused("case twin of the end of a skip", skip(`"EXPIRES_AT":"2099-01-01T00:00:00Z"`), "/EXPIRES_AT"),
		accepted("doubled: a member of a packet in a note", note(`"goal":"x"`, `"paths":7`)),
	}
	for _, member := range []string{"kind", "text", "why", "topic", "status"} {
		cases = append(cases,
			refused("case twin in a note: "+member, note(`"`+strings.ToUpper(member)+`":"fact"`),
				"/"+strings.ToUpper(member)))
	}
	for _, member := range []string{"item", "reason"} {
		cases = append(cases,
			refused("doubled in a skip: "+member, skip(`"`+member+`":"x"`, `"`+member+`":"y"`), "/"+member))
	}
	return cases
}

// smallTexts steer terminals, or impersonate whoever shows them.
func smallTexts() []Case {
	var cases []Case
	for name, text := range forgeries() {
		cases = append(cases,
			accepted("text of a note: "+name, note(`"text":`+quoted(text))),
			accepted("item of a skip: "+name, skip(`"item":`+quoted(text))),
		)
	}
	const escape = `"\u001b]0;owned\u0007"`
	for _, member := range []string{"text", "why", "next_action"} {
		cases = append(cases, refused("control in a note: "+member, note(`"`+member+`":`+escape), "/"+member))
	}
	for _, member := range []string{"item", "reason"} {
		cases = append(cases, refused("control in a skip: "+member, skip(`"`+member+`":`+escape), "/"+member))
	}
	for _, member := range []string{"words", "path", "command"} {
		cases = append(cases,
			refused("control in a match: "+member, skip(`"match":{"`+member+`":`+escape+`}`),
				"/match/"+member))
	}
	return cases
}

// noteWords are no kind, and no word for what a note or a task is.
func noteWords() []Case {
	var cases []Case
	for _, kind := range []string{
		"", "Decision", "DECISION", "decision ", "insight", "skip", "event",
		"identity\u200b", "fаct", "mustard", "../task",
	} {
		cases = append(cases,
			refused("kind of a note: "+strconv.Quote(kind), note(`"kind":`+quoted(kind)), "/kind"))
	}
	for member, word := range map[string]string{
		"impact": "CRITICAL", "confidence": "certain",
		"category": "session-note", "status": "done", "origin": "root",
	} {
		cases = append(cases,
			refused("word of a note: "+member, note(`"`+member+`":`+quoted(word)), "/"+member))
	}
	return cases
}
