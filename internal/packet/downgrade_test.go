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

// TestRecord_Downgrade_strict holds the two against each other: what comes out
// is what the published schema lets pass.
// SPEC.
func TestRecord_Downgrade_strict(t *testing.T) {
	t.Parallel()
	for _, name := range vectorNames(t, "valid", 1) {
		r := stored(t, name)
		if r.Kind() != packet.KindPacket {
			continue
		}
		old, changed := r.Downgrade()
		if problems := old.Strict(); len(problems) > 0 {
			t.Errorf("%s: the downgraded packet has problems: %v", name, problems)
		}
		if err := old.Validate(packet.Stored); err != nil {
			t.Errorf("%s: Validate: %v", name, err)
		}
		if again, more := old.Downgrade(); len(more) > 0 || !bytes.Equal(again.Encode(), old.Encode()) {
			t.Errorf("%s: the second downgrade changed %v", name, more)
		}
		if len(changed) == 0 && len(r.Strict()) > 0 {
			t.Errorf("%s: nothing changed, but there were problems: %v", name, r.Strict())
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

func TestRecord_Strict(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, vector string
		want         []packet.Problem
	}{
		{"published 0.1", "published-0.1-full", nil},
		{"published 0.2", "published-0.2-full", nil},
		{"announcement", "interop-announcement-example", []packet.Problem{
			{Path: "/provenance/agent", Text: "is not a member of version 0.2"},
			{Path: "/provenance/model", Text: "is not a member of version 0.2"},
			{Path: "/provenance/host", Text: "is not a member of version 0.2"},
			{Path: "/attempts/0/outcome", Text: "must be one of succeeded, failed, partial"},
			{Path: "/attempts/1/outcome", Text: "must be one of succeeded, failed, partial"},
		}},
		{"0.1 with later members", "members-of-0.3-in-a-0.1-packet", []packet.Problem{
			{Path: "/impact", Text: "is not a member of version 0.1"},
			{Path: "/parent_id", Text: "is not a member of version 0.1"},
		}},
		{"0.3", "version-0.3-without-new-members", []packet.Problem{
			{Path: "/ltm_version", Text: "must be one of 0.1, 0.2"},
		}},
		{"event", "event-full", []packet.Problem{{Text: "the published schemas know packets only"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, stored(t, tt.vector).Strict()); diff != "" {
				t.Errorf("Strict (-want +got):\n%s", diff)
			}
		})
	}
	if got := len(draft(t, `{"goal":"g","next_step":"n"}`).Strict()); got != 3 {
		t.Errorf("a draft has %d problems, want the 3 members that are missing", got)
	}
}
