package draft_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// noon is the clock of tests about drafts.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// memoryAt opens the memory of a repository at some time.
func memoryAt(t *testing.T, r *gittest.Repository, now time.Time) *memory.Memory {
	t.Helper()
	m, err := memory.Open(t.Context(),
		memory.Options{Dir: r.Dir, Env: r.Env, Now: func() time.Time { return now }, Entropy: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func keepDraft(t *testing.T, m *memory.Memory, d draft.Draft) packet.ID {
	t.Helper()
	id, err := m.Drafts().Keep(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// goals returns the goals of the drafts, in their order.
func goals(t *testing.T, m *memory.Memory) []string {
	t.Helper()
	all, err := m.Drafts().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var goals []string
	for _, d := range all {
		goals = append(goals, d.Record.Packet().Goal)
	}
	return goals
}

// TestMemory_KeepDraft_oneASession holds SPEC.
func TestMemory_KeepDraft_oneASession(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := memoryAt(t, r, noon())
	d := draft.Draft{
		Packet: []byte(`{"goal":"First"}`), Host: "codex", Session: "s1", Ended: noon().Add(-time.Hour),
		Origins: map[string]string{"/goal": "first prompt"}, Summary: "Half of it stands.",
	}
	first := keepDraft(t, m, d)
	other := keepDraft(t, m,
		draft.Draft{Packet: []byte(`{"goal":"Of another client"}`), Host: "gemini", Session: "s1"})
	if first == other {
		t.Fatalf("sessions of two clients share the draft %s", first)
	}

	d.Packet, d.Ended = []byte(`{"goal":"Second","next_step":"Go on"}`), noon().Add(-time.Minute)
	if again := keepDraft(t, m, d); again != first {
		t.Errorf("the same session has the draft %s, and then %s", first, again)
	}
	d.Packet, d.Ended = []byte(`{"goal":"From behind"}`), noon().Add(-2*time.Hour)
	keepDraft(t, m, d)

	got, err := m.Drafts().Find(t.Context(), string(first))
	if err != nil {
		t.Fatal(err)
	}
	p := got.Record.Packet()
	if p.Goal != "Second" || p.NextStep != "Go on" || got.Summary != "Half of it stands." ||
		got.Origins["/goal"] != "first prompt" {
		t.Errorf("the draft is %q, %q, %q, %v, want what the session told last", p.Goal, p.NextStep,
			got.Summary, got.Origins)
	}
	if n, err := m.Drafts().Count(t.Context()); n != 2 || err != nil {
		t.Errorf("CountDrafts = %d, %v, want 2", n, err)
	}
}

func TestMemory_KeepDraft_atOnce(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	var all sync.WaitGroup
	for range 4 {
		m := memoryAt(t, r, noon())
		all.Go(func() {
			d := draft.Draft{
				Packet: []byte(`{"goal":"At once"}`), Host: "codex", Session: "s1",
				Began: noon(), Ended: noon(),
			}
			if _, err := m.Drafts().Keep(context.WithoutCancel(t.Context()), d); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := goals(t, memoryAt(t, r, noon())); len(got) != 1 {
		t.Errorf("four processes left the drafts %q, want one", got)
	}
}

// TestMemory_KeepDraft_masks holds SPEC.
func TestMemory_KeepDraft_masks(t *testing.T) {
	t.Parallel()
	token := strings.Join([]string{"gh", "p_", strings.Repeat("a1B2c3", 6)}, "")
	for name, d := range map[string]draft.Draft{
		"in the packet": {Packet: []byte(`{"goal":"use ` + token + `"}`)},
		"in a name":     {Packet: []byte(`{"goal":"g","x":{"` + token + `":1}}`)},
		"in an origin": {
			Packet:  []byte(`{"goal":"g"}`),
			Origins: map[string]string{"/goal": "prompt " + token},
		},
		"in a pointer": {
			Packet:  []byte(`{"goal":"g"}`),
			Origins: map[string]string{"/" + token: "prompt"},
		},
		"in the summary": {Packet: []byte(`{"goal":"g"}`), Summary: "exported " + token},
		"across the summary's end": {
			Packet:  []byte(`{"goal":"g"}`),
			Summary: strings.Repeat("word ", 815) + token,
		},
		"in the session": {Packet: []byte(`{"goal":"g"}`), Host: "codex", Session: token},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			m := memoryAt(t, r, noon())
			id := keepDraft(t, m, d)
			got, err := m.Drafts().Find(t.Context(), string(id))
			if err != nil {
				t.Fatal(err)
			}
			if got.Masked == 0 && (name == "in the packet" || name == "in the summary") {
				t.Error("the draft says that nothing was masked")
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			for _, part := range []string{token, token[4:24]} {
				if text := r.Git("cat-file", "blob",
					"refs/ltm-local/drafts/"+string(id)); strings.Contains(text, part) {
					t.Errorf("the draft holds a part of the secret:\n%s", text)
				}
			}
			if file := fileWith(t, r.Dir, token[:20]); file != "" {
				t.Errorf("%s holds the secret", file)
			}
		})
	}
}

// fileWith returns a file below a directory that holds a text.
func fileWith(t *testing.T, dir, text string) (found string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			found = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestMemory_KeepDraft_refuses(t *testing.T) {
	t.Parallel()
	isInvalid := func(err error) bool { _, ok := errors.AsType[*packet.InvalidError](err); return ok }
	for name, c := range map[string]struct {
		packet string
		rules  string
		want   func(error) bool
	}{
		"no JSON":        {`{`, "", isInvalid},
		"a note":         {`{"type":"note","kind":"fact","text":"x"}`, "", isInvalid},
		"a wrong member": {`{"goal":7}`, "", isInvalid},
		"no scan can run": {`{"goal":"g"}`, "[[rules]]\nid = \"x\"\nregex = \"(\"\n", func(err error) bool {
			_, ok := errors.AsType[*scan.RulesError](err)
			return ok
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			if c.rules != "" {
				if err := os.WriteFile(filepath.Join(r.Dir, ".git", "rules"), []byte(c.rules), 0o600); err !=
					nil {
					t.Fatal(err)
				}
				r.Git("config", "ltm.scanConfig", filepath.Join(r.Dir, ".git", "rules"))
			}
			before := r.Git("count-objects")
			_, err := memoryAt(t, r, noon()).Drafts().Keep(t.Context(), draft.Draft{Packet: []byte(c.packet)})
			if err == nil || !c.want(err) {
				t.Errorf("KeepDraft = %v", err)
			}
			if after := r.Git("count-objects"); after != before {
				t.Errorf("objects: %s, before: %s", after, before)
			}
			if left := r.Git("for-each-ref", "refs/ltm-local"); left != "" {
				t.Errorf("refs were left: %s", left)
			}
		})
	}
}

func TestMemory_KeepDraft_age(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	keepDraft(t, memoryAt(t, r, noon()),
		draft.Draft{Packet: []byte(`{"goal":"Forgotten"}`), Host: "codex", Session: "s1"})
	still := draft.Draft{Packet: []byte(`{"goal":"Long session"}`), Host: "codex", Session: "s2"}
	keepDraft(t, memoryAt(t, r, noon()), still)
	keepDraft(t, memoryAt(t, r, noon().AddDate(0, 0, 20)), still)
	m := memoryAt(t, r, noon().AddDate(0, 0, 31))
	keepDraft(t, m, draft.Draft{Packet: []byte(`{"goal":"New"}`), Host: "codex", Session: "s3"})
	if diff := cmp.Diff([]string{"New", "Long session"}, goals(t, m)); diff != "" {
		t.Errorf("drafts after 31 days (-want +got):\n%s", diff)
	}
}

func TestMemory_KeepDraft_clockOfTheTranscript(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := memoryAt(t, r, noon())
	d := draft.Draft{
		Packet: []byte(`{"goal":"Ahead"}`), Host: "codex", Session: "s1",
		Began: noon().AddDate(900, 0, 0), Ended: noon().AddDate(900, 0, 0),
	}
	id := keepDraft(t, m, d)
	if made := id.Time(); made.After(noon()) {
		t.Errorf("the id tells %s, want no time that is to come", made)
	}
	d.Packet, d.Ended = []byte(`{"goal":"Now"}`), noon()
	keepDraft(t, m, d)
	if diff := cmp.Diff([]string{"Now"}, goals(t, m)); diff != "" {
		t.Errorf("drafts (-want +got):\n%s", diff)
	}
}

func TestMemory_KeepDraft_place(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	commit := r.Commit("start")
	branch := r.Git("symbolic-ref", "--short", "HEAD")
	m := memoryAt(t, r, noon())
	for name, c := range map[string]struct {
		d    draft.Draft
		want packet.Anchor
	}{
		"here and now": {
			draft.Draft{Packet: []byte(`{"goal":"g"}`), Here: true},
			packet.Anchor{Branch: branch, Commit: commit},
		},
		"long ago": {draft.Draft{Packet: []byte(`{"goal":"g","anchor":{"branch":"` + branch +
			`"}}`)}, packet.Anchor{Branch: branch}},
		"now, on another branch": {draft.Draft{
			Packet: []byte(`{"goal":"g","anchor":{"branch":"other"}}`),
			Here:   true,
		}, packet.Anchor{Branch: "other"}},
	} {
		d, err := m.Drafts().Find(t.Context(), string(keepDraft(t, m, c.d)))
		if err != nil {
			t.Fatal(err)
		}
		got := d.Record.Packet().Anchor
		got.Tree = ""
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: anchor (-want +got):\n%s", name, diff)
		}
	}
}

func TestMemory_Draft(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	r.Commit("start")
	branch := r.Git("symbolic-ref", "--short", "HEAD")
	m := memoryAt(t, r, noon())
	if _, err := m.Drafts().Find(t.Context(), ""); !errors.Is(err, draft.ErrNoDraft) {
		t.Errorf("Draft where there is none = %v", err)
	}
	here := keepDraft(t, m,
		draft.Draft{
			Packet: []byte(`{"goal":"Here","anchor":{"branch":"` + branch + `"}}`), Host: "codex",
			Session: "a",
		})
	later := memoryAt(t, r, noon().Add(time.Hour))
	there := keepDraft(t, later,
		draft.Draft{
			Packet: []byte(`{"goal":"There","anchor":{"branch":"other"}}`), Host: "codex",
			Session: "b",
		})
	for spec, want := range map[string]packet.ID{
		"": here, string(there): there,
		strings.ToLower(string(there[20:])): there, string(here[16:]): here,
	} {
		if got, err := m.Drafts().Find(t.Context(), spec); err != nil || got.ID != want {
			t.Errorf("Draft(%q) = %s, %v, want %s", spec, got.ID, err, want)
		}
	}
	if _, err := m.Drafts().Find(t.Context(), "ZZZZZZ"); !errors.Is(err, draft.ErrNoDraft) {
		t.Errorf("Draft of an unknown id = %v", err)
	}
	if err := m.Drafts().Drop(t.Context(), here); err != nil {
		t.Error(err)
	}
	if _, err := m.Drafts().Find(t.Context(), ""); !errors.Is(err, draft.ErrNoDraft) ||
		!strings.Contains(err.Error(), string(there)) {
		t.Errorf("Draft where one of another branch is left: %v, want an error that names %s", err, there)
	}
}

func TestMemory_FinishDraft(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := memoryAt(t, r, noon())
	d := draft.Draft{
		Packet: []byte(`{"goal":"One"}`), Host: "codex", Session: "a",
		Ended: noon().Add(-time.Hour),
	}
	read, err := m.Drafts().Find(t.Context(), string(keepDraft(t, m, d)))
	if err != nil {
		t.Fatal(err)
	}
	d.Packet, d.Ended = []byte(`{"goal":"Two"}`), noon()
	keepDraft(t, m, d)
	if err := m.Drafts().Finish(t.Context(), read); !errors.Is(err, git.ErrConflict) {
		t.Errorf("FinishDraft of a draft that was replaced = %v, want a conflict", err)
	}
	if diff := cmp.Diff([]string{"Two"}, goals(t, m)); diff != "" {
		t.Errorf("drafts (-want +got):\n%s", diff)
	}
}

func TestMemory_Drafts_damaged(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := memoryAt(t, r, noon())
	keepDraft(t, m, draft.Draft{Packet: []byte(`{"goal":"Whole"}`), Host: "codex", Session: "a"})
	for i, text := range []string{
		`{}`, `{"type":"draft","format":2,"packet":{}}`,
		`{"type":"draft","format":1,"packet":{"goal":1}}`, strings.Repeat("x", 70000),
	} {
		blob := r.Feed(text, "hash-object", "-w", "--stdin")
		r.Git("update-ref", refs.Draft{ID: packet.DeriveID(string(rune('a'+i)), noon())}.Ref(), blob)
	}
	if diff := cmp.Diff([]string{"Whole"}, goals(t, m)); diff != "" {
		t.Errorf("drafts (-want +got):\n%s", diff)
	}
	if n := len(m.Skipped()); n != 4 {
		t.Errorf("Skipped lists %d, want 4: %v", n, m.Skipped())
	}
}
