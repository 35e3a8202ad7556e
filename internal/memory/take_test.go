package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

func broughtNote(id packet.ID, text string) accept.Brought {
	data := fmt.Sprintf(`{"type":"note","id":%q,"created_at":"2026-01-01T00:00:00Z","kind":"fact","text":%q}`,
		id, text)
	return accept.Brought{Kind: packet.KindNote, ID: id, Data: []byte(data)}
}

func fates(t *testing.T, m *memory.Memory, brought ...accept.Brought) []accept.Taken {
	t.Helper()
	taken, err := m.Intake().Take(t.Context(), accept.TakeRequest{Records: brought})
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
	var all []accept.Brought
	for i := range 600 {
		key := fmt.Sprint("key", i)
		all = append(all, broughtNote(packet.DeriveID(key, time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC)), key))
	}
	for _, want := range []accept.Fate{accept.Added, accept.Present} {
		for i, got := range fates(t, m, all...) {
			if got.Fate != want || got.ID != all[i].ID || got.Err != nil {
				t.Fatalf("record %d: %+v, want fate %s", i, got, want)
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
	private := func(b accept.Brought) accept.Brought { b.Reach = replay.Private; return b }
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
		brought accept.Brought
		want    accept.Fate
		private bool
	}{
		{"new", broughtNote(fresh, "New"), accept.Added, false},
		{"new and private", private(broughtNote(fresh, "New")), accept.Added, true},
		{"the same", broughtNote(here, "Here"), accept.Present, false},
		{"the same with other blank space", spaced, accept.Present, false},
		{"the same, to be private", private(broughtNote(here, "Here")), accept.Present, false},
		{"the same as a private one", broughtNote(mine, "Mine"), accept.Present, true},
		{"another", broughtNote(here, "Another"), accept.Beside, false},
		{"another than a private one", private(broughtNote(mine, "Another")), accept.Beside, true},
		{"purged", broughtNote(gone, "Gone"), accept.Buried, false},
		{"of another kind than it says", other, accept.Refused, false},
		{"of another id than it says", astray, accept.Refused, false},
		{"with a tag of something else", tagged, accept.Refused, false},
		{
			"no JSON",
			accept.Brought{Kind: packet.KindNote, ID: fresh, Data: []byte("{")},
			accept.Refused,
			false,
		},
		{"naming a private one", broughtLink(fresh, mine), accept.Added, true},
		{
			"naming one that is not here", broughtLink(fresh, "01JDMB4W1YNJZQR7K8F3A2H5P9"), accept.Added,
			false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			m := at(t, r, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
			fates(t, m, broughtNote(here, "Here"), private(broughtNote(mine, "Mine")),
				broughtNote(gone, "Gone"))
			if _, err := m.Purges().Purge(t.Context(), []string{gone}, replay.ReasonMistake); err != nil {
				t.Fatal(err)
			}
			before := r.Git("for-each-ref")
			rehearsed, err := m.Intake().Take(t.Context(),
				accept.TakeRequest{Records: []accept.Brought{tt.brought}, DryRun: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := rehearsed.Records[0]; got.Fate != tt.want || r.Git("for-each-ref") != before {
				t.Errorf("a rehearsal: %+v, want fate %s and no change", got, tt.want)
			}
			got := fates(t, m, tt.brought)[0]
			if got.Fate != tt.want || got.Private != tt.private {
				t.Fatalf("%+v, want fate %s, private %v", got, tt.want, tt.private)
			}
			if failed := got.Err != nil; failed != (got.Fate == accept.Refused || got.Fate == accept.Buried) {
				t.Errorf("fate %s with the error %v", got.Fate, got.Err)
			}
			after := r.Git("for-each-ref")
			if changed := after != before; changed != (tt.want == accept.Added || tt.want == accept.Beside) {
				t.Errorf("refs changed: %v\n%s", changed, after)
			}
			if got.Fate == accept.Added || got.Fate == accept.Beside {
				if again := fates(t, m, tt.brought)[0]; again.Fate != accept.Present || again.ID != got.ID ||
					again.Private != tt.private {
					t.Errorf("a second time: %+v, want the record to be known", again)
				}
			}
			if diff := cmp.Diff(after, r.Git("for-each-ref")); diff != "" {
				t.Errorf("a second time changes refs (-want +got):\n%s", diff)
			}
		})
	}
}

func broughtLink(id, to packet.ID) accept.Brought {
	b := broughtNote(id, "Names it")
	b.Data = []byte(strings.Replace(string(b.Data), `}`, fmt.Sprintf(`,"links":[%q]}`, to), 1))
	return b
}

// TestMemory_Take_each stores what is fine where another record is refused.
func TestMemory_Take_each(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	m := at(t, r, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	secret := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	all := []accept.Brought{
		broughtNote("01JDMB4W1YNJZQR7K8F3A2H5P1", "Fine"),
		broughtNote("01JDMB4W1YNJZQR7K8F3A2H5P2", "use "+secret),
	}
	got := fates(t, m, all...)
	if _, ok := errors.AsType[*replay.SecretError](got[1].Err); !ok || got[0].Fate != accept.Added ||
		got[1].Fate != accept.Refused {
		t.Errorf("each alone: %+v", got)
	}
	if _, err := m.Intake().Take(t.Context(),
		accept.TakeRequest{Records: all, Secrets: gate.Allow}); !errors.Is(err, gate.ErrOverride) {
		t.Errorf("Allow: %v, want ErrOverride", err)
	}
}
