package packet_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/packet/packettest"
)

// FuzzParse holds what is true of every record that is accepted.
func FuzzParse(f *testing.F) {
	for _, name := range vectorNames(f, "valid", 1) {
		f.Add(vector(f, "valid", name+".json"))
	}
	for _, c := range slices.Concat(packettest.Hostile(), packettest.HostileSmall()) {
		f.Add(c.JSON)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := packet.Parse(data, packet.Stored)
		if err != nil {
			problemLines(t, err)
			return
		}
		if !json.Valid(data) {
			t.Fatal("accepted what encoding/json does not")
		}
		checkFixedPoint(t, r)
		encoded := r.Encode()
		if len(encoded) > bounds[r.Kind()] {
			t.Errorf("the encoding is %d bytes, over its bound", len(encoded))
		}
		if i := bytes.IndexFunc(encoded, isControl); i >= 0 {
			t.Errorf("the encoding has a control character at byte %d", i)
		}
		checkDoubles(t, json.NewDecoder(bytes.NewReader(data)))
		checkMeaning(t, data, encoded, r)
		checkPlaces(t, r)
	})
}

// bounds are the most bytes of the encoding, by kind.
var bounds = map[packet.Kind]int{
	packet.KindPacket: packet.MaxPacket, packet.KindNote: packet.MaxSmall, packet.KindSkip: packet.MaxSmall,
	packet.KindEvent: packet.MaxSmall,
}

func isControl(r rune) bool { return r != '\n' && (r < ' ' || r >= 0x7F && r < 0xA0) }

// checkDoubles reads one value and finds members that appear twice, as another
// tokeniser sees them.
func checkDoubles(t *testing.T, d *json.Decoder) {
	t.Helper()
	d.UseNumber()
	token, err := d.Token()
	if err != nil {
		t.Fatalf("encoding/json: %v", err)
	}
	open, ok := token.(json.Delim)
	if !ok {
		return
	}
	names := map[string]bool{}
	for d.More() {
		if open == '{' {
			token, err := d.Token()
			if err != nil {
				t.Fatalf("encoding/json: %v", err)
			}
			name := fmt.Sprint(token)
			if names[name] {
				t.Errorf("accepted the member %q twice", name)
			}
			names[name] = true
		}
		checkDoubles(t, d)
	}
	if _, err := d.Token(); err != nil {
		t.Fatalf("encoding/json: %v", err)
	}
}

// checkMeaning holds that the encoding says what the input said, but for the
// optional members that say nothing.
func checkMeaning(t *testing.T, data, encoded []byte, r *packet.Record) {
	t.Helper()
	read := func(data []byte) map[string]any {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var v map[string]any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("encoding/json: %v", err)
		}
		return v
	}
	before, after := read(data), read(encoded)
	for name, value := range after {
		if old, ok := before[name]; !ok {
			t.Errorf("the encoding has a member %q that the input has not", name)
		} else if _, ok := value.(string); ok && old != value {
			t.Errorf("member %q changed from %q to %q", name, old, value)
		}
	}
	again, err := packet.Parse(encoded, packet.Stored)
	if err != nil {
		t.Fatalf("Parse of Encode: %v", err)
	}
	if diff := cmp.Diff(viewsOf(r), viewsOf(again)); diff != "" {
		t.Errorf("a view changed (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(r.Unknown(), again.Unknown()); diff != "" {
		t.Errorf("the unknown members changed (-before +after):\n%s", diff)
	}
}

// FuzzParseChange holds that a change that is accepted can be written, means the
// same then, and can do no harm where it is shown.
func FuzzParseChange(f *testing.F) {
	for _, value := range []string{
		"{}", `{"status": "paused", "priority": 3, "next_action": "a\n\u00e9", "category": "waiting_for"}`,
		`{"Status":"x"}`, `{"next_action":"\u009b"}`,
	} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		change, err := packet.ParseChange(value)
		if err != nil {
			problemLines(t, err)
			return
		}
		if !json.Valid([]byte(value)) {
			t.Fatal("accepted what encoding/json does not")
		}
		if i := strings.IndexFunc(change.NextAction, isControl); i >= 0 && change.NextAction[i] != '\t' {
			t.Errorf("the next action has a control character at byte %d", i)
		}
		text, err := change.Value()
		if err != nil {
			t.Fatalf("Value: %v", err)
		}
		back, err := packet.ParseChange(text)
		if err != nil {
			t.Fatalf("ParseChange of Value: %v", err)
		}
		if diff := cmp.Diff(change, back); diff != "" {
			t.Errorf("the change changed (-before +after):\n%s", diff)
		}
	})
}

// viewsOf returns every view of a record, also those of other kinds.
func viewsOf(r *packet.Record) []any {
	return []any{r.Packet(), r.Note(), r.Skip(), r.Event(), r.Content()}
}

// FuzzEncode holds that a record has one encoding, in whatever order and
// spelling its members come.
// SPEC.
func FuzzEncode(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, seed+1, "goal")
	}
	f.Fuzz(func(t *testing.T, seed, shuffle uint64, name string) {
		trees := []func(*rand.Rand, string) map[string]any{randomTree, randomNote, randomSkip}
		tree := trees[seed%3](rand.New(rand.NewPCG(seed, 0)), name)
		first := spell(tree, rand.New(rand.NewPCG(shuffle, 1)))
		second := spell(tree, rand.New(rand.NewPCG(shuffle, 2)))
		a, errA := packet.Parse([]byte(first), packet.Stored)
		b, errB := packet.Parse([]byte(second), packet.Stored)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("the order decides whether it is accepted: %v and %v", errA, errB)
		}
		if errA != nil {
			return
		}
		if diff := cmp.Diff(string(a.Encode()), string(b.Encode())); diff != "" {
			t.Errorf("two encodings of one record (-first +second):\n%s", diff)
		}
		if diff := cmp.Diff(viewsOf(a), viewsOf(b)); diff != "" {
			t.Errorf("two meanings of one record (-first +second):\n%s", diff)
		}
		checkPlaces(t, a)
	})
}

// randomTree returns a packet with known members, empty and not, and strangers.
func randomTree(r *rand.Rand, name string) map[string]any {
	texts := []any{"", "a", "é\n\t\"\\</>", "\u2028", name}
	pick := func() any { return texts[r.IntN(len(texts))] }
	tree := map[string]any{
		"ltm_version": "0.3", "id": "0123456789", "created_at": "2024-10-12T08:30:00Z", "goal": "g" + name,
		"next_step": "n",
	}
	optional := map[string]any{
		"project":     map[string]any{"name": pick(), "ref": pick()},
		"constraints": []any{pick(), pick()},
		"decisions": []any{map[string]any{
			"what": pick(), "why": pick(), "locked": r.IntN(2) == 0,
			name: pick(),
		}},
		"tags":       []any{},
		"provenance": map[string]any{"agent": pick(), "model": pick(), name: map[string]any{}},
		"anchor":     map[string]any{"dirty": r.IntN(2) == 0},
		"cites":      []any{map[string]any{"path": "p", "note": pick(), "line": json.Number("3")}},
		"scan":       map[string]any{"masked": json.Number("0"), "overridden": []any{}},
		name: []any{
			nil, true, json.Number("1.50"),
			map[string]any{"b": pick(), "a": []any{}, name: map[string]any{}},
		},
	}
	return someOf(optional, tree, r)
}

// someOf adds about half of the members to the tree, but those that it has.
func someOf(optional, tree map[string]any, r *rand.Rand) map[string]any {
	for _, member := range slices.Sorted(maps.Keys(optional)) {
		if _, taken := tree[member]; !taken && r.IntN(2) == 0 {
			tree[member] = optional[member]
		}
	}
	return tree
}

// randomNote returns a note with known members, empty and not, and strangers.
func randomNote(r *rand.Rand, name string) map[string]any {
	texts := []any{"", "a", "é\n\t\"\\</>", name}
	pick := func() any { return texts[r.IntN(len(texts))] }
	kinds := packet.NoteKinds()
	return someOf(map[string]any{
		"why": pick(), "next_action": pick(), "topic": "a/b_c", "tags": []any{"t"}, "impact": "high",
		"status":   "paused",
		"priority": json.Number("0"), "links": []any{"0123456789", "0123456789"},
		"cites":  []any{map[string]any{"path": "p", name: pick()}},
		"anchor": map[string]any{"dirty": false}, "provenance": map[string]any{"agent": pick(), name: nil},
		name: []any{pick()},
	}, map[string]any{
		"type": "note", "id": "01J9ZQ4M8T3V5X7Y9A1C3E5G7N", "created_at": "2024-10-13T08:30:00Z",
		"kind": kinds[r.IntN(len(kinds))], "text": "t" + name,
	}, r)
}

// randomSkip returns a skip with known members, empty and not, and strangers.
func randomSkip(r *rand.Rand, name string) map[string]any {
	match := someOf(map[string]any{"words": "w" + name, "path": "a/**", "command": "rm", name: nil},
		map[string]any{}, r)
	return someOf(map[string]any{
		"match": match, "tags": []any{}, "cites": []any{map[string]any{"path": "p", "note": name}},
		"origin": "user",
		"scan":   map[string]any{"masked": json.Number("0")}, name: map[string]any{"b": name, "a": []any{}},
	}, map[string]any{
		"type": "skip", "id": "01J9ZQ4M8T3V5X7Y9A1C3E5G7S", "created_at": "2024-10-13T08:30:00Z",
		"item": "i" + name, "reason": "r",
		"expires_at": "2025-10-14T08:30:00Z",
	}, r)
}

// spell writes a tree with its members in a random order, random blanks and
// random escapes.
func spell(v any, r *rand.Rand) string {
	blank := strings.Repeat(" ", r.IntN(2)) + strings.Repeat("\n", r.IntN(2))
	switch v := v.(type) {
	case map[string]any:
		var members []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			members = append(members, spellText(name, r)+blank+":"+blank+spell(v[name], r))
		}
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		return blank + "{" + strings.Join(members, ","+blank) + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, spell(item, r))
		}
		return "[" + blank + strings.Join(items, ",") + blank + "]"
	case string:
		return spellText(v, r)
	case json.Number:
		return v.String()
	default:
		return strings.Replace(fmt.Sprint(v), "<nil>", "null", 1)
	}
}

func spellText(s string, r *rand.Rand) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		if c < ' ' || c == '"' || c == '\\' || c <= 0xFFFF && r.IntN(4) == 0 {
			fmt.Fprintf(&b, `\u%04X`, c)
		} else {
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
