package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

func broughtNote(id packet.ID, text string) memory.Brought {
	data := fmt.Sprintf(`{"type":"note","id":%q,"created_at":"2026-01-01T00:00:00Z","kind":"fact","text":%q}`, id, text)
	return memory.Brought{Kind: packet.KindNote, ID: id, Data: []byte(data)}
}

func fates(t *testing.T, m *memory.Memory, brought ...memory.Brought) []memory.Taken {
	t.Helper()
	taken, err := m.Intake().Take(t.Context(), memory.TakeRequest{Records: brought})
	if err != nil {
		t.Fatal(err)
	}
	return taken.Records
}

// TestMemory_Take takes in more records than go into one transaction, twice.
func TestMemory_Take(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := at(t, r, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	var all []memory.Brought
	for i := range 600 {
		key := fmt.Sprint("key", i)
		all = append(all, broughtNote(packet.DeriveID(key, time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC)), key))
	}
	for _, want := range []memory.Fate{memory.Added, memory.Present} {
		for i, got := range fates(t, m, all...) {
			if got.Fate != want || got.ID != all[i].ID || got.Err != nil {
				t.Fatalf("record %d: %+v, want fate %d", i, got, want)
			}
		}
	}
	if got := strings.Count(r.Git("for-each-ref", "refs/ltm/notes"), "\n") + 1; got != len(all) {
		t.Errorf("%d refs, want %d", got, len(all))
	}
	find, err := m.Intake().Derived(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := find(packet.DerivedSuffix("key7")); !ok || id != all[7].ID {
		t.Errorf("Derived finds %q (%v), want %q", id, ok, all[7].ID)
	}
	if id, ok := find(packet.DerivedSuffix("key600")); ok {
		t.Errorf("Derived finds %q, want nothing", id)
	}
}

// TestMemory_Take_fates says what becomes of a record beside one that is here.
func TestMemory_Take_fates(t *testing.T) {
	t.Parallel()
	const here, mine, gone, fresh = "01JDMB4W1YNJZQR7K8F3A2H5P1", "01JDMB4W1YNJZQR7K8F3A2H5P2", "01JDMB4W1YNJZQR7K8F3A2H5P3", "01JDMB4W1YNJZQR7K8F3A2H5P4"
	private := func(b memory.Brought) memory.Brought { b.Reach = memory.Private; return b }
	other := broughtNote(fresh, "as a skip")
	other.Kind = packet.KindSkip
	astray := broughtNote(fresh, "astray")
	astray.ID = here
	spaced := broughtNote(here, "Here")
	spaced.Data = []byte(strings.ReplaceAll(string(spaced.Data), `,`, ` , `))
	tagged := broughtNote(fresh, "tagged")
	tagged.Tag = []byte("object 0000000000000000000000000000000000000000\ntype blob\ntag x\n")
	tests := []struct {
		name    string
		brought memory.Brought
		want    memory.Fate
		private bool
	}{
		{"new", broughtNote(fresh, "New"), memory.Added, false},
		{"new and private", private(broughtNote(fresh, "New")), memory.Added, true},
		{"the same", broughtNote(here, "Here"), memory.Present, false},
		{"the same with other blank space", spaced, memory.Present, false},
		{"the same, to be private", private(broughtNote(here, "Here")), memory.Present, false},
		{"the same as a private one", broughtNote(mine, "Mine"), memory.Present, true},
		{"another", broughtNote(here, "Another"), memory.Beside, false},
		{"another than a private one", private(broughtNote(mine, "Another")), memory.Beside, true},
		{"purged", broughtNote(gone, "Gone"), memory.Buried, false},
		{"of another kind than it says", other, memory.Refused, false},
		{"of another id than it says", astray, memory.Refused, false},
		{"with a tag of something else", tagged, memory.Refused, false},
		{"no JSON", memory.Brought{Kind: packet.KindNote, ID: fresh, Data: []byte("{")}, memory.Refused, false},
		{"naming a private one", broughtLink(fresh, mine), memory.Added, true},
		{"naming one that is not here", broughtLink(fresh, "01JDMB4W1YNJZQR7K8F3A2H5P9"), memory.Added, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			m := at(t, r, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
			fates(t, m, broughtNote(here, "Here"), private(broughtNote(mine, "Mine")), broughtNote(gone, "Gone"))
			if _, err := m.Purges().Purge(t.Context(), []string{gone}, memory.ReasonMistake); err != nil {
				t.Fatal(err)
			}
			before := r.Git("for-each-ref")
			rehearsed, err := m.Intake().Take(t.Context(), memory.TakeRequest{Records: []memory.Brought{tt.brought}, DryRun: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := rehearsed.Records[0]; got.Fate != tt.want || r.Git("for-each-ref") != before {
				t.Errorf("a rehearsal: %+v, want fate %d and no change", got, tt.want)
			}
			got := fates(t, m, tt.brought)[0]
			if got.Fate != tt.want || got.Private != tt.private {
				t.Fatalf("%+v, want fate %d, private %v", got, tt.want, tt.private)
			}
			if failed := got.Err != nil; failed != (got.Fate == memory.Refused || got.Fate == memory.Buried) {
				t.Errorf("fate %d with the error %v", got.Fate, got.Err)
			}
			after := r.Git("for-each-ref")
			if changed := after != before; changed != (tt.want == memory.Added || tt.want == memory.Beside) {
				t.Errorf("refs changed: %v\n%s", changed, after)
			}
			if got.Fate == memory.Added || got.Fate == memory.Beside {
				if again := fates(t, m, tt.brought)[0]; again.Fate != memory.Present || again.ID != got.ID || again.Private != tt.private {
					t.Errorf("a second time: %+v, want the record to be known", again)
				}
			}
			if diff := cmp.Diff(after, r.Git("for-each-ref")); diff != "" {
				t.Errorf("a second time changes refs (-want +got):\n%s", diff)
			}
		})
	}
}

func broughtLink(id, to packet.ID) memory.Brought {
	b := broughtNote(id, "Names it")
	b.Data = []byte(strings.Replace(string(b.Data), `}`, fmt.Sprintf(`,"links":[%q]}`, to), 1))
	return b
}

// TestMemory_Take_whole stores nothing where one record is refused.
func TestMemory_Take_whole(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := at(t, r, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	all := []memory.Brought{broughtNote("01JDMB4W1YNJZQR7K8F3A2H5P1", "Fine"), broughtNote("01JDMB4W1YNJZQR7K8F3A2H5P2", "use "+secret)}
	taken, err := m.Intake().Take(t.Context(), memory.TakeRequest{Records: all, Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := taken.Records[0]; got.Fate != memory.Refused || !errors.Is(got.Err, memory.ErrNoneTaken) {
		t.Errorf("the good one: %+v", got)
	}
	if _, ok := errors.AsType[*memory.SecretError](taken.Records[1].Err); !ok {
		t.Errorf("the bad one: %v", taken.Records[1].Err)
	}
	if refs := r.Git("for-each-ref", "refs/ltm"); refs != "" {
		t.Errorf("refs were left: %s", refs)
	}
	got := fates(t, m, all...)
	if got[0].Fate != memory.Added || got[1].Fate != memory.Refused {
		t.Errorf("each alone: %+v", got)
	}
	if _, err := m.Intake().Take(t.Context(), memory.TakeRequest{Records: all, Secrets: memory.Allow}); !errors.Is(err, memory.ErrOverride) {
		t.Errorf("Allow: %v, want ErrOverride", err)
	}
}
