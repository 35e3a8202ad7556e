package remote

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// take brings what the remote holds and this clone does not, and takes what passes the gate. Of a push only events come:
// they tell what was purged, and that must not go back.
func (x *exchange) take(ctx context.Context) error {
	if x.request.DryRun {
		x.rehearse()
		return nil
	}
	if err := x.fetch(ctx); err != nil {
		return err
	}
	offers, err := x.offers(ctx)
	if err != nil {
		return err
	}
	if len(offers) > 0 {
		x.progress("judge", 0, len(offers))
		got, err := x.memory.Intake().Admit(ctx, offers)
		if err != nil {
			return err
		}
		x.out.Pulled = got.Taken
		// What a plain fetch brought once, and the remote lost since, is nobody's concern any more.
		lost := func(r accept.Refusal) bool { return x.theirs.refs[r.Ref] == "" }
		x.withhold(There, slices.DeleteFunc(got.Refused, lost)...)
	}
	x.out.Stray = x.theirs.stray
	archived, err := x.takeArchives(ctx)
	if err != nil {
		return err
	}
	if err := x.noteDelivery(ctx); err != nil {
		return err
	}
	if !archived && len(offers) == 0 { // Where nothing came, nothing new was purged.
		if again, err := x.memory.Purges().Lingers(ctx, x.ours); err != nil || !again {
			x.calm = x.same && err == nil
			return err
		}
	}
	// Takes out what was purged elsewhere, and what is here again of what was purged before.
	from := x.request.Remote
	if strings.HasPrefix(from, bundlePrefix) {
		from = "" // Its name means nothing to anybody.
	}
	buried, err := x.memory.Purges().Bury(ctx, from)
	if err != nil {
		return err
	}
	x.out.Removed, x.out.Hidden = lost(buried.Gone), lost(buried.Hidden)
	return x.lookHere(ctx)
}

// noteDelivery writes down by which address the records came that this clone accepted, and what the upstream says of its store.
func (x *exchange) noteDelivery(ctx context.Context) error {
	if len(x.out.Pulled) == 0 {
		return nil
	}
	address, _ := x.config.Get("remote." + x.request.Remote + ".url")
	if !strings.HasPrefix(x.request.Remote, bundlePrefix) { // Git has no address for a bundle, which is a file.
		var err error
		if address, err = x.repo.RemoteURL(ctx, x.request.Remote); err != nil {
			return err
		}
	}
	x.memory.Intake().Delivered(x.out.Pulled, address)
	u, _, err := upstream.Of(x.repo)
	if err != nil || u.Remote != x.request.Remote || u.URL != upstream.Address(address) {
		return err
	}
	return LearnStore(ctx, x.memory, u, x.out.Pulled)
}

// rehearse tells what a pull would look at.
func (x *exchange) rehearse() {
	if !x.request.Way.pulls() {
		return
	}
	for name := range x.missing() {
		if _, _, ok := parts(name); ok {
			x.out.Pulled = append(x.out.Pulled, name)
		}
	}
	slices.Sort(x.out.Pulled)
}

// missing are the names and objects that the remote holds and this clone does not, of those that this exchange wants.
func (x *exchange) missing() map[string]string {
	missing := map[string]string{}
	if x.same {
		return missing
	}
	for name, oid := range x.theirs.refs {
		known := x.ours[name] == oid || x.tracked[name] == oid || name == refs.FormatRef
		if !known && x.wants(name) && !x.leaves(name) {
			missing[name] = oid
		}
	}
	return missing
}

// wants tells the names that an exchange in this way brings.
func (x *exchange) wants(name string) bool {
	if x.request.Way.pulls() {
		return true
	}
	kind, _, ok := parts(name)
	return !ok || kind == refs.Events
}

// offers are the records among what is tracked that this clone does not hold: what came now, what a plain fetch brought,
// what was not taken before, and what the remote held once and lost. A name that holds another record here is told.
func (x *exchange) offers(ctx context.Context) ([]check.Offer, error) {
	var names []string
	for name, oid := range x.tracked {
		if x.ours[name] == oid {
			continue
		}
		if _, _, ok := parts(name); ok && x.wants(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	archived, err := x.lookInto(ctx, archivesAmong(x.ours, ""), len(names))
	if err != nil {
		return nil, err
	}
	var offers []check.Offer
	for _, name := range names {
		oid, mine := x.tracked[name], x.ours[name]
		if mine == "" {
			mine = archived(name)
		}
		switch mine {
		case oid:
		case "":
			offers = append(offers, check.Offer{Ref: name, OID: oid})
		default:
			if err := x.compare(ctx, name, mine, oid); err != nil {
				return nil, err
			}
		}
	}
	return offers, nil
}

// compare tells whether two objects under one name are two records. Two signatures of one record are not: then this clone
// keeps the one that it has.
func (x *exchange) compare(ctx context.Context, name, mine, theirs string) error {
	if now, ok := x.theirs.refs[name]; !ok || now != theirs {
		return nil // The remote does not hold it any more.
	}
	if x.theirs.behind[name] == mine {
		return nil
	}
	same, err := x.store.SameBlob(ctx, mine, theirs)
	if err == nil && !same {
		x.withhold(There, accept.Refusal{Ref: name, Why: []string{accept.Contested}})
	}
	return err
}

// lost are the refs that this clone loses. What was only tracked here is none of those.
func lost(gone []string) []string {
	tracked := func(ref string) bool { return !strings.HasPrefix(ref, refs.Root) }
	return slices.Compact(slices.DeleteFunc(gone, tracked))
}
