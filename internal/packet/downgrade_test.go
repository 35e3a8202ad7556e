package packet_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// SPEC.
func TestRecord_Downgrade_announcement(t *testing.T) {
	t.Parallel()
	r := stored(t, "interop-announcement-example")
	before := r.Encode()
	old, changed := r.Downgrade()
	want := []string{
		"/provenance/agent", "/provenance/model", "/provenance/host", "/attempts/0/outcome",
		"/attempts/1/outcome",
	}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	p := old.Packet()
	wantAttempt := packet.Attempt{
		Tried:   "brew install llama.cpp",
		Outcome: "failed",
		Learned: "MPS path has a hard ceiling well below VRAM — not a tuning issue. Outcome: builds, but " +
			"MPS allocator OOMs on 13B Q4",
	}
	if diff := cmp.Diff(wantAttempt, p.Attempts[0]); diff != "" {
		t.Errorf("attempt (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(packet.Provenance{AuthorModel: "claude-sonnet-4-5"}, p.Provenance); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
	if !bytes.Equal(before, r.Encode()) {
		t.Error("Downgrade changed the record that it was called on")
	}
}

func TestRecord_Downgrade_members(t *testing.T) {
	t.Parallel()
	r := draft(t, `{"goal":"g","next_step":"n","x":1,"impact":"low","project":{"y":1},"provenance":{"model":"m","author_model":"a"},
		"attempts":[{"tried":"t","outcome":"why not"},{"tried":"t","outcome":"partial","z":0}]}`)
	old, changed := r.Downgrade()
	want := []string{
		"/ltm_version", "/x", "/impact", "/project/y", "/provenance/model",
		"/attempts/0/outcome", "/attempts/1/z",
	}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	p := old.Packet()
	if p.Version != "0.2" || p.Attempts[0].Learned != "why not" || p.Attempts[1].Outcome != "partial" ||
		p.Provenance.AuthorModel != "a" {
		t.Errorf("packet %+v", p)
	}
}

func TestRecord_Downgrade_cut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1020)
	r := draft(t, `{"goal":"g","next_step":"n","attempts":[{"tried":"t","outcome":"`+long+`","learned":"`+
		long+`"}]}`)
	old, _ := r.Downgrade()
	learned := old.Packet().Attempts[0].Learned
	if n := utf8.RuneCountInString(learned); n != 1024 || !utf8.ValidString(learned) ||
		!strings.HasPrefix(learned, long) {
		t.Errorf("learned has %d characters, want the first 1024: %q", n, learned)
	}
}

// TestRecord_Downgrade_once holds that what comes out is valid, and that nothing is left in it that 0.2 does not
// know. SPEC.
func TestRecord_Downgrade_once(t *testing.T) {
	t.Parallel()
	for _, name := range vectorNames(t, "valid", 1) {
		r := stored(t, name)
		if r.Kind() != packet.KindPacket {
			continue
		}
		old, _ := r.Downgrade()
		if err := old.Validate(packet.Stored); err != nil || old.Version() != "0.2" {
			t.Errorf("%s: version %s, Validate: %v", name, old.Version(), err)
		}
		if again, more := old.Downgrade(); len(more) > 0 || !bytes.Equal(again.Encode(), old.Encode()) {
			t.Errorf("%s: the second downgrade changed %v", name, more)
		}
	}
}

func TestRecord_Downgrade_event(t *testing.T) {
	t.Parallel()
	r := stored(t, "event-full")
	old, changed := r.Downgrade()
	if len(changed) > 0 || !bytes.Equal(old.Encode(), r.Encode()) {
		t.Errorf("Downgrade of an event changed %v", changed)
	}
}
