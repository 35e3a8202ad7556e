package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// CheckQuery narrows a check. The zero value asks for every ref below refs/ltm.
type CheckQuery struct {
	IDs     []string // these records, as Find takes them; events by their ids too
	Remote  string   // what this remote holds now, instead of what this clone does
	Since   string   // a revision: records whose id is not older than its commit. Whoever writes an id chooses its time
	Private bool     // also the records that never leave this clone
	Strict  bool     // also what the published 0.2 schema would refuse
	Require Requirement
	Workers int // how many records are judged side by side; 0 is one a processor
}

// Checked is what a check says of one ref or file.
type Checked struct {
	Subject string    // its name, with masks in the place of secrets; empty where it speaks of others
	Record  packet.ID // what the ref calls the record; empty for a file, and where two records claim the name
	Object  string    // what the ref names; empty for a file
	Results []report.Result
	Older   int // how many records were passed over for the time that their ids say; only in the last, which has no subject
}

// Check looks at records and at the names around them, and yields everything
// that it finds, ref by ref in the order of their names. It changes no record.
// Of a remote it fetches the records first.
//
// What cannot be looked at is an error, which ends the check: then it has no
// result. The memory must not be used before the check has ended.
func (m *Memory) Check(ctx context.Context, q CheckQuery) iter.Seq2[Checked, error] {
	return func(yield func(Checked, error) bool) {
		c, err := m.checker(ctx, q)
		if err != nil {
			yield(Checked{}, err)
			return
		}
		workers := cmp.Or(max(q.Workers, 0), runtime.GOMAXPROCS(0))
		seen := map[packet.ID]bool{}
		for checked, err := range inOrder(ctx, workers, c.stored(ctx), c.judge) {
			c.allowed.Suppress(checked)
			seen[checked.Record] = true
			if !yield(checked, err) || err != nil {
				return
			}
		}
		last := c.unused(seen)
		last.Older = c.older
		if len(last.Results) > 0 || last.Older > 0 {
			yield(last, nil)
		}
	}
}

// A checker is one check under way.
type checker struct {
	memory  *Memory
	query   CheckQuery
	rules   *scan.Rules
	allowed *Allowed
	since   time.Time
	older   int // records that were passed over
	present present
	targets iter.Seq2[target, error]
	require Requirement
	lives   map[packet.ID]Life     // what became of packets
	beside  map[packet.ID]refs.Ref // records among the targets, which later signatures are compared with first
}

// A target is a ref to look at.
type target struct {
	ref  refs.Ref
	name string // its full name
	flaw string // the rule that its mere name or state breaks; empty for a record
	why  string

	later refs.Endorsement // the later signature that it is; the zero value for a record
}

// checker finds out what is to be looked at.
func (m *Memory) checker(ctx context.Context, q CheckQuery) (*checker, error) {
	c := &checker{memory: m, query: q, require: q.Require}
	var err error
	if c.rules, err = m.rules.Whole(ctx); err != nil {
		return nil, err
	}
	if q.Since != "" {
		if c.since, err = m.repo.CommitTime(ctx, q.Since); err != nil {
			return nil, err
		}
	}
	var theirs []target
	if q.Remote != "" {
		if theirs, err = m.held(ctx, q.Remote); err != nil {
			return nil, err
		}
	}
	if c.allowed, err = m.allowedIn(ctx, theirs); err != nil {
		return nil, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	c.lives = s.lives
	if c.present, err = m.present(ctx); err != nil {
		return nil, err
	}
	c.targets, err = c.choose(ctx, theirs)
	return c, err
}

// choose returns the refs that the query asks for.
func (c *checker) choose(ctx context.Context, theirs []target) (iter.Seq2[target, error], error) {
	switch {
	case len(c.query.IDs) == 0 && c.query.Remote == "":
		odd, err := c.memory.odd(ctx)
		if !c.query.Private {
			odd = slices.DeleteFunc(odd, func(t target) bool { return isPrivate(t.name) })
		}
		all := c.memory.local(ctx, odd)
		if c.query.Private {
			all = inTurn(c.memory.privateTargets(ctx), all)
		}
		return all, err
	case len(c.query.IDs) == 0:
		c.beside = recordsAmong(theirs)
		return each(theirs), nil
	}
	named, err := c.memory.targets(ctx, c.query.IDs)
	if err != nil || c.query.Remote == "" {
		return each(named), err
	}
	asked := map[packet.ID]bool{}
	for _, t := range named {
		asked[t.ref.Name.ID] = true
	}
	theirs = slices.DeleteFunc(theirs, func(t target) bool { return !asked[t.ref.Name.ID] })
	if len(theirs) == 0 {
		return nil, fmt.Errorf("none of these records on remote %q: %w", c.query.Remote, ErrNotFound)
	}
	return each(theirs), nil
}

// each yields what a list holds.
func each(list []target) iter.Seq2[target, error] {
	return func(yield func(target, error) bool) {
		for _, t := range list {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// A stored is a target and what lies there.
type stored struct {
	target
	object  refs.Object
	verdict sign.Verdict // who vouches for it; the zero value where nobody asked
	lacks   string       // what it lacks of the signature that is required
}

// stored reads what the targets hold, one group after the other.
func (c *checker) stored(ctx context.Context) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		young := func(t target) bool {
			older := c.isOlder(t)
			if older {
				c.older++
			}
			return !older
		}
		for group, err := range inGroups(c.targets, young) {
			if err != nil {
				yield(stored{}, err)
				return
			}
			if !c.read(ctx, group, yield) {
				return
			}
		}
	}
}

// isOlder tells a record that was saved before the time in question. A name that
// is no record's has no time.
func (c *checker) isOlder(t target) bool {
	return !c.since.IsZero() && t.ref.Name.ID != "" && t.ref.Name.ID.Time().Before(c.since)
}

// read reads a group and reports whether the caller wants more. A record that
// cannot be read for a reason of its own becomes a target with that flaw.
func (c *checker) read(ctx context.Context, group []target, yield func(stored, error) bool) bool {
	wanted := make([]refs.Wanted, 0, len(group))
	for _, t := range group {
		if t.flaw == "" && t.later.ID == "" {
			wanted = append(wanted, refs.Wanted{Ref: t.ref, Limit: refs.Bound(t.ref.Name.Kind)})
		}
	}
	found := c.memory.store.ReadMany(ctx, wanted)
	for _, t := range group {
		s := stored{target: t}
		var err error
		switch {
		case t.flaw != "":
		case t.later.ID != "":
			s.object, err = c.endorsement(ctx, t.later)
			err = s.explainEndorsement(err)
		default:
			s.object, err = found[0].Object, s.explain(found[0].Err)
			found = found[1:]
		}
		if err == nil {
			err = c.vouch(ctx, &s)
		}
		if err != nil {
			yield(stored{}, err)
			return false
		}
		if !yield(s, nil) {
			return false
		}
	}
	return true
}

// explain turns an error of the record into a flaw, and returns any other.
func (s *stored) explain(err error) error {
	large, tooLarge := errors.AsType[*refs.TooLargeError](err)
	switch {
	case tooLarge:
		s.flaw, s.why = ruleSize, fmt.Sprintf("it has %d bytes, which is too much to be read", large.Size)
	case IsUnreadable(err):
		s.flaw, s.why = ruleObject, refs.Flaw(err)
	default:
		return err
	}
	return nil
}

// judge says what is wrong with one target. It is called by several workers.
func (c *checker) judge(s stored) Checked {
	if s.later.ID != "" {
		return c.judgeEndorsement(s)
	}
	d := Document{
		Subject: s.name, Name: s.ref.Name, Data: s.object.Data, OID: s.object.OID, Tag: s.object.Tag,
		Strict: c.query.Strict, Rules: c.rules, Verdict: s.verdict,
	}
	in := begin(d)
	if s.flaw != "" {
		in.add(s.flaw, "", s.why)
		return in.checked()
	}
	rec := in.record()
	if s.lacks != "" {
		in.add(ruleVouched, "", c.rules.MaskText(s.lacks))
	}
	for _, l := range links(rec) {
		if !c.present.has(l.id) {
			in.add(ruleMissing, l.pointer, "it names "+nameOf(l.id)+", which is not here")
		}
	}
	if s.ref.Conflict {
		in.add(ruleContested, "", "another record stands under this name in another clone")
	}
	checked := in.checked()
	checked.Object = s.ref.Object
	if s.ref.Conflict {
		checked.Record = "" // What is allowed in one of the two is not allowed in the other.
	}
	return checked
}

// unused tells what is allowed in the records that were looked at, and was not found in them.
func (c *checker) unused(seen map[packet.ID]bool) Checked {
	var all Checked
	for _, of := range c.allowed.unused(seen) {
		d := Document{Subject: of.Ref, Name: refs.Name{Kind: refs.Events, ID: of.Event}}
		all.Results = append(all.Results, resultOf(ruleUnused, d, "/value", "it allows a finding that is not in packet "+string(of.Record)))
	}
	return all
}

// nameOf says which record is meant, where that is an id and no other text.
func nameOf(id string) string {
	if id, err := packet.ParseID(id); err == nil {
		return string(id)
	}
	return "a record"
}
