package replay

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
)

// The kinds of events about findings.
const (
	AllowEvent    = "allow"
	DisallowEvent = "disallow"
)

// MaxAllowed is how long a finding can be allowed: 365 days and the rest of a day.
const MaxAllowed = 366 * 24 * time.Hour

// DefaultAllowed is how long what a save lets through is allowed.
const DefaultAllowed = 365 * 24 * time.Hour

// fingerprintForm is how the fingerprint of a finding looks.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var fingerprintForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v1:[0-9a-f]{16}$`) })

// An Allowance says that one finding may stay for some time.
type Allowance struct {
	Fingerprint string    `json:"fingerprint"`
	Record      packet.ID `json:"record"` // the record that holds the finding
	// what the ref of the record names; the same name with another object is another record
	Object string    `json:"-"`
	By     string    `json:"by"`  // in the words of the event, with masks in the place of secrets
	Why    string    `json:"why"` // as well
	Until  time.Time `json:"until"`
	Event  packet.ID `json:"event"`            // the event that says so
	Ref    string    `json:"-"`                // its full name
	Remote string    `json:"remote,omitempty"` // the remote that holds it; empty for an event of this clone
	// it does not count: this clone did not make it, and no trusted key signed it
	Claim bool `json:"-"`
}

// Allowed are the findings that people allowed. Nil is none.
type Allowed struct {
	At   time.Time
	All  map[string]Allowance // by fingerprint, expired ones too
	used map[string]bool
}

// Allowed returns what is allowed here: by the events that this clone made, or that a trusted key signed.
// What anybody else says is a claim, wherever it lies: what is checked must not say what passes.
func (r *Reader) Allowed(ctx context.Context) (*Allowed, error) {
	if r.allowed == nil {
		events, err := r.AllowEvents(ctx)
		if err != nil {
			return nil, err
		}
		r.allowed, err = r.AllowedBy(ctx,
			slices.DeleteFunc(events, func(e Entry) bool { return !e.Decides() }))
		if err != nil {
			return nil, err
		}
	}
	return r.allowed, nil
}

// Decides tells whether an event about a finding counts here.
func (e Entry) Decides() bool { return e.Made || e.Verdict.Standing.Vouched() }

// AllowEvents reads the events about findings, of this clone and of remotes. What cannot be read or is
// withheld is left out; lists and checks tell of it.
func (r *Reader) AllowEvents(ctx context.Context) ([]Entry, error) {
	all, err := Collect(r.opts.Store.List(ctx, refs.Query{Kind: refs.Events, Remotes: true}))
	if err == nil {
		all, err = r.Counting(ctx, all)
	}
	if err != nil {
		return nil, err
	}
	var events []Entry
	for _, ref := range all {
		e, err := r.Read(ctx, ref)
		if err != nil && !IsUnreadable(err) {
			return nil, err
		}
		if err == nil && (e.event.Event == AllowEvent || e.event.Event == DisallowEvent) &&
			e.Withheld(Asked) == "" {
			events = append(events, e)
		}
	}
	return events, nil
}

// AllowedBy folds events.
func (r *Reader) AllowedBy(ctx context.Context, events []Entry) (*Allowed, error) {
	rules, err := r.opts.Rules.Rules(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(events, inTime)
	a := &Allowed{At: r.opts.Now(), All: map[string]Allowance{}, used: map[string]bool{}}
	for _, e := range events {
		if len(e.event.Targets) != 1 || !fingerprintForm().MatchString(e.event.Value) {
			continue
		}
		id, err := packet.ParseID(e.event.Targets[0])
		if err != nil {
			continue
		}
		name, _ := refs.ParseName(e.Ref)
		by := e.event.Provenance
		switch {
		case e.event.Event == DisallowEvent && a.All[e.event.Value].Record == id:
			delete(a.All, e.event.Value)
		case e.event.Event == AllowEvent && a.isBounded(e.event):
			a.All[e.event.Value] = Allowance{
				Fingerprint: e.event.Value, Record: id, Object: e.event.Object,
				By:  rules.MaskText(cmp.Or(by.AuthorHuman, by.AuthorModel, by.Agent, "an author without a name")),
				Why: rules.MaskText(e.event.Why), Until: e.event.ExpiresAt, Event: e.ID,
				Ref: refs.Ref{Name: name, Remote: e.Remote}.Full(), Remote: e.Remote, Claim: !e.Decides(),
			}
		}
	}
	return a, nil
}

// isBounded tells an event that says all that it must, and nothing for ever.
func (a *Allowed) isBounded(e packet.Event) bool {
	from := e.CreatedAt
	if from.After(a.At) {
		from = a.At
	}
	return e.Why != "" && e.Object != "" && !e.ExpiresAt.IsZero() && !e.ExpiresAt.After(from.Add(MaxAllowed))
}

// findAllowance returns what is said of a finding in a record, and whether it counts now. What was said of a
// record holds of the object that its ref named then: a weak secret is named by its place, where another
// object may have another secret.
func (a *Allowed) findAllowance(id packet.ID, object, fingerprint string) (of Allowance, known, now bool) {
	if a == nil {
		return Allowance{}, false, false
	}
	of, known = a.All[fingerprint]
	known = known && of.Record == id && of.Object == object
	return of, known, known && of.Until.After(a.At)
}

// Suppress marks the results about secrets that are allowed, so that they do not count. It is not safe for
// concurrent use.
func (a *Allowed) Suppress(c check.Checked) {
	for i := range c.Results {
		r := &c.Results[i]
		of, known, now := a.findAllowance(c.Record, c.Object, r.Fingerprint)
		if r.Area != report.Secret || !known {
			continue
		}
		if !now {
			r.Message += "; it was allowed until " + of.Until.UTC().Format(time.DateOnly)
			continue
		}
		a.used[r.Fingerprint] = true
		r.Suppressed = &report.Suppression{By: of.By, Why: of.Why, Until: of.Until, Record: string(of.Event)}
		if of.Remote != "" {
			r.Suppressed.By += " (remote " + of.Remote + ")"
		}
	}
}

// Unused returns what is allowed now in records that were looked at, and was not found there.
func (a *Allowed) Unused(seen map[packet.ID]bool) []Allowance {
	var all []Allowance
	for fingerprint, of := range a.All {
		if seen[of.Record] && of.Until.After(a.At) && !a.used[fingerprint] {
			all = append(all, of)
		}
	}
	slices.SortFunc(all, func(a, b Allowance) int { return cmp.Compare(a.Event, b.Event) })
	return all
}

// notAllowed returns those of the findings in a packet that are not allowed here.
func (r *Reader) notAllowed(ctx context.Context, ref refs.Ref,
	hits []redact.Finding,
) ([]redact.Finding, error) {
	allowed, err := r.Allowed(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(hits, func(f redact.Finding) bool {
		_, _, now := allowed.findAllowance(ref.Name.ID, ref.Object, f.Fingerprint(string(ref.Name.ID)))
		return now
	}), nil
}
