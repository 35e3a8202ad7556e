package memory

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
)

// privateRoot is where refs lie that are for one clone alone.
const privateRoot = "refs/ltm-local/"

// The rules of a push, beside those of a check.
const (
	rulePrivate = "push-private"
	ruleRenamed = "push-renamed"
	ruleRewrite = "push-rewrite"
	rulePurged  = "push-purged"
)

// Offer is a ref that somebody wants to give a repository.
type Offer struct {
	Ref  string // required: the full name that the receiver would give it
	OID  string // required: the object that it would name
	From string // the full name that the sender gives it; "" where that is not known
	Was  string // the object that the receiver holds under the name; "" for none
}

// PushRules returns the rules of [Memory.CheckOffers] that [Memory.Check] does not have, in a fixed order.
func PushRules() []report.Rule {
	return []report.Rule{
		{
			ID: rulePrivate, Area: report.Store, Level: report.Error,
			About: "Finds refs that are for one clone alone.", Advice: "push 'refs/ltm/*' and the branches by name; --mirror sends every ref",
		},
		{
			ID: ruleRenamed, Area: report.Store, Level: report.Error,
			About: "Finds records that are sent under another name than their own.", Advice: "push it under its own name",
		},
		{
			ID: ruleRewrite, Area: report.Store, Level: report.Error,
			About: "Finds records that would be written a second time.", Advice: "save yours under a new id with 'git ltm save --new-id'",
		},
		{
			ID: rulePurged, Area: report.Store, Level: report.Error,
			About: "Finds records that were purged before.", Advice: "run 'git ltm sync', which takes them out of this clone",
		},
	}
}

// Travels tells the names that [Memory.CheckOffers] has to judge: refs/ltm and what lies below the roots of ours, in
// letters of any case, because some file systems do not tell them apart.
func Travels(ref string) bool {
	for _, root := range []string{localRoot, privateRoot, trackingRoot} {
		if len(ref) >= len(root) && strings.EqualFold(ref[:len(root)], root) {
			return true
		}
	}
	return strings.EqualFold(ref+"/", localRoot)
}

// CheckOffers judges refs before a receiver has them, and yields what [Memory.Check] would of each, in the order of the
// offers. The objects have to be readable here. A finding is allowed by events that this repository has under their names
// already, and not by those that are offered. That a record names another which is not here is not told: it may come with
// the same push.
func (m *Memory) CheckOffers(ctx context.Context, offers []Offer) iter.Seq2[Checked, error] {
	return func(yield func(Checked, error) bool) {
		targets, err := m.offered(ctx, offers)
		if err != nil {
			yield(Checked{}, err)
			return
		}
		byRef := make(map[string]Offer, len(offers))
		for _, o := range offers {
			byRef[o.Ref] = o
		}
		for j, err := range m.judgeTargets(ctx, targets, byRef) {
			if !yield(j.Checked, err) || err != nil {
				return
			}
		}
	}
}

// judgedTarget is a target and what is wrong with it.
type judgedTarget struct {
	target
	Checked
}

// judgeTargets judges records that did not pass the gate yet, wherever they lie. Of the offers it takes what is known of where a
// target comes from.
func (m *Memory) judgeTargets(ctx context.Context, targets []target, offers map[string]Offer) iter.Seq2[judgedTarget, error] {
	return func(yield func(judgedTarget, error) bool) {
		c, err := m.targetChecker(ctx, targets)
		if err != nil {
			yield(judgedTarget{}, err)
			return
		}
		judge := func(s stored) judgedTarget { return judgedTarget{s.target, c.judgeOffer(s, offers[s.name])} }
		for j, err := range inOrder(ctx, runtime.GOMAXPROCS(0), c.stored(ctx), judge) {
			c.allowed.Suppress(j.Checked)
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

// offered says what is to be looked at of offers: refs, and what archives hold.
func (m *Memory) offered(ctx context.Context, offers []Offer) ([]target, error) {
	targets := make([]target, 0, len(offers))
	for _, o := range offers {
		of, err := m.offeredOne(ctx, o)
		if err != nil {
			return nil, err
		}
		targets = append(targets, of...)
	}
	return targets, nil
}

// targetChecker makes a check of records ready that did not pass the gate yet.
func (m *Memory) targetChecker(ctx context.Context, targets []target) (*checker, error) {
	c := &checker{memory: m}
	var err error
	if c.rules, err = m.Rules(ctx); err != nil {
		return nil, err
	}
	if c.allowed, err = m.Allowed(ctx); err != nil {
		return nil, err
	}
	c.targets, c.beside = each(targets), recordsAmong(targets)
	if c.require, err = m.requiredOfOffers(ctx); err != nil {
		return nil, err
	}
	if err := m.endorseWith(ctx, targets); err != nil {
		return nil, err
	}
	return c, nil
}

// offeredOne says what is to be looked at of one offer.
func (m *Memory) offeredOne(ctx context.Context, o Offer) ([]target, error) {
	t := o.target()
	if t.flaw != "" && t.flaw != ruleReserved {
		return []target{t}, nil
	}
	if refs.IsArchive(o.Ref) {
		return m.offeredArchive(ctx, o)
	}
	if o.Ref == refs.FormatRef {
		return m.format(ctx, o.Ref, o.OID)
	}
	if err := m.examined.invalid(t.ref); err != nil && t.flaw == "" && t.later.ID == "" {
		t.flaw, t.why = ruleSchema, err.Error()
	}
	of, err := m.offeredPurged(ctx, o, t)
	if err == nil && o.From == "" && of.flaw == "" {
		err = m.refuseBeside(ctx, &of, nil)
	}
	return []target{of}, err
}

// refuseBeside gives a record the flaw that an archive of this repository, or one of its refs that are given, holds another
// one under its name.
func (m *Memory) refuseBeside(ctx context.Context, t *target, held map[string]string) error {
	if t.flaw != "" || t.ref.Name.ID == "" {
		return nil
	}
	object := held[t.ref.Name.Ref()]
	if object == "" {
		archived, found, err := m.store.Archived(ctx, t.ref.Name)
		if err != nil || !found {
			return err
		}
		object = archived.Object
	}
	if object != t.ref.Object {
		t.flaw, t.why = ruleRewrite, "records are written once, and the receiver holds another object under this name"
	}
	return nil
}

// offeredPurged gives a record that was purged the flaw that it is offered again.
func (m *Memory) offeredPurged(ctx context.Context, o Offer, t target) (target, error) {
	s, err := m.fold(ctx)
	if err != nil {
		return t, err
	}
	stone, purged := s.purged[idOf(o.Ref)], s.gone(o.Ref)
	if purged && !stone.Sure && t.ref.Name.ID != "" {
		signed, err := m.signedBehind(ctx, t.ref)
		if err != nil {
			return t, err
		}
		purged = !signed
	}
	if purged {
		t.flaw, t.why = rulePurged, "it was purged here, and a purge counts for ever"
	}
	return t, nil
}

// target says what is to be looked at. What has no business where it would go is not read.
func (o Offer) target() target {
	t := target{name: o.Ref}
	name, ok := refs.ParseName(o.Ref)
	later, isLater := refs.ParseEndorsement(o.Ref)
	switch {
	case isPrivate(o.Ref) || isPrivate(o.From):
		t.flaw, t.why = rulePrivate, "it is for one clone alone: drafts, private records, and what remotes hold are never sent"
	case !strings.HasPrefix(o.Ref, localRoot) && o.From != "" && strings.HasPrefix(o.From, localRoot):
		t.flaw, t.why = ruleRenamed, "it would lie outside of refs/ltm, where nobody finds it as a record"
	case isLater:
		t.later = later
		t.later.Object = o.OID
	case !ok:
		return oddTarget(o.Ref, localRoot)
	default:
		t.ref = refs.Ref{Name: name, Object: o.OID}
	}
	return t
}

func isPrivate(ref string) bool {
	return strings.HasPrefix(ref, privateRoot) || strings.HasPrefix(ref, trackingRoot)
}

// judgeOffer says what is wrong with one offer. It is called by several workers.
func (c *checker) judgeOffer(s stored, o Offer) Checked {
	if s.flaw == rulePrivate || s.flaw == ruleRenamed || s.flaw == rulePurged || s.flaw == ruleRewrite {
		in := begin(Document{Subject: s.name, Rules: c.rules})
		in.refuse(s.flaw, s.why)
		return in.checked()
	}
	found := c.judge(s)
	found.Results = slices.DeleteFunc(found.Results, func(r report.Result) bool { return r.Rule == ruleMissing })
	in := &inspection{document: Document{Subject: found.Subject, Name: s.ref.Name}, results: found.Results}
	if strings.HasPrefix(o.From, localRoot) && o.From != o.Ref {
		in.refuse(ruleRenamed, "it has another name here")
	}
	if o.Was != "" && o.Was != o.OID {
		in.refuse(ruleRewrite, "records are written once, and the receiver has another object under this name")
	}
	checked := in.checked()
	checked.Object = o.OID
	if o.From != "" && o.From != o.Ref {
		checked.Record = "" // It need not be the record of that name here, in which a finding may be allowed.
	}
	return checked
}

// refuse reports that a rule of a push is broken.
func (in *inspection) refuse(rule, message string) {
	rules := PushRules()
	about := rules[slices.IndexFunc(rules, func(r report.Rule) bool { return r.ID == rule })]
	in.results = append(in.results, report.Result{
		Rule: rule, Area: about.Area, Level: about.Level, Subject: in.document.Subject, Message: message, Advice: about.Advice,
		Fingerprint: fingerprint(rule, in.document.named(), "", message),
	})
}
