package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// plantStrangers plants three notes, three skips and three packets that nobody signed.
func plantStrangers(ts *testscript.TestScript, _ bool, _ []string) {
	texts := map[string]string{}
	for i := range 3 {
		const at = `"created_at":"2026-01-01T00:00:00Z"`
		note, skip, goal := stranger("notes", i), stranger("skips", i), stranger("packets", i)
		texts["refs/ltm/notes/"+
			note] = fmt.Sprintf(`{"type":"note","id":%q,%s,"kind":"fact","text":"Fact %d of the records"}`,
			note, at, i)
		texts["refs/ltm/skips/"+skip] = fmt.Sprintf(
			`{"type":"skip","id":%q,%s,"item":"Skip %d of the records","reason":"r","expires_at":"2026-12-31T00:00:00Z"}`, skip, at, i)
		texts["refs/ltm/packets/"+
			goal] = fmt.Sprintf(
			`{"ltm_version":"0.3","id":%q,%s,"goal":"Goal %d","next_step":"Look at the records"}`, goal, at,
			i)
	}
	plantTexts(ts, texts)
}

// stranger is the id of a record that nobody signed.
func stranger(kind string, i int) string {
	return fmt.Sprintf("01JDMB4W1YNJZQR7K8F3A2H5%s%d", strings.ToUpper(kind[:1]), i)
}

// signedIDs are the notes of the scripts that a trusted key signed.
func signedIDs() []string {
	return []string{"01JDMB4W1YNJZQR7K8F3A2H5Q1", "01JDMB4W1YNJZQR7K8F3A2H5Q2", "01JDMB4W1YNJZQR7K8F3A2H5Q3"}
}

// plantEvents N WRITER plants events of all kinds but purges that nobody signed, about those records and each
// other. The writer is a digit, which stands in their ids.
func plantEvents(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: events N WRITER")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	writer, err := strconv.ParseUint(args[1], 10, 4)
	ts.Check(err)
	records := signedIDs()
	for _, kind := range []string{"notes", "skips", "packets"} {
		for i := range 3 {
			records = append(records, stranger(kind, i))
		}
	}
	random := rand.New(rand.NewPCG(writer, 500))
	texts := map[string]string{}
	for i := range n {
		id := eventID(writer, i)
		text, err := json.Marshal(randomEvent(random, id, records))
		ts.Check(err)
		texts["refs/ltm/events/"+id] = string(text)
	}
	plantTexts(ts, texts)
}

func eventID(writer uint64, i int) string { return fmt.Sprintf("01JDMX%d%019d", writer, i) }

// randomEvent makes an event at one of few moments, so that those of two writers meet.
func randomEvent(random *rand.Rand, id string, records []string) map[string]any {
	kinds := []string{
		"supersede", "expire", "archive", "restore", "restore", "confirm", "contradict", "impact", "link",
		"consolidate", "close",
		"reopen", "set", "retract", "undo", "undo", "digest",
	}
	kind := kinds[random.IntN(len(kinds))]
	at := time.Date(2026, 1, 1+random.IntN(20), 0, 0, 0, 0, time.UTC)
	e := map[string]any{
		"type": "event", "id": id, "created_at": at.Format(time.RFC3339), "event": kind,
		"targets": []string{records[random.IntN(len(records))]},
		"by":      []string{records[random.IntN(len(records))]},
	}
	switch kind {
	case "expire":
		e["expires_at"] = at.AddDate(5*random.IntN(2), 0, 1).Format(time.RFC3339)
	case "impact":
		e["value"] = []string{"low", "medium", "high", "critical"}[random.IntN(4)]
	case "set":
		e["value"] = fmt.Sprintf(`{"priority":%d}`, random.IntN(12))
	case "digest", "link":
		e["value"] = fmt.Sprintf("Text %d", random.IntN(9))
	case "undo":
		e["targets"] = []string{eventID(1+random.Uint64N(2), random.IntN(500))}
	}
	return e
}

// plantTexts stores texts under refs with git alone.
func plantTexts(ts *testscript.TestScript, texts map[string]string) {
	dir, err := os.MkdirTemp(ts.Getenv("WORK"), "texts")
	ts.Check(err)
	defer func() { _ = os.RemoveAll(dir) }()
	var refs []string
	for ref := range texts {
		refs = append(refs, ref)
	}
	slices.Sort(refs)
	var paths, script strings.Builder
	for i, ref := range refs {
		path := filepath.Join(dir, strconv.Itoa(i))
		record, err := packet.Parse([]byte(texts[ref]), packet.Stored)
		ts.Check(err)
		ts.Check(os.WriteFile(path, record.Encode(), 0o600))
		paths.WriteString(path + "\n")
	}
	for i, oid := range strings.Fields(
		plainGit(ts, paths.String(), "hash-object", "-w", "--no-filters", "--stdin-paths")) {
		fmt.Fprintf(&script, "create %s %s\n", refs[i], oid)
	}
	plainGit(ts, script.String(), "update-ref", "--stdin")
}
