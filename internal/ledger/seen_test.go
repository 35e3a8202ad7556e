package ledger_test

import (
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// verdictOf is the verdict on a signature of a key.
func verdictOf(standing sign.Standing, holder, key string) sign.Verdict {
	return sign.Verdict{Standing: standing, By: holder, Key: key, Why: "because"}
}

// TestCompare states what a clone says of a record that it saw before, and what it remembers of it.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, known string
		own, best   sign.Standing // best is own where it is empty
		tag         string
		want        sign.Standing
		knows       string
	}{
		{"new and unsigned", "", sign.Unsigned, "", "", sign.Unsigned, "blob"},
		{"new and good", "", sign.Good, "", "t1", sign.Good, "blob tag=t1"},
		{"new, of a stranger", "", sign.Unknown, "", "t1", sign.Unknown, "blob"},
		{"new and bad", "", sign.Bad, "", "t1", sign.Bad, ""},
		{"the same", "blob tag=t1", sign.Good, "", "t1", sign.Good, "blob tag=t1"},
		{"another record", "other tag=t1", sign.Good, "", "t1", sign.Bad, "other tag=t1"},
		{"another record of this clone", "other made", sign.Unsigned, "", "", sign.Bad, "other made"},
		{"a signature that is gone", "blob tag=t1", sign.Unsigned, "", "", sign.Bad, "blob tag=t1"},
		{
			"a signature that is gone, with a later one", "blob tag=t1", sign.Unsigned, sign.Good, "", sign.Bad,
			"blob tag=t1",
		},
		{"a stranger's in its place", "blob tag=t1", sign.Unknown, "", "t2", sign.Bad, "blob tag=t1"},
		{"another one that counts", "blob tag=t1", sign.Expired, "", "t2", sign.Expired, "blob tag=t2"},
		{"a key that counts no longer", "blob tag=t1", sign.Unknown, "", "t1", sign.Unknown, "blob tag=t1"},
		{"a stranger's that is gone", "blob", sign.Unsigned, "", "", sign.Unsigned, "blob"},
		{"made here, unsigned", "blob made", sign.Unsigned, "", "", sign.Local, "blob made"},
		{"made here, signed by a stranger", "blob made", sign.Unknown, "", "t1", sign.Local, "blob made"},
		{"made here, for another store", "blob made", sign.Foreign, "", "t1", sign.Local, "blob made"},
		{"made here and good", "blob made", sign.Good, "", "t1", sign.Good, "blob tag=t1 made"},
		{"made here, signed later", "blob made", sign.Unsigned, sign.Good, "", sign.Good, "blob made"},
		{"made here and revoked", "blob made", sign.Revoked, "", "t1", sign.Revoked, "blob made"},
		{
			"accepted as gone, and back", "blob forgotten", sign.Good, "", "t1", sign.Good,
			"blob tag=t1 forgotten",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			own := verdictOf(tt.own, "ada@example.com", "A")
			best := own
			if tt.best != "" {
				best = verdictOf(tt.best, "bob@example.com", "B")
			}
			v, knows := ledger.Compare(filepath.Join(t.TempDir(), "seen"), tt.known, own, best, tt.tag)
			if v.Standing != tt.want || knows != tt.knows || v.Why == "" {
				t.Errorf("it is %s (%s), and the clone knows %q; want %s and %q", v.Standing, v.Why, knows,
					tt.want, tt.knows)
			}
		})
	}
}

// TestCompare_madeMeanwhile holds that a clone goes on knowing that it made a record where another process
// read it before that was noted, and notes what it saw after it.
func TestCompare_madeMeanwhile(t *testing.T) {
	t.Parallel()
	at := local.At(filepath.Join(t.TempDir(), "seen"))
	name := refs.Name{Kind: refs.Notes, ID: "01JDMB4W1YNJZQR7K8F3A2H5P9"}
	unsigned := verdictOf(sign.Unsigned, "", "")
	reads, makes := ledger.OpenSeen(at), ledger.OpenSeen(at)
	reads.Compare(trust.Vouched{Verdict: unsigned, Own: unsigned}, name, refs.Object{OID: "blob"})
	makes.Note(name, ledger.Sighting{Blob: "blob", Made: true})
	makes.Keep()
	reads.Keep()
	if !ledger.OpenSeen(at).Made(name) {
		t.Error("what was only seen took the place of what was made")
	}
}
