package replay_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// A foldCase is a few events about the records A, B and C, and what they make of them. An event is written as
//
//	MINUTE EVENT TARGETS by RECORDS = VALUE
//
// and is called e1, e2 and so on. TARGETS and RECORDS have commas between them; what is not needed is left
// out.
type foldCase struct {
	name string
	acts []string
	want string // what is so, as tell says it
}

// The cases that a rule of SPEC.md names. SPEC,
//
func foldCases() []foldCase {
	return []foldCase{
		{"undo", []string{"1 retract A", "2 undo e1"}, ""},
		{"an undo of an undo", []string{"1 retract A", "2 undo e1", "3 undo e2"}, "A retracted"},
		{"an undo of an undo of an undo", []string{"1 retract A", "2 undo e1", "3 undo e2", "4 undo e3"}, ""},
		{"an undo of what comes later", []string{"1 undo e2", "2 retract A"}, "A retracted"},
		{"an undo of itself and of another", []string{"1 retract A", "2 undo e2,e1"}, ""},
		{
			"one undone uncovers the one before",
			[]string{"1 impact A = high", "2 impact A = low", "3 undo e2"},
			"A impact=high",
		},
		{
			"an undo of one of several votes",
			[]string{"1 contradict A", "2 confirm A", "3 undo e2"},
			"A contradicted sure=0.3500",
		},
		{"confirmed after contradicted", []string{"1 contradict A", "2 confirm A"}, "A sure=0.4475"},
		{
			"contradicted after confirmed",
			[]string{"1 confirm A", "2 contradict A"},
			"A contradicted sure=0.3725",
		},
		{"superseded", []string{"1 supersede A,B by C"}, "A<C B<C"},
		{"a chain", []string{"1 supersede A by B", "2 supersede B by C"}, "A<B B<C"},
		{"a circle of two", []string{"1 supersede A by B", "2 supersede B by A"}, "B<A"},
		{
			"a circle of three",
			[]string{"1 supersede A by B", "2 supersede B by C", "3 supersede C by A"},
			"A<B C<A",
		},
		{
			"a circle whose end is undone",
			[]string{"1 supersede A by B", "2 supersede B by A", "3 undo e2"},
			"A<B",
		},
		{"restored after superseded", []string{"1 supersede A by B", "2 restore A"}, ""},
		{"superseded after restored", []string{"1 restore A", "2 supersede A by B"}, "A<B"},
		{"superseded by nothing", []string{"1 supersede A by B", "2 supersede A"}, "A<B"},
		{
			"superseded by what is no id",
			[]string{"1 supersede A by B", "2 supersede A by own-id-of-a-packet"},
			"A<B",
		},
		{"superseded by a target", []string{"1 supersede A by B", "2 supersede A,B by B"}, "A<B"},
		{
			"superseded by the first that is no target",
			[]string{"1 supersede A,B by own-id-of-a-packet,B,C"},
			"A<C B<C",
		},
		{"consolidated", []string{"1 consolidate A,B by C"}, "A in C B in C"},
		{"consolidated into nothing", []string{"1 consolidate A by B", "2 consolidate A"}, "A in B"},
		{"consolidated into itself", []string{"1 consolidate A by A"}, ""},
		{
			"restored after consolidated and archived",
			[]string{"1 consolidate A by B", "2 archive A", "3 restore A"},
			"",
		},
		{"restoring opens nothing", []string{"1 close A", "2 retract A", "3 restore A"}, "A closed"},
		{"closed and opened", []string{"1 close A,B", "2 reopen B"}, "A closed"},
		{"ends at its own time", []string{"3 expire A"}, "A until=00:03"},
		{
			"ends at the last time that was said",
			[]string{"1 expire A until 9", "2 expire A until 7"},
			"A until=00:07",
		},
		{"restoring ends nothing later", []string{"1 expire A until 9", "2 restore A"}, "A until=00:09"},
		{"equal times, retracted last", []string{"1 restore A", "1 retract A"}, "A retracted"},
		{"equal times, restored last", []string{"1 retract A", "1 restore A"}, ""},
		{"an earlier event that came later", []string{"2 restore A", "1 retract A"}, ""},
		{"another zone", []string{"+1 retract A", "3 restore A"}, ""},
		{"critical by a stranger", []string{"1 impact A = high", "2 impact A = critical"}, "A impact=high"},
		{
			"an impact that is no word",
			[]string{"1 impact A = low", "2 impact A = Critical", "3 impact A"},
			"A impact=low",
		},
		{"a digest", []string{"1 digest A = short"}, "A digest=short"},
		{"a digest is taken back", []string{"1 digest A = short", "2 digest A"}, ""},
		{"links", []string{"1 link A by B,C = causes", "2 link A by A"}, "A--B:causes A--C:causes"},
		{
			"fields, the last of each",
			[]string{`1 set A = {"status":"active","priority":3}`, `2 set A = {"status":"paused"}`},
			"A set=paused,3,",
		},
		{"no fields", []string{
			`1 set A = {"priority":3}`, `2 set A = {"priority":11}`,
			`3 set A = {"priority":4,"text":"x"}`,
		}, "A set=,3,"},
		{
			"an empty field changes nothing",
			[]string{`1 set A = {"next_action":"call"}`, `2 set A = {"next_action":""}`},
			"A set=,,call",
		},
		{"what is not about records", []string{"1 allow A = v1:0123456789abcdef", "2 disallow A"}, ""},
	}
}

// TestMemory_fold_cases lets each case happen to records of its own, in one repository.
func TestMemory_fold_cases(t *testing.T) {
	t.Parallel()
	s := shelf{gittest.Repo(t, gittest.Plain), t}
	texts := map[string]string{}
	for n, c := range foldCases() {
		for _, letter := range []string{"A", "B", "C"} {
			texts["refs/ltm/notes/"+caseID(n, letter)] = foldRecord("notes", caseID(n, letter))
		}
		s.happen(c.events(t, n), "refs/ltm")
	}
	s.keep(texts)
	lives := s.lives()
	for n, c := range foldCases() {
		var got []string
		for _, letter := range []string{"A", "B", "C"} {
			got = append(got, tell(letter, lives[caseID(n, letter)], n)...)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %q become %q, want %q", c.name, c.acts, got, c.want)
		}
	}
}

// caseID is the id of a record or an event of a case.
func caseID(n int, name string) string {
	return fmt.Sprintf("01JDMB4W1Y%014d%s", n, strings.ToUpper(name + "0")[:2])
}

// events reads the events of a case.
func (c foldCase) events(t *testing.T, n int) []act {
	t.Helper()
	id := func(names string) []string {
		var all []string
		for name := range strings.SplitSeq(names, ",") {
			if len(name) < 3 {
				name = caseID(n, name)
			}
			all = append(all, name)
		}
		return all
	}
	acts := make([]act, len(c.acts))
	for i, text := range c.acts {
		text, value, _ := strings.Cut(text, " = ")
		words := strings.Fields(text)
		a := act{
			Type: "event", ID: caseID(n, fmt.Sprintf("E%d", i+1)), At: minute(words[0]), Event: words[1],
			Targets: id(words[2]), Value: value,
		}
		if len(words) == 5 && words[3] == "by" {
			a.By = id(words[4])
		}
		if len(words) == 5 && words[3] == "until" {
			a.Until = minute(words[4])
		}
		acts[i] = a
	}
	return acts
}

// minute is a time of the tests; one that begins with + is written two hours east.
func minute(word string) string {
	if east, ok := strings.CutPrefix(word, "+"); ok {
		return "2026-01-01T02:0" + east + ":00+02:00"
	}
	return "2026-01-01T00:0" + word + ":00Z"
}

// tell says in a few words what became of a record of a case.
func tell(letter string, s shown, n int) []string {
	name := func(id string) string {
		return strings.TrimSuffix(strings.TrimPrefix(id, caseID(n, letter)[:24]), "0")
	}
	var all []string
	for _, is := range []struct {
		so   bool
		said string
	}{
		{s.Retracted, letter + " retracted"},
		{s.Superseded != "", letter + "<" + name(s.Superseded)},
		{s.Consolidated != "", letter + " in " + name(s.Consolidated)},
		{s.Archived, letter + " archived"},
		{s.Closed, letter + " closed"},
		{s.Impact != "", letter + " impact=" + s.Impact},
		{s.Digest != "", letter + " digest=" + s.Digest},
		{s.Contradicted, letter + " contradicted sure=" + s.Confidence[:6]},
		{!s.Contradicted && s.Confidence != "0.700000000", letter + " sure=" + s.Confidence[:6]},
	} {
		if is.so {
			all = append(all, is.said)
		}
	}
	if _, clock, ok := strings.Cut(s.Until, "T"); ok {
		all = append(all, letter+" until="+clock[:5])
	}
	for _, link := range s.Links {
		id, label, _ := strings.Cut(link, " ")
		all = append(all, letter+"--"+name(id)+":"+label)
	}
	if s.Set != (packet.Change{}) {
		priority := ""
		if s.Set.Priority != nil {
			priority = strconv.Itoa(*s.Set.Priority)
		}
		all = append(all, letter+" set="+s.Set.Status+","+priority+","+s.Set.NextAction)
	}
	return all
}

// TestMemory_fold_signed lets a stranger speak of a note that a trusted key signed and of one that nobody
// did, and then those who count. SPEC.
func TestMemory_fold_signed(t *testing.T) {
	t.Parallel()
	s := shelf{gittest.Repo(t, gittest.Plain), t}
	key, public := keytest.SSHKey(t, "ed25519", "ada")
	allowed := filepath.Join(t.TempDir(), "allowed")
	if err := os.WriteFile(allowed, []byte("ada@example.com "+public+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"gpg.format": "ssh", "user.signingKey": key,
		"gpg.ssh.allowedSignersFile": allowed, "ltm.sign": "required",
	} {
		s.Git("config", name, value)
	}
	const signed, plain = "01JDMB4W1YNJZQR7K8F3A2H5P1", "01JDMB4W1YNJZQR7K8F3A2H5P4"
	ours := s.open()
	if _, err := ours.SaveSmall(t.Context(),
		gate.SaveRequest{Data: []byte(foldRecord("notes", signed))}); err != nil {
		t.Fatal(err)
	}
	s.keep(map[string]string{"refs/ltm/notes/" + plain: foldRecord("notes", plain)})
	archived, err := ours.Happen(t.Context(), gate.Happen{Event: "archive", Targets: []string{signed}})
	if err != nil {
		t.Fatal(err)
	}

	// The stranger's events are later than all others.
	var acts []act
	for i, text := range []string{"retract", "close", "digest", "impact", "set", "supersede", "undo"} {
		a := act{
			Type: "event", ID: fmt.Sprintf("01JDMX%020d", i), At: "2026-02-01T00:00:00Z", Event: text,
			Targets: []string{signed, plain}, By: []string{"01JDMB4W1YNJZQR7K8F3A2H5P7"},
			Value: map[string]string{"digest": "d", "impact": "critical", "set": `{"priority":1}`}[text],
		}
		if text == "undo" {
			a.Targets = []string{string(archived.Event)}
		}
		acts = append(acts, a)
	}
	s.happen(acts, "refs/ltm")
	lives := s.lives()
	if want := (shown{Archived: true, Confidence: "0.700000000"}); !same(lives[signed], want) {
		t.Errorf("a stranger made of what a trusted key signed %+v, want %+v", lives[signed], want)
	}
	if got := lives[plain]; !got.Retracted || !got.Closed || got.Digest != "d" || got.Superseded == "" ||
		got.Set.Priority == nil || got.Impact != "" {
		t.Errorf("a stranger made of what nobody signed %+v, want all but the impact", got)
	}

	if _, err := s.open().Happen(t.Context(),
		gate.Happen{Event: "impact", Targets: []string{signed}, Value: "critical"}); err != nil {
		t.Fatal(err)
	}
	if got := s.lives()[signed].Impact; got != "critical" {
		t.Errorf("the impact that a trusted key signed is %q, want critical", got)
	}
}

// TestMemory_fold_claims lets a stranger speak of a note that this clone made: what bears text is a claim, of
// which the newest are kept, and what hides it counts. SPEC.
func TestMemory_fold_claims(t *testing.T) {
	t.Parallel()
	s := shelf{gittest.Repo(t, gittest.Plain), t}
	made, err := s.open().SaveSmall(t.Context(),
		gate.SaveRequest{Data: []byte(`{"type":"note","kind":"task","text":"t"}`)})
	if err != nil {
		t.Fatal(err)
	}
	id := string(made.ID)
	if _, err := s.open().Happen(t.Context(),
		gate.Happen{Event: "digest", Targets: []string{id}, Value: "ours"}); err != nil {
		t.Fatal(err)
	}
	kinds := []string{"digest", "set", "link", "impact", "confirm", "contradict"}
	var acts []act
	for i := range 40 {
		acts = append(acts, act{
			Type: "event", ID: fmt.Sprintf("01JDMX%020d", i), At: fmt.Sprintf("2031-01-01T00:00:%02dZ", i),
			Event: kinds[i%len(kinds)], Targets: []string{id},
			By: []string{"01JDMB4W1YNJZQR7K8F3A2H5P7"},
			Value: map[string]string{
				"digest": "theirs", "impact": "low",
				"set": `{"status":"paused"}`,
			}[kinds[i%len(kinds)]],
		})
	}
	s.happen(append(acts,
		act{
			Type: "event", ID: "01JDMW00000000000000000000", At: "2030-12-31T00:00:00Z", Event: "close",
			Targets: []string{id},
		}), "refs/ltm", "refs/ltm-remotes/origin")
	e, err := s.open().FindAny(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	got := show(e.Life)
	if want := (shown{Closed: true, Digest: "ours", Confidence: "0.700000000"}); !same(got, want) {
		t.Errorf("a stranger made of what this clone made %+v, want %+v", got, want)
	}
	if n := len(e.Life.Claims); n != 32 || e.Life.ClaimsLeft != 8 ||
		e.Life.Claims[31].Event != kinds[39%len(kinds)] {
		t.Errorf("%d claims and %d left out, want the newest 32 of 40", n, e.Life.ClaimsLeft)
	}
	if ours, theirs := e.Life.Digest.Origin(), e.Life.Claims[0].Value.Origin(); !ours.Trusted ||
		theirs.Trusted {
		t.Errorf("the digest is from %+v and the claim from %+v", ours, theirs)
	}
}

func same(a, b shown) bool {
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}

// TestMemory_fold_local says that what this clone says counts, also where nobody signs, and that no undo
// brings back what was purged. SPEC.
func TestMemory_fold_local(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	const one, two = "01JDMB4W1YNJZQR7K8F3A2H5P1", "01JDMB4W1YNJZQR7K8F3A2H5P4"
	if _, err := s.open().Happen(t.Context(),
		gate.Happen{Event: "impact", Targets: []string{one}, Value: "critical"}); err != nil {
		t.Fatal(err)
	}
	if got := s.lives()[one].Impact; got != "critical" {
		t.Errorf("the impact that this clone gave is %q, want critical", got)
	}
	s.happen([]act{
		{Type: "event", ID: caseID(0, "E1"), At: minute("1"), Event: "purge", Targets: []string{two}},
		{
			Type: "event", ID: caseID(0, "E2"), At: minute("2"), Event: "undo",
			Targets: []string{caseID(0, "E1")},
		},
	}, "refs/ltm")
	if _, there := s.lives()[two]; there {
		t.Error("an undo brought back what was purged")
	}
	_, err := s.open().Happen(t.Context(), gate.Happen{Event: "undo", Targets: []string{caseID(0, "E1")}})
	if !errors.Is(err, replay.ErrTombstone) {
		t.Errorf("undoing a purge is answered with %v, want %v", err, replay.ErrTombstone)
	}
}

// TestMemory_Happen_later says that what is said later counts, also where the clock of whoever spoke before
// runs ahead. SPEC.
func TestMemory_Happen_later(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	const id = "01JDMB4W1YNJZQR7K8F3A2H5P1"
	s.happen([]act{{
		Type: "event", ID: caseID(0, "E1"), At: "2031-01-01T00:00:00Z", Event: "supersede",
		Targets: []string{id}, By: []string{"01JDMB4W1YNJZQR7K8F3A2H5P4"},
	}}, "refs/ltm")
	if s.lives()[id].Superseded == "" {
		t.Fatal("an event of a time to come does not count")
	}
	m := s.open()
	if _, err := m.Happen(t.Context(), gate.Happen{Event: "restore", Targets: []string{id}}); err != nil {
		t.Fatal(err)
	}
	if got := s.lives()[id].Superseded; got != "" {
		t.Errorf("%s has its place after it was restored", got)
	}
	history, err := m.History(t.Context(), id)
	if err != nil || len(history) != 2 {
		t.Fatalf("history: %d events and %v", len(history), err)
	}
	if at := history[1].Event().CreatedAt; !at.After(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("the later event says that it is of %s", at)
	}
}

// TestMemory_fold_chains lets a stranger say of many records that each takes the place of another one, in
// chains that grow at their beginning. What follows them to the end at every event does not come back from
// it. SPEC.
func TestMemory_fold_chains(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	const events, last = 1000, "01JDMB4W1YNJZQR7K8F3A2H5P1"
	name := func(kind string, n int) string { return fmt.Sprintf("01JDM%s%020d", kind, n) }
	var acts []act
	for i := range events {
		a := act{
			Type: "event", ID: name("X", i), At: minute("1"), Event: "supersede",
			Targets: []string{name("Y", i)}, By: []string{name("Y", i-1)},
		}
		if i == 0 {
			a.By[0] = last
		}
		for k := range 63 {
			a.Targets = append(a.Targets, name("Z", 100*i+k))
		}
		acts = append(acts, a)
	}
	// A circle of 64 records at the end of the chain is opened all the same.
	acts = append(acts, act{
		Type: "event", ID: name("X", events), At: minute("2"), Event: "supersede",
		Targets: []string{last}, By: []string{name("Y", 62)},
	})
	s.happen(acts, "refs/ltm")
	if got := s.lives()[last].Superseded; got != name("Y", 62) {
		t.Errorf("the place of the last record has %q, want what was said last", got)
	}
	some := append(slices.Clone(acts[:63]), acts[events:]...)
	g, err := s.open().Glance(t.Context(), nil, only(some))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"", name("Y", 0), name("Y", 1)} {
		if life, _ := g.Life(packet.ID(name("Y", n))); string(life.Superseded) != want {
			t.Errorf("record %d of the chain has %q in its place, want %q", n, life.Superseded, want)
		}
	}
}
