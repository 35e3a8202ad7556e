package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Person names the holder of a key.
func Person(v sign.Verdict) string { return person(v) }

// ShortKey is a fingerprint as it stands in the name of a later signature.
func ShortKey(fingerprint string) string { return shortKey(fingerprint) }

// EndorsedBy counts the people who vouch for a record beside the one who stored it.
func EndorsedBy(v sign.Verdict, endorsers []Endorser) int { return endorsedBy(v, endorsers) }

// Compare is what a verdict becomes in a clone whose journal at a path says something of the record, or nothing, and what
// that clone knows of it then. The blob of the record is called blob.
func Compare(path, known string, own, best sign.Verdict, tag string) (v sign.Verdict, knows string) {
	name := refs.Name{Kind: refs.Packets, ID: "01JDMB4W1YNJZQR7K8F3A2H5P9"}
	s := openSeen(local.At(path))
	if was, ok := parseSighting(known); ok {
		s.note(name, was)
	}
	v = s.compare(vouched{verdict: best, own: own}, name, refs.Object{OID: "blob", TagOID: tag})
	return v, s.fresh[keyOf(name)]
}

// ShownOf is a record that may be shown, and that nobody stored.
func ShownOf(rec *packet.Record) Shown {
	return Shown{Entry: Entry{kind: rec.Kind(), record: rec, origin: &provenance.Origin{Reach: provenance.Automatically}}.viewed()}
}

// KeptFrom says why policy keeps a record from those who read it for a reason.
func (m *Memory) KeptFrom(ctx context.Context, e Entry, reading Reading) (string, error) {
	return m.keptFrom(ctx, e, reading)
}

// SetBy is what events set of a task.
func SetBy(l Life) packet.Change { return l.set }
