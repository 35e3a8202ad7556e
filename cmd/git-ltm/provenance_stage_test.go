package main

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// stage is a clone and a remote, in which people who are trusted and people who are not say things.
type stage struct {
	*bench

	level   distrust
	turn    int
	remote  string
	keys    map[string]string // paths by name
	writers []writer
	seen    map[int]bool
	found   map[string]*violation
	made    int               // ids that were made
	began   time.Time         // when
	owned   map[string]string // records of the owner, by what they are for
	others  map[string]string // records of the stranger
	refs    strings.Builder   // for git update-ref --stdin
}

func newStage(t *testing.T, level distrust, turn int) *stage {
	t.Helper()
	s := &stage{
		bench: newBench(t), level: level, turn: turn, keys: map[string]string{}, seen: map[int]bool{},
		found: map[string]*violation{},
		began: time.Now().Add(-time.Hour).UTC(), owned: map[string]string{}, others: map[string]string{},
	}
	s.remote = filepath.Join(filepath.Dir(s.dir), "remote.git")
	s.git(t, filepath.Dir(s.dir), "init", "-q", "--bare", s.remote)
	var signers strings.Builder
	for name, options := range map[string]string{
		"bob": `namespaces="git"`,
		"old": `namespaces="git",valid-before="20210101"`, "mallory": "",
	} {
		path, public := keytest.SSHKey(t, "ed25519", name)
		s.keys[name] = path
		if options != "" {
			fmt.Fprintf(&signers, "%s@example.com %s %s\n", name, options,
				strings.Join(strings.Fields(public)[:2], " "))
		}
	}
	trusted := filepath.Join(filepath.Dir(s.dir), "trusted")
	if err := os.WriteFile(trusted, []byte(signers.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"gpg.format": "ssh", "gpg.ssh.allowedSignersFile": trusted, "ltm.store": stageStore,
		"remote.origin.url":  s.remote,
		"branch.main.remote": "origin", "branch.main.merge": "refs/heads/main",
	} {
		s.git(t, s.dir, "config", name, value)
	}
	s.ownerSaves(t)
	return s
}

// must runs a command that has to succeed.
func (s *stage) must(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	code, stdout, stderr := s.run(t.Context(), []byte(stdin), args...)
	if code != codeDone {
		t.Fatalf("%s ended with %d: %s", args, code, stderr)
	}
	return strings.TrimSpace(stdout)
}

// What a stranger's event may do to a record. A string stands in every member that takes one.
type saying struct {
	what  string // its name here
	event string
	on    string              // what the record is that it speaks of: a note, a task, a packet or a skip
	by    string              // "own": another record of the owner; "other": one of the stranger
	value func(writer) string // nil for none
	until time.Duration
}

func sayings() []saying {
	text := func(w writer) string { return w.text("value") }
	set := func(w writer) string {
		return `{"next_action":"` + w.text("next") +
			`","status":"active","priority":9,"category":"active_work"}`
	}
	return []saying{
		{what: "set", event: "set", on: "task", value: set},
		{what: "digest", event: "digest", on: "note", value: text},
		{what: "digest of a packet", event: "digest", on: "packet", value: text},
		{what: "digest of a skip", event: "digest", on: "skip", value: text},
		{what: "link", event: "link", on: "note", by: "own", value: text},
		{what: "link to a stranger's", event: "link", on: "note", by: "other", value: text},
		{what: "link of a packet", event: "link", on: "packet", by: "other", value: text},
		{what: "contradict", event: "contradict", on: "note"},
		{what: "contradict by", event: "contradict", on: "note", by: "other"},
		{what: "confirm", event: "confirm", on: "note"},
		{what: "impact", event: "impact", on: "note", value: func(writer) string { return "critical" }},
		{what: "retract", event: "retract", on: "note"},
		{what: "supersede", event: "supersede", on: "note", by: "own"},
		{what: "supersede by a stranger's", event: "supersede", on: "note", by: "other"},
		{what: "expire", event: "expire", on: "note", until: -time.Minute},
		{what: "expire later", event: "expire", on: "note", until: 48 * time.Hour},
		{what: "close", event: "close", on: "packet"},
		{what: "close of a task", event: "close", on: "task"},
		{what: "reopen", event: "reopen", on: "task"},
		{what: "archive", event: "archive", on: "note"},
		{what: "restore", event: "restore", on: "note"},
		{what: "consolidate", event: "consolidate", on: "note", by: "other"},
	}
}

// noteText is a note as JSON.
func noteText(w writer, kind string) map[string]any {
	n := map[string]any{
		"type": "note", "kind": kind, "text": stageWord + " " + w.text("text"), "why": w.text("why"),
		"tags":  []string{w.text("tag")},
		"topic": w.text("topic"),
		"cites": []map[string]any{{"path": "qzgen/" + w.text("path"), "note": w.text("cite")}},
	}
	if kind == "task" {
		n["next_action"], n["status"], n["priority"], n["category"] = w.text("next"), "active", 5,
			"active_work"
	}
	return n
}

func skipText(w writer) map[string]any {
	return map[string]any{
		"type": "skip", "item": stageWord + " " + w.text("item"), "reason": w.text("reason"),
		"match":      map[string]string{"command": stageCommand, "path": "qzgen/**"},
		"expires_at": time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339),
	}
}

func packetText(w writer) map[string]any {
	return map[string]any{
		"goal": stageWord + " " + w.text("goal"), "next_step": w.text("nextstep"),
		"constraints":    []string{w.text("constraint")},
		"open_questions": []string{w.text("question")}, "success_criteria": []string{w.text("criterion")},
		"outcome": w.text("result"),
		"decisions": []map[string]any{
			{"what": w.text("locked"), "why": w.text("lockedwhy"), "locked": true},
			{"what": w.text("decision"), "why": w.text("decisionwhy")},
		},
		"attempts": []map[string]string{{
			"tried":   "`" + stageCommand + "` " + w.text("tried"),
			"outcome": "failed", "learned": w.text("learned"),
		}},
		"methods": []map[string]string{{
			"name": w.text("method"), "when_applicable": w.text("when"),
			"how": w.text("how"),
		}},
		"tags":   []string{w.text("tag")},
		"cites":  []map[string]any{{"path": "qzgen/" + w.text("path"), "note": w.text("cite")}},
		"x_more": map[string]string{"said": w.text("unknown")},
	}
}

// looseForm marks the record that the other form of an event speaks of.
const looseForm = " (not canonical)"

// ownerSaves makes the records of the owner: one of each kind, and one for each event of a stranger to speak
// of.
func (s *stage) ownerSaves(t *testing.T) {
	t.Helper()
	var batch bytes.Buffer
	var names []string
	add := func(name string, record map[string]any) {
		names = append(names, name)
		batch.Write(encodedJSON(t, record))
		batch.WriteByte('\n')
	}
	for _, kind := range packet.NoteKinds() {
		add(kind, noteText(s.owner("note ", kind), kind))
	}
	add("skip", skipText(s.owner("skip", "")))
	for _, h := range sayings() {
		what := "that a stranger's " + h.what + " is about"
		// The other form of the event has a record of its own, because the later of two events counts.
		if h.value != nil {
			loose := what + ", which is not canonical"
			switch h.on {
			case "note":
				add(h.what+looseForm, noteText(s.owner("note ", loose), "pitfall"))
			case "task":
				add(h.what+looseForm, noteText(s.owner("task ", loose), "task"))
			}
		}
		switch h.on {
		case "note":
			add(h.what, noteText(s.owner("note ", what), "pitfall"))
		case "task":
			add(h.what, noteText(s.owner("task ", what), "task"))
		case "skip":
			add(h.what, skipText(s.owner("skip ", what)))
		default:
			s.owned[h.what] = s.must(t, string(encodedJSON(t, packetText(s.owner("packet ", what)))), "save",
				"--root", "-")
		}
	}
	ids := strings.Fields(s.must(t, batch.String(), "note", "--batch", "--private=false"))
	for i, name := range names {
		s.owned[name] = ids[i]
	}
	s.owned["packet"] = s.must(t, string(encodedJSON(t, packetText(s.owner("packet", "")))), "save", "--root",
		"-")
}

// pull lets the clone take what the remote holds. What does not pass is told by the exit, and stays behind.
func (s *stage) pull(t *testing.T) {
	t.Helper()
	if code, _, stderr := s.run(t.Context(), nil, "pull"); code != codeDone {
		t.Logf("pull ended with %d: %s", code, stderr)
	}
}

// typeAll lets a stranger say it with the program, in a clone of his own, under another name each time.
func (s *stage) typeAll(t *testing.T) {
	t.Helper()
	mine := &bench{dir: filepath.Join(filepath.Dir(s.dir), "stranger"), vars: s.vars}
	mine.git(t, filepath.Dir(s.dir), "clone", "-q", s.remote, mine.dir)
	say := func(w writer, stdin string, args ...string) string {
		mine.vars = append(slices.Clone(s.vars), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name",
			"GIT_CONFIG_VALUE_0="+w.name)
		code, stdout, stderr := mine.run(t.Context(), []byte(stdin), args...)
		if code != codeDone {
			t.Fatalf("%s of a stranger ended with %d: %s", args, code, stderr)
		}
		return strings.TrimSpace(stdout)
	}
	stranger := s.newWriter("pull", "", false)
	say(stranger, "", "pull")
	for _, kind := range packet.NoteKinds() {
		w := s.newWriter("note ", kind, false)
		s.others[kind] = say(w, string(encodedJSON(t, noteText(w, kind))), "note", "--batch",
			"--private=false")
	}
	w := s.newWriter("skip", "", false)
	s.others["skip"] = say(w, string(encodedJSON(t, skipText(w))), "note", "--batch")
	w = s.newWriter("packet", "", false)
	s.others["packet"] = say(w, string(encodedJSON(t, packetText(w))), "save", "--root", "-")
	w = s.newWriter("packet ", "that goes on from the owner's", false)
	s.others["child"] = say(w, string(encodedJSON(t, packetText(w))), "save", "--continue", s.owned["packet"],
		"-")
	for _, h := range sayings() {
		w, target := s.newWriter("event ", h.what, false), s.owned[h.what]
		by := map[string]string{"own": s.owned["reference"], "other": s.others["reference"]}[h.by]
		args := []string{"edit", target, "--why", w.text("why")}
		switch h.event {
		case "set":
			args = []string{
				"task", "set", target, "--next", w.text("next"), "--priority", "9", "--why",
				w.text("why"),
			}
		case "digest":
			args = append(args, "--digest", w.text("value"))
		case "link":
			args = append(args, "--link", by, "--label", w.text("value"))
		case "impact":
			args = append(args, "--impact", "critical")
		case "retract":
			args[0] = "rm"
		case "supersede":
			args = append(args, "--superseded-by", by)
		case "expire":
			args = append(args, "--until", "2d")
		case "confirm", "close":
			args = append(args, "--"+h.event)
		case "contradict":
			args = append(args, "--wrong")
		case "archive":
			args = append(args, "--hide")
		case "reopen", "restore", "consolidate":
			continue // Nothing is to be taken back, and only notes of one author come together.
		}
		say(w, "", args...)
	}
	say(stranger, "", "push")
}

// plantAll puts on the remote what the stranger says, and what somebody says whom the owner trusts, past
// every gate.
func (s *stage) plantAll(t *testing.T) {
	t.Helper()
	defer func() { s.feed(t, s.remote, s.refs.String(), "update-ref", "--stdin") }()
	stranger := s.level
	bob := distrust{name: "trusted", key: "bob", store: stageStore}
	for _, kind := range packet.NoteKinds() {
		s.others[kind] = s.plant(t, s.newWriter("note ", kind, false), stranger, "notes", noteText, kind)
	}
	plain := func(form func(writer) map[string]any) func(writer, string) map[string]any {
		return func(w writer, _ string) map[string]any { return form(w) }
	}
	s.others["skip"] = s.plant(t, s.newWriter("skip", "", false), stranger, "skips", plain(skipText), "")
	s.others["packet"] = s.plant(t, s.newWriter("packet", "", false), stranger, "packets", plain(packetText),
		"")
	s.others["child"] = s.plant(t, s.newWriter("packet ", "that goes on from the owner's", false), stranger,
		"packets",
		func(w writer, _ string) map[string]any {
			p := packetText(w)
			p["parent_id"], p["anchor"] = s.owned["packet"], map[string]string{"branch": "main"}
			return p
		}, "")
	nobody := s.newWriter("note", "", false)
	nobody.name = ""
	s.writers[nobody.number] = nobody
	s.others["nameless"] = s.plant(t, nobody, stranger, "notes", noteText, "pitfall")
	s.plant(t, s.newWriter("note", " of somebody whom the owner trusts", true), bob, "notes", noteText,
		"pitfall")
	s.plant(t, s.newWriter("skip", " of somebody whom the owner trusts", true), bob, "skips", plain(skipText),
		"")

	for _, h := range sayings() {
		s.plantEvent(t, h, s.newWriter("event ", h.what, false), s.owned[h.what], stranger)
		again := s.newWriter("event ", h.what+" that is not canonical", false)
		target := cmp.Or(s.owned[h.what+looseForm], s.owned[h.what])
		s.plantLoose(t, "events", s.eventText(h, again, target), again)
	}
	unnamed := s.newWriter("event ", "digest", false)
	unnamed.name = ""
	s.writers[unnamed.number] = unnamed
	s.plantEvent(t, saying{event: "digest", value: func(w writer) string { return w.text("value") }}, unnamed,
		s.owned["fact"], stranger)
	// Of a stranger's own records he says more.
	for what, on := range map[string]string{
		"set": "task", "digest": "learning", "contradict": "decision",
		"link": "reference",
	} {
		for _, h := range sayings() {
			if h.what == what {
				s.plantEvent(t, h, s.newWriter("event ", what+" of a stranger's own", false), s.others[on],
					stranger)
			}
		}
	}
}

func (s *stage) eventText(h saying, w writer, target string) map[string]any {
	e := map[string]any{"type": "event", "event": h.event, "targets": []string{target}, "why": w.text("why")}
	switch h.by {
	case "own":
		e["by"] = []string{s.owned["reference"]}
	case "other":
		e["by"] = []string{s.others["reference"]}
	}
	if h.value != nil {
		e["value"] = h.value(w)
	}
	if h.until != 0 {
		e["expires_at"] = time.Now().Add(h.until).UTC().Format(time.RFC3339)
	}
	return e
}

func (s *stage) plantEvent(t *testing.T, h saying, w writer, target string, as distrust) {
	t.Helper()
	s.plant(t, w, as, "events", func(w writer, _ string) map[string]any {
		return s.eventText(h, w, target)
	}, "")
}

// complete gives a record what every stored one has.
func (s *stage) complete(record map[string]any, w writer) string {
	at := s.began.Add(time.Duration(s.made) * time.Second)
	id := ulidAt(at, s.made)
	s.made++
	record["id"], record["created_at"] = id, at.Format(time.RFC3339)
	if record["type"] == nil {
		record["ltm_version"] = "0.3"
	}
	if w.name != "" {
		record["provenance"] = map[string]string{
			"author_human": w.name, "agent": w.text("agent"),
			"model": w.text("model"),
		}
	}
	return id
}

// plant makes a record in its canonical form, signed as a level of trust has it, and a ref of it on the
// remote.
func (s *stage) plant(t *testing.T, w writer, as distrust, kind string,
	form func(writer, string) map[string]any, more string,
) string {
	t.Helper()
	record := form(w, more)
	id := s.complete(record, w)
	parsed, err := packet.Parse(encodedJSON(t, record), packet.Stored)
	if err != nil {
		t.Fatalf("%s: %v", w, err)
	}
	data := parsed.Encode()
	oid := s.object(t, "blob", data)
	if as.key != "" {
		oid = s.object(t, "tag", s.signed(t, as, id, oid, data))
	}
	fmt.Fprintf(&s.refs, "create refs/ltm/%s/%s %s\n", kind, id, oid)
	return id
}

// plantLoose makes an unsigned record in another form than the canonical one.
func (s *stage) plantLoose(t *testing.T, kind string, record map[string]any, w writer) {
	t.Helper()
	id := s.complete(record, w)
	fmt.Fprintf(&s.refs, "create refs/ltm/%s/%s %s\n", kind, id, s.object(t, "blob", encodedJSON(t, record)))
}

// signed is a tag object over a record.
func (s *stage) signed(t *testing.T, as distrust, id, oid string, data []byte) []byte {
	t.Helper()
	at := s.began.Unix()
	if as.key == "old" {
		at = 1_590_000_000
	}
	payload := fmt.Sprintf("object %s\ntype blob\ntag %s\ntagger %s <%s@example.com> %d +0000\n\nltm record %s\n\nLtm-Format: 1\nLtm-Digest: %s\nLtm-Store: %s\n",
		oid, id, as.key, as.key, at, id, digestOf(data), as.store)
	signature := keytest.SignSSH(t, s.keys[as.key], "git", []byte(payload))
	if as.broken {
		payload = strings.Replace(payload, " +0000\n", " +0100\n", 1)
	}
	return append([]byte(payload), signature...)
}

// object writes a loose object into the remote.
func (s *stage) object(t *testing.T, kind string, data []byte) string {
	t.Helper()
	whole := append(fmt.Appendf(nil, "%s %d\x00", kind, len(data)), data...)
	sum := sha1.Sum(whole)
	oid := hex.EncodeToString(sum[:])
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(whole)
	_ = w.Close()
	file := filepath.Join(s.remote, "objects", oid[:2], oid[2:])
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return oid
}

// ulidAt is the id of a moment, with a number in its last characters.
func ulidAt(at time.Time, n int) string {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	id := make([]byte, 26)
	for i, ms := 9, at.UnixMilli(); i >= 0; i, ms = i-1, ms>>5 {
		id[i] = digits[ms&31]
	}
	for i := 25; i >= 10; i, n = i-1, n>>5 {
		id[i] = digits[n&31]
	}
	return string(id)
}

// answers lets the owner speak of the stranger's records, and go on from one.
func (s *stage) answers(t *testing.T) {
	t.Helper()
	for what, do := range map[string]func(w writer) []string{
		"set": func(w writer) []string {
			return []string{"task", "set", s.others["task"], "--next", w.text("next")}
		},
		"digest": func(w writer) []string {
			return []string{"edit", s.others["pitfall"], "--digest", w.text("value"), "--why", w.text("why")}
		},
		"contradict": func(w writer) []string {
			return []string{"edit", s.others["preference"], "--wrong", "--why", w.text("why")}
		},
		"confirm": func(w writer) []string {
			return []string{"edit", s.others["fact"], "--confirm", "--why", w.text("why")}
		},
		"link": func(w writer) []string {
			return []string{
				"edit", s.others["procedure"], "--link", s.owned["fact"], "--label",
				w.text("value"), "--why", w.text("why"),
			}
		},
	} {
		w := s.owner("event ", what+" of a stranger's")
		args := do(w)
		if code, _, stderr := s.run(t.Context(), nil, args...); code != codeDone {
			s.seen[w.number] = true // It is refused where the record is withheld or unknown.
			t.Logf("%s ended with %d: %s", args[0], code, stderr)
		} else if what != "digest" && what != "link" {
			s.seen[w.number] = true
		}
	}
	w := s.owner("packet ", "that goes on from a stranger's")
	p := packetText(w)
	p["parent_id"] = s.others["packet"]
	if code, id, stderr := s.run(t.Context(), encodedJSON(t, p), "save", "-"); code == codeDone {
		s.owned["heir"] = strings.TrimSpace(id)
	} else {
		t.Logf("the save of what goes on from a stranger's ended with %d: %s", code, stderr)
		s.seen[w.number] = true
	}
}

// decoded tells whether a text is JSON.
func decoded(text string) bool {
	dec := json.NewDecoder(strings.NewReader(text))
	var v any
	return dec.Decode(&v) == nil
}
