// Package check says what is wrong with records, with the refs and files that hold them, and with what
// somebody offers to a repository.
//
// It reads what it is given to look at, changes nothing, and tells no secret that it finds: only its rule,
// its place and its mask.
package check

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Checked is what a check says of one ref or file.
type Checked struct {
	Subject string    // its name, with masks in the place of secrets; empty where it speaks of others
	Record  packet.ID // what the ref calls the record; empty for a file, and where two records claim the name
	Object  string    // what the ref names; empty for a file
	Results []report.Result
}

// A Checker is one check under way.
type Checker struct {
	Store     *refs.Store
	Judges    *trust.Judge
	Rules     *scan.Rules
	Present   Present
	Targets   []Target
	Require   Requirement
	Retracted map[packet.ID]bool // of which no session reads any more
	// records among the targets, which later signatures are compared with first
	Beside map[packet.ID]refs.Ref
}

// A Target is a ref to look at, of a record or of a later signature.
type Target struct {
	Ref  refs.Ref
	Name string // its full name
	Flaw string // the rule that its mere name or state breaks; empty for a record
	Why  string
}

// IsRecord tells a record from a later signature, and from what is neither.
func (t Target) IsRecord() bool { return t.Ref.Name.ID != "" && t.Ref.Name.Key == "" }

// Each yields what a list holds.
func Each[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, t := range list {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// A Stored is a target and what lies there.
type Stored struct {
	Target
	object  refs.Object
	verdict sign.Verdict // who vouches for it; the zero value where nobody asked
	lacks   string       // what it lacks of the signature that is required
}

// Together is how many records are read in one go.
const Together = 64

// Run reads the targets, one group after the other, and yields what judge says of each in their order. Some
// workers judge side by side.
func (c *Checker) Run(ctx context.Context, workers int, judge func(Stored) Checked) iter.Seq2[Checked, error] {
	groups := func(yield func([]Stored, error) bool) {
		for targets := range slices.Chunk(c.Targets, Together) {
			if group, err := c.readGroup(ctx, targets); !yield(group, err) || err != nil {
				return
			}
		}
	}
	judgeGroup := func(group []Stored) []Checked {
		judged := make([]Checked, len(group))
		for i, s := range group {
			judged[i] = judge(s)
		}
		return judged
	}
	return func(yield func(Checked, error) bool) {
		for judged, err := range inOrder(ctx, workers, groups, judgeGroup) {
			if err != nil {
				yield(Checked{}, err)
				return
			}
			for _, one := range judged {
				if !yield(one, nil) {
					return
				}
			}
		}
	}
}

// readGroup reads what a group of targets holds. A record that cannot be read for a reason of its own becomes
// a target with that flaw.
func (c *Checker) readGroup(ctx context.Context, targets []Target) ([]Stored, error) {
	group := make([]Stored, len(targets))
	for i, t := range targets {
		s, err := &group[i], error(nil)
		s.Target = t
		switch {
		case t.Flaw != "":
		case t.Ref.Name.Key != "":
			s.object, err = c.endorsement(ctx, t.Ref)
			err = s.explainEndorsement(err)
		default:
			s.object, err = c.Store.Read(ctx, t.Ref)
			err = s.explainFailure(err)
		}
		if err == nil {
			err = c.vouchFor(ctx, s)
		}
		if err != nil {
			return nil, err
		}
	}
	return group, nil
}

// explainFailure turns an error of the record into a flaw, and returns any other.
func (s *Stored) explainFailure(err error) error {
	large, tooLarge := errors.AsType[*refs.TooLargeError](err)
	switch {
	case tooLarge:
		s.Flaw, s.Why = RuleSize, fmt.Sprintf("it has %d bytes, which is too much to be read", large.Size)
	case refs.IsFault(err):
		s.Flaw, s.Why = RuleObject, refs.Flaw(err)
	default:
		return err
	}
	return nil
}

// Judge says what is wrong with one target. It is called by several workers.
func (c *Checker) Judge(s Stored) Checked {
	if s.Ref.Name.Key != "" {
		return c.judgeEndorsement(s)
	}
	d := Document{
		Subject: s.Name, Name: s.Ref.Name, Data: s.object.Data, OID: s.object.OID, Tag: s.object.Tag,
		Rules: c.Rules, Verdict: s.verdict,
	}
	in := beginInspection(d)
	if s.Flaw != "" {
		in.addResult(s.Flaw, "", s.Why)
		return in.checked()
	}
	rec := in.inspectRecord()
	if s.lacks != "" {
		in.addResult(ruleTrust, "", c.Rules.MaskText(s.lacks))
	}
	for _, l := range Links(rec) {
		if !c.Present.has(l.Id) {
			in.addResult(ruleMissing, l.pointer, "it names "+idIn(l.Id)+", which is not here")
		}
	}
	if s.Ref.Conflict {
		in.addResult(ruleContested, "", "another record stands under this name in another clone")
	}
	checked := in.checked()
	checked.Object = s.Ref.Object
	if s.Ref.Conflict {
		checked.Record = "" // What is allowed in one of the two is not allowed in the other.
	}
	return checked
}

// idIn says which record is meant, where that is an id and no other text.
func idIn(id string) string {
	if id, err := packet.ParseID(id); err == nil {
		return string(id)
	}
	return "a record"
}

// HolderOf returns the ref of a record of any kind, or the zero value.
func HolderOf(ctx context.Context, store *refs.Store, id packet.ID) (refs.Ref, error) {
	for _, kind := range refs.Kinds() {
		ref, err := store.Lookup(ctx, refs.Name{Kind: kind, ID: id})
		if errors.Is(err, refs.ErrNotFound) || refs.IsFault(err) {
			continue
		}
		return ref, err
	}
	return refs.Ref{}, nil
}
