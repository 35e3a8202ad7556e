package replay_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// An act is an event as a test writes it.
type act struct {
	Type    string   `json:"type"`
	ID      string   `json:"id"`
	At      string   `json:"created_at"`
	Event   string   `json:"event"`
	Targets []string `json:"targets"`
	By      []string `json:"by,omitempty"`
	Value   string   `json:"value,omitempty"`
	Until   string   `json:"expires_at,omitempty"`
}

// foldNow is the time at which the tests of the fold ask.
func foldNow() time.Time { return time.Date(2026, 1, 1, 0, 6, 0, 0, time.UTC) }

// A shown is a life as it can be compared.
type shown struct {
	Retracted, Archived, Closed, Contradicted, Expired bool
	By, Superseded, Consolidated                       string
	Until, Confirmed, Impact, Digest, Confidence       string
	Set                                                packet.Change
	Links                                              []string
}

func show(l replay.Life) shown {
	s := shown{
		Retracted: l.Retracted, Archived: l.Archived, Closed: l.Closed, Contradicted: l.Contradicted,
		Expired: l.Expired,
		By:      string(l.By), Superseded: string(l.Superseded), Consolidated: string(l.Consolidated),
		Until: moment(l.Until), Confirmed: moment(l.Confirmed), Impact: l.Impact, Digest: asked(l.Digest),
		Confidence: strconv.FormatFloat(l.Confidence(0.7), 'f', 9, 64), Set: replay.SetBy(l),
	}
	for _, link := range l.Links {
		s.Links = append(s.Links, string(link.ID)+" "+asked(link.Label))
	}
	return s
}

// asked is a text for those who ask.
func asked(t provenance.Text) string {
	text, _ := t.For(replay.Asked)
	return text
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// foldRecords are three packets, three notes and three skips: by id, the kind of ref under which each lies.
func foldRecords() map[string]string {
	kinds := map[string]string{}
	for i := range 9 {
		kinds[fmt.Sprintf("01JDMB4W1YNJZQR7K8F3A2H5P%d", i)] = []string{"packets", "notes", "skips"}[i%3]
	}
	return kinds
}

// skipEnds is when the skips of foldRecords end of themselves.
const skipEnds = "2026-01-01T00:05:00Z"

func foldRecord(kind, id string) string {
	switch kind {
	case "notes":
		return fmt.Sprintf(`{"type":"note","id":%q,"created_at":"2026-01-01T00:00:00Z","kind":"task","text":"t"}`, id)
	case "skips":
		return fmt.Sprintf(`{"type":"skip","id":%q,"created_at":"2026-01-01T00:00:00Z","item":"i","reason":"r","expires_at":%q}`, id, skipEnds)
	default:
		return fmt.Sprintf(`{"ltm_version":"0.3","id":%q,"created_at":"2026-01-01T00:00:00Z","goal":"g","next_step":"n"}`, id)
	}
}

// A shelf is a repository that tests of the fold fill with git alone.
type shelf struct {
	*gittest.Repository

	t *testing.T
}

func newShelf(t *testing.T) shelf {
	t.Helper()
	s := shelf{gittest.Repo(t, gittest.Plain), t}
	texts := map[string]string{}
	for id, kind := range foldRecords() {
		texts["refs/ltm/"+kind+"/"+id] = foldRecord(kind, id)
	}
	s.keep(texts)
	return s
}

// keep stores texts under refs, in two calls of git.
func (s shelf) keep(texts map[string]string) {
	s.t.Helper()
	dir := s.t.TempDir()
	names := slices.Sorted(maps.Keys(texts))
	var paths, moves strings.Builder
	for i, name := range names {
		path := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(path, []byte(texts[name]), 0o600); err != nil {
			s.t.Fatal(err)
		}
		paths.WriteString(path + "\n")
	}
	blobs := strings.Fields(s.Feed(paths.String(), "hash-object", "-w", "--stdin-paths"))
	for i, name := range names {
		fmt.Fprintf(&moves, "update %s %s\n", name, blobs[i])
	}
	s.Feed(moves.String(), "update-ref", "--stdin")
}

// happen stores events, each below one of the places.
func (s shelf) happen(acts []act, places ...string) {
	s.t.Helper()
	texts := map[string]string{}
	for i, a := range acts {
		text, err := json.Marshal(a)
		if err != nil {
			s.t.Fatal(err)
		}
		rec, err := packet.Parse(text, packet.Stored)
		if err != nil {
			s.t.Fatal(err)
		}
		texts[places[i%len(places)]+"/events/"+a.ID] = string(rec.Encode())
	}
	s.keep(texts)
}

// open opens the memory at the time of the tests.
func (s shelf) open() *memory.Memory {
	s.t.Helper()
	m, err := memory.Open(s.t.Context(),
		memory.Options{Dir: s.Dir, Env: s.Env, Now: foldNow, Entropy: rand.Reader})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = m.Close() })
	return m
}

// lives reads what became of each record.
func (s shelf) lives() map[string]shown {
	s.t.Helper()
	m := s.open()
	all := map[string]shown{}
	for _, kind := range []packet.Kind{packet.KindPacket, packet.KindNote, packet.KindSkip} {
		for e, err := range m.List(s.t.Context(), replay.Query{Kind: kind, Hidden: true}) {
			if err != nil {
				s.t.Fatal(err)
			}
			all[string(e.ID)] = show(e.Life)
		}
	}
	if skipped := m.Skipped(); len(skipped) > 0 {
		s.t.Errorf("skipped %v", skipped)
	}
	return all
}

// refsOf are the full names of events of this clone.
func refsOf(acts []act) []string {
	names := make([]string, len(acts))
	for i, a := range acts {
		names[i] = "refs/ltm/events/" + a.ID
	}
	return names
}

// only finds some events, whatever is asked.
func only(acts []act) func(context.Context, []string) ([]string, error) {
	return func(context.Context, []string) ([]string, error) { return refsOf(acts), nil }
}

// glanced is what a reader makes of some events who looks at no others.
func (s shelf) glanced(acts []act) map[string]shown {
	s.t.Helper()
	g, err := s.open().Glance(s.t.Context(), nil, only(acts))
	if err != nil {
		s.t.Fatal(err)
	}
	all := map[string]shown{}
	for id := range foldRecords() {
		life, _ := g.Life(packet.ID(id))
		all[id] = show(life)
	}
	return all
}

// TestMemory_fold compares what became of records in two repositories that got the same events in different
// orders and at different places, and what a second writing of the rules says. SPEC,
//
func TestMemory_fold(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			random := mathrand.New(mathrand.NewPCG(seed, 11))
			acts := randomActs(random, 240)
			one, two := newShelf(t), newShelf(t)
			first, second := slices.Clone(acts), slices.Clone(acts)
			random.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
			random.Shuffle(len(second), func(i, j int) { second[i], second[j] = second[j], second[i] })
			for at := 0; at < len(acts); at += 80 {
				one.happen(first[at:at+80], "refs/ltm")
				two.happen(second[at:at+80], "refs/ltm", "refs/ltm-remotes/origin")
				if diff := gocmp.Diff(foretell(first[:at+80]), one.lives()); diff != "" {
					t.Errorf("after %d events (-the rules +the memory):\n%s", at+80, diff)
				}
			}
			if diff := gocmp.Diff(one.lives(), two.lives()); diff != "" {
				t.Errorf("the order of arrival counts (-one +other):\n%s", diff)
			}
			if diff := gocmp.Diff(withoutExpiry(one.lives()), one.glanced(second)); diff != "" {
				t.Errorf("a glance differs (-list +glance):\n%s", diff)
			}
		})
	}
}

// withoutExpiry leaves out what only a look at the record itself tells.
func withoutExpiry(all map[string]shown) map[string]shown {
	for id, s := range all {
		s.Expired = false
		all[id] = s
	}
	return all
}

// randomActs makes events of all kinds but purges, about few records and at few moments, so that they meet.
func randomActs(random *mathrand.Rand, n int) []act {
	records := slices.Sorted(maps.Keys(foldRecords()))
	kinds := []string{
		"supersede", "supersede", "expire", "archive", "restore", "confirm", "contradict", "impact", "link",
		"consolidate",
		"close", "reopen", "set", "set", "retract", "undo", "undo", "undo", "allow", "disallow", "digest",
	}
	values := map[string][]string{
		"impact": {"", "low", "medium", "high", "critical", "High"},
		"link":   {"", "causes", "see also"},
		"digest": {"", "short", "shorter"},
		"set": {
			`{"status":"paused"}`, `{"status":"completed"}`, `{"status":"active","priority":0}`,
			`{"priority":7}`, `{"next_action":"call"}`, `{"next_action":""}`,
			`{"category":"waiting_for","next_action":"wait"}`, `{"status":"gone","priority":3}`,
			`{"text":"other"}`, `no`, ``, `[]`,
		},
	}
	acts := make([]act, n)
	for i := range acts {
		a := act{
			Type: "event", ID: fmt.Sprintf("01JDMX%020d", random.IntN(1<<30)*n+i),
			Event: kinds[random.IntN(len(kinds))],
		}
		a.At = time.Date(2026, 1, 1, 0, random.IntN(12), 0, 0, time.UTC).Format(time.RFC3339)
		if of := values[a.Event]; of != nil {
			a.Value = of[random.IntN(len(of))]
		}
		if a.Event == "expire" && random.IntN(3) > 0 {
			a.Until = time.Date(2026, 1, 1, 0, random.IntN(12), 0, 0, time.UTC).Format(time.RFC3339)
		}
		for range 1 + random.IntN(2) {
			a.Targets = append(a.Targets, records[random.IntN(len(records))])
		}
		if random.IntN(4) > 0 {
			a.By = append(a.By, records[random.IntN(len(records))], records[random.IntN(len(records))])
		}
		acts[i] = a
	}
	for i := range acts { // An undo names events, earlier and later ones.
		for j := range acts[i].Targets {
			if acts[i].Event == "undo" {
				acts[i].Targets[j] = acts[random.IntN(n)].ID
			}
		}
	}
	return acts
}

// foretell says what becomes of the records, by the rules of section 11 written once more: as questions about
// the events that count, where the memory goes through them once.
func foretell(acts []act) map[string]shown {
	in := slices.Clone(acts)
	slices.SortFunc(in, func(a, b act) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID))
	})
	var counting []act
	for i := range in {
		if !takenBack(in, i) {
			counting = append(counting, in[i])
		}
	}
	places := followed(counting)
	all := map[string]shown{}
	for id, kind := range foldRecords() {
		s := foretold(id, counting)
		s.Superseded = places[id]
		until := s.Until
		if until == "" && kind == "skips" {
			until = skipEnds
		}
		s.Expired = until != "" && until <= moment(foldNow())
		all[id] = s
	}
	return all
}

// takenBack tells whether a later event that counts takes an event back.
func takenBack(in []act, i int) bool {
	for j := i + 1; j < len(in); j++ {
		if in[j].Event == "undo" && slices.Contains(in[j].Targets, in[i].ID) && !takenBack(in, j) {
			return true
		}
	}
	return false
}

// followed says which record has the place of which.
func followed(counting []act) map[string]string {
	places := map[string]string{}
	for _, a := range counting {
		for _, id := range a.Targets {
			switch rest := beside(a); {
			case a.Event == "restore":
				delete(places, id)
			case a.Event == "supersede" && len(rest) > 0:
				places[id] = rest[0]
				for at, next := range maps.Clone(places) {
					if next == id && leads(places, rest[0], at) {
						delete(places, at)
					}
				}
			}
		}
	}
	return places
}

// leads tells whether one comes to a record from another one.
func leads(places map[string]string, from, to string) bool {
	for range len(places) + 1 {
		if from == to {
			return true
		}
		from = places[from]
	}
	return false
}

func beside(a act) []string {
	return slices.DeleteFunc(slices.Clone(a.By), func(id string) bool {
		return slices.Contains(a.Targets, id)
	})
}

// foretold answers all other questions about a record.
func foretold(id string, counting []act) shown {
	about := map[string][]act{}
	var votes []string
	for _, a := range counting {
		for _, target := range a.Targets { // One that is named twice is spoken of twice.
			if target == id {
				about[a.Event] = append(about[a.Event], a)
				about["retract restore"] = append(about["retract restore"],
					appendIf(nil, a, "retract", "restore")...)
				about["archive restore"] = append(about["archive restore"],
					appendIf(nil, a, "archive", "restore")...)
				about["close reopen"] = append(about["close reopen"],
					appendIf(nil, ending(a), "close", "reopen")...)
				if a.Event == "consolidate" && len(beside(a)) > 0 || a.Event == "restore" {
					about["joined"] = append(about["joined"], a)
				}
				if a.Event == "confirm" || a.Event == "contradict" {
					votes = append(votes, a.Event)
				}
			}
		}
	}
	last := func(kind string) act {
		if of := about[kind]; len(of) > 0 {
			return of[len(of)-1]
		}
		return act{}
	}
	s := shown{
		Retracted: last("retract restore").Event == "retract", By: last("retract restore").ID,
		Archived: last("archive restore").Event == "archive", Closed: last("close reopen").Event == "close",
		Contradicted: len(votes) > 0 && votes[len(votes)-1] == "contradict", Confirmed: last("confirm").At,
		Until: cmp.Or(last("expire").Until, last("expire").At), Digest: last("digest").Value,
	}
	if joined := last("joined"); joined.Event == "consolidate" {
		s.Consolidated = beside(joined)[0]
	}
	for _, a := range about["link"] {
		for _, other := range beside(a) {
			s.Links = append(s.Links, other+" "+a.Value)
		}
	}
	for _, a := range about["impact"] {
		if a.Value == "low" || a.Value == "medium" || a.Value == "high" { // Nobody vouches for these events.
			s.Impact = a.Value
		}
	}
	s.Confidence = strconv.FormatFloat(confidence(votes), 'f', 9, 64)
	s.Set = tasked(about["set"])
	return s
}

// ending is an event that sets the status of a task as the one that closes or reopens it.
func ending(a act) act {
	if a.Event == "set" {
		switch tasked([]act{a}).Status {
		case "":
		case "completed":
			a.Event = "close"
		default:
			a.Event = "reopen"
		}
	}
	return a
}

func appendIf(all []act, a act, kinds ...string) []act {
	if slices.Contains(kinds, a.Event) {
		return append(all, a)
	}
	return all
}

// confidence is what is left of 0.7.
func confidence(votes []string) float64 {
	c := 0.7
	for _, v := range votes {
		if v == "confirm" {
			c = 1 - 0.85*(1-c)
		} else {
			c /= 2
		}
	}
	return c
}

// tasked is what the values of randomActs make of a task.
func tasked(all []act) packet.Change {
	var c packet.Change
	for _, a := range all {
		switch a.Value {
		case `{"status":"paused"}`:
			c.Status = "paused"
		case `{"status":"active","priority":0}`:
			c.Status, c.Priority = "active", new(0)
		case `{"status":"completed"}`:
			c.Status = "completed"
		case `{"priority":7}`:
			c.Priority = new(7)
		case `{"next_action":"call"}`:
			c.NextAction = "call"
		case `{"category":"waiting_for","next_action":"wait"}`:
			c.Category, c.NextAction = "waiting_for", "wait"
		}
	}
	return c
}
