// Package accept takes in records that others made: from a remote, out of an archive, or brought by a person.
// Each is parsed, validated and scanned before this clone holds it, and it judges in the same way what is
// about to leave.
package accept

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
)

// Options is what an Intake works with. All is required.
type Options struct {
	gate.Tools

	Purges *purge.Purges
}

// Intake judges records that others made, and takes in those that pass.
type Intake struct{ opts Options }

// New returns one.
func New(o Options) *Intake { return &Intake{o} }

// Refusal is a ref that does not pass the gate, and every reason why.
type Refusal struct {
	Ref    string // its name, with masks in the place of secrets
	Why    []string
	Secret bool // one of the reasons is a secret
	Format bool // no reason but that this version cannot read it, which a later one may
}

// Admission is what became of records that a remote has sent.
type Admission struct {
	Taken   []string // full names of the refs that this clone holds now and did not before
	Refused []Refusal
}

// Offer lets everything that reads show what was fetched from a remote and has no ref here, as if a ref
// tracked it: names below refs/ltm, and their objects.
func (n *Intake) Offer(remote string, refs git.RefList) {
	n.opts.Store.Remote(remote).Offer(refs)
	n.opts.Reader.Forget()
}

// Admit judges refs that a remote has sent, one by one, and makes those of this clone that pass. The objects
// are here. What was purged is passed over. Events come first, because they say what of the others was
// purged, and what is allowed in them.
func (n *Intake) Admit(ctx context.Context, offers git.RefList) (Admission, error) {
	return n.admitBy(ctx, offers, n.opts.Store.Import)
}

// admitBy does so with another way to keep what passes, which returns the names that are taken meanwhile.
func (n *Intake) admitBy(ctx context.Context, offers git.RefList,
	keep func(context.Context, git.RefList) ([]string, error),
) (Admission, error) {
	n.opts.Reader.Forget()
	var all Admission
	ids := map[packet.ID]bool{}
	for ref := range offers.All() {
		if name, ok := refs.ParseName(ref); ok && name.Kind == refs.Events {
			ids[name.ID] = true
		}
	}
	first := offers.Only(func(ref, _ string) bool { // The later signatures of events go with them.
		name, _ := refs.Parse(ref)
		return name.Kind == refs.Events || name.Key != "" && ids[name.ID]
	})
	for _, group := range []git.RefList{first, offers.Without(first)} {
		got, err := n.admitGroup(ctx, group, keep)
		if err != nil {
			return Admission{}, err
		}
		all.Taken, all.Refused = append(all.Taken, got.Taken...), append(all.Refused, got.Refused...)
	}
	return all, nil
}

// admitGroup judges offers, and keeps those that pass, all at once.
func (n *Intake) admitGroup(ctx context.Context, offers git.RefList,
	keep func(context.Context, git.RefList) ([]string, error),
) (Admission, error) {
	s, err := n.opts.Reader.Fold(ctx)
	if err != nil {
		return Admission{}, err
	}
	offers = offers.Only(func(ref, _ string) bool { return !s.Gone(ref) })
	if offers.Len() == 0 {
		return Admission{}, nil
	}
	if offers, err = n.withoutCrowd(ctx, offers); err != nil {
		return Admission{}, err
	}
	var refused []Refusal
	archives, err := n.opts.Store.Archives.List(ctx)
	if err != nil {
		return Admission{}, err
	}
	// Only an archive lets a remote show two records of one name. The one stays away beside which it shows one
	// that a trusted key signed.
	offers = offers.Only(func(ref, oid string) bool {
		if len(archives) == 0 || err != nil {
			return true
		}
		var eclipsed bool
		if eclipsed, err = n.opts.Reader.Eclipsed(ctx, refOf(ref, oid)); eclipsed {
			refused = append(refused, Refusal{Ref: ref, Why: []string{eclipsedThere}})
		}
		return !eclipsed
	})
	if err != nil {
		return Admission{}, err
	}
	passed, more, err := n.Pass(ctx, offers, Coming)
	if err != nil {
		return Admission{}, err
	}
	refused = append(refused, more...)
	var events []refs.Ref
	for ref, oid := range passed.All() {
		if of := refOf(ref, oid); of.Name.Kind == refs.Events {
			events = append(events, of)
		}
	}
	if err := replay.NewArrivals(n.opts.Reader).LetWait(ctx, events); err != nil {
		return Admission{}, err
	}
	occupied, err := keep(ctx, passed)
	if err != nil {
		return Admission{}, err
	}
	for _, ref := range occupied {
		refused = append(refused,
			Refusal{Ref: ref, Why: []string{"another record has taken the name here at this moment"}})
	}
	all := Admission{Refused: refused}
	for ref := range passed.All() {
		if _, lost := slices.BinarySearch(occupied, ref); !lost {
			all.Taken = append(all.Taken, ref)
		}
	}
	n.opts.Reader.Forget()
	return all, nil
}

// withoutCrowd leaves out the events of strangers that would not count beside those that are here. They stay
// where they are offered.
func (n *Intake) withoutCrowd(ctx context.Context, offers git.RefList) (git.RefList, error) {
	if offers.Len() <= replay.MostOfKind {
		return offers, nil
	}
	events, err := replay.Collect(n.opts.Reader.Everything(ctx, refs.Query{Kind: refs.Events, Remotes: true}))
	if err != nil {
		return offers, err
	}
	counts := map[packet.ID]bool{}
	for _, ref := range events {
		counts[ref.Name.ID] = true
	}
	for name, oid := range offers.All() {
		if ref := refOf(name, oid); ref.Name.Kind == refs.Events && ref.Name.Key == "" && !counts[ref.Name.ID] {
			events = append(events, ref)
		}
	}
	if events, err = n.opts.Reader.Counting(ctx, events); err != nil {
		return offers, err
	}
	clear(counts)
	for _, ref := range events {
		counts[ref.Name.ID] = true
	}
	return offers.Only(func(name, oid string) bool {
		return !n.opts.Reader.IsStrange(oid) || counts[refOf(name, oid).Name.ID]
	}), nil
}

const eclipsedThere = "another record has this name on a remote, and a trusted key has signed that one " +
	"(contested)"

// refOf is the ref that an offer would make.
func refOf(ref, oid string) refs.Ref {
	name, _ := refs.Parse(ref)
	return refs.Ref{Name: name, Object: oid}
}

// Bearing says whether records come to this clone or leave it.
type Bearing int

// The bearings.
const (
	Coming Bearing = iota
	Going
)

// passAtOnce is how many records pass at once: what is known of each while it is judged takes some hundred
// bytes.
const passAtOnce = 2048

// Pass parts refs into those that pass the gate and those that do not.
func (n *Intake) Pass(ctx context.Context, offers git.RefList,
	bearing Bearing,
) (passed git.RefList, refused []Refusal, err error) {
	signed := map[packet.ID]bool{}
	for ref := range offers.All() {
		if of, _ := refs.Parse(ref); of.Key != "" {
			signed[of.ID] = true
		}
	}
	// Records that come with a later signature are judged beside it.
	beside := offers.Only(func(ref, _ string) bool {
		of, _ := refs.Parse(ref)
		return signed[of.ID]
	})
	groups, rest := []git.RefList{beside}, offers.Without(beside)
	for at := 0; at < rest.Len(); at += passAtOnce {
		groups = append(groups, rest.Part(at, min(at+passAtOnce, rest.Len())))
	}
	out := map[string]bool{}
	for _, group := range groups {
		all := make([]check.Offer, 0, group.Len())
		for ref, oid := range group.All() {
			o := check.Offer{Ref: ref, OID: oid}
			if bearing == Going {
				o.From = ref
			}
			all = append(all, o)
		}
		at := 0
		for c, err := range n.CheckOffers(ctx, all) {
			if err != nil {
				return git.RefList{}, nil, err
			}
			if r := refusalOf(c); len(r.Why) > 0 {
				refused, out[all[at].Ref] = append(refused, r), true
				if i := slices.IndexFunc(c.Results, func(r report.Result) bool {
					return r.Rule == check.RuleSchema
				}); i >= 0 {
					n.opts.Reader.NoteInvalid(refOf(all[at].Ref, all[at].OID),
						errors.New(c.Results[i].Pointer+" "+c.Results[i].Message))
				}
			}
			at++
		}
		if at != len(all) {
			return git.RefList{}, nil, fmt.Errorf("check %d refs: only %d were looked at", len(all), at)
		}
	}
	slices.SortStableFunc(refused, func(a, b Refusal) int { return strings.Compare(a.Ref, b.Ref) })
	return offers.Only(func(ref, _ string) bool { return !out[ref] }), refused, nil
}

// refusalOf collects the results that keep a ref from passing.
func refusalOf(c check.Checked) Refusal {
	r := Refusal{Ref: c.Subject, Format: true}
	for _, result := range c.Results {
		if result.Level != report.Error || result.Suppressed != nil {
			continue
		}
		why := result.Message
		if result.Mask != "" {
			why = strings.TrimSpace(result.Pointer + " " + result.Mask + ": " + why)
		} else if result.Pointer != "" {
			why = result.Pointer + ": " + why
		}
		r.Why = append(r.Why, why+" ("+result.Rule+")")
		r.Format = r.Format &&
			slices.Contains([]string{
				check.RuleSchema, check.RuleEncoding, check.RuleKind, check.RuleSize,
				check.RuleReserved,
			}, result.Rule)
		r.Secret = r.Secret || result.Area == report.Secret
	}
	return r
}

// Delivered writes down that a remote delivered records, now and by its effective URL: full names of refs.
func (n *Intake) Delivered(names []string, address string) {
	n.opts.Seen.Deliver(names, address, n.opts.Now())
}

// Readdressed writes down that a remote moved from one effective URL to another.
func (n *Intake) Readdressed(from, to string) error { return n.opts.Seen.Readdress(from, to) }

// DeliveredBy is the effective URL of the remote that delivered a record which this clone did not make, "" for a
// bundle; not ok where that was not written down.
func (n *Intake) DeliveredBy(name refs.Name) (address string, ok bool) {
	address, _, ok = n.opts.Seen.Delivery(name)
	return address, ok && !n.opts.Seen.Made(name)
}

// InArchive returns the full names that the refs of an archive's records would have, and their objects.
func (n *Intake) InArchive(ctx context.Context, a refs.Archive) (map[string]string, error) {
	held, err := check.ReadArchive(ctx, n.opts.Store, a)
	names := make(map[string]string, len(held))
	for _, t := range held {
		names[t.Name] = t.Ref.Object
	}
	return names, err
}
