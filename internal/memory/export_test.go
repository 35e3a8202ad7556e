package memory

import (
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// Compare is what a verdict becomes in a clone whose journal at a path says something of the record, or nothing, and what
// that clone knows of it then. The blob of the record is called blob.
func Compare(path, known string, own, best sign.Verdict, tag string) (v sign.Verdict, knows string) {
	name := refs.Name{Kind: refs.Packets, ID: "01JDMB4W1YNJZQR7K8F3A2H5P9"}
	s := openSeen(local.At(path))
	if was, ok := parseSighting(known); ok {
		s.note(name, was)
	}
	v = s.compare(vouch.Vouched{Verdict: best, Own: own}, name, refs.Object{OID: "blob", TagOID: tag})
	knows, _ = s.Find(keyOf(name))
	return v, knows
}

// ShownOf is a record that may be shown, and that nobody stored.
func ShownOf(rec *packet.Record) Shown {
	return Shown{Entry: Entry{kind: rec.Kind(), record: rec, origin: &provenance.Origin{Reach: provenance.Automatically}}.viewed()}
}

// SetBy is what events set of a task.
func SetBy(l Life) packet.Change { return l.set }
