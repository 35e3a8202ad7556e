package ledger

import (
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Compare is what a verdict becomes in a clone whose journal at a path says something of the record, or
// nothing, and what that clone knows of it then. The blob of the record is called blob.
func Compare(path, known string, own, best sign.Verdict, tag string) (v sign.Verdict, knows string) {
	name := refs.Name{Kind: refs.Packets, ID: "01JDMB4W1YNJZQR7K8F3A2H5P9"}
	s := OpenSeen(local.At(path))
	if was, ok := parseSighting(known); ok {
		s.Note(name, was)
	}
	v = s.Compare(trust.Vouched{Verdict: best, Own: own}, name, refs.Object{OID: "blob", TagOID: tag})
	knows, _ = s.notes.Find(KeyOf(name))
	return v, knows
}
