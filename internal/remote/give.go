package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// give sends what this clone holds and the remote does not, of what passes the gate, and takes out there what was purged.
func (x *exchange) give(ctx context.Context) error {
	if x.request.Way == Forget {
		if err := x.unhide(ctx); err != nil {
			return err
		}
	}
	shy := x.request.Way == Forget || x.request.Way == Archive
	if x.request.Way == Pull || shy && len(x.theirs.refs) == 0 {
		return nil // Where no memory is, there is none to tidy up, and nobody asked to send any.
	}
	if err := x.guard(ctx); err != nil {
		return err
	}
	parcel, err := x.pack(ctx)
	if err != nil || parcel.empty() {
		return err
	}
	if err := x.mayGo(ctx, parcel); err != nil {
		return err
	}
	if x.request.DryRun {
		x.out.Pushed, x.out.Deleted = parcel.names(), slices.Sorted(maps.Keys(parcel.out()))
		return nil
	}
	if err := x.addFormat(ctx, &parcel); err != nil {
		return err
	}
	return x.deliver(ctx, parcel)
}

// guard refuses to send where rules of the scan cannot be read.
func (x *exchange) guard(ctx context.Context) error {
	if x.request.Way == Forget || x.request.Way == Pull {
		return nil
	}
	_, err := x.memory.RuleSource().Whole(ctx)
	return err
}

// unhide tells of records that were purged and that the remote holds and does not list: some hide
// refs from those who fetch.
func (x *exchange) unhide(ctx context.Context) error {
	shown, err := x.repo.RefsForPush(ctx, x.request.Remote, refs.Root)
	if err != nil {
		x.out.Blind = len(x.theirs.refs) == 0
		return nil //nolint:nilerr // Where nobody here may push, or nothing is there, more cannot be seen.
	}
	purged, err := x.memory.Tombstones(ctx)
	if err != nil {
		return err
	}
	for _, name := range shown {
		_, id, ok := parts(name)
		if ok && x.theirs.refs[name] == "" && purged[id].Sure && purged[id].Reaches(name) {
			why := fmt.Sprintf("the remote holds it and does not list it (uploadpack.hideRefs), so that nobody sees it go: "+
				"git push %s --delete %s", x.request.Remote, name)
			x.withhold(There, accept.Refusal{Ref: name, Why: []string{why}})
		}
	}
	return nil
}

// deliver sends a parcel, and tells what the remote was seen to make of it.
func (x *exchange) deliver(ctx context.Context, p parcel) error {
	s := sender{exchange: x, refused: map[string]string{}, of: len(p.stones) + len(p.rest) + len(p.out())}
	if err := s.sendAll(ctx, p); err != nil {
		return x.takesNothing(ctx, err)
	}
	return x.confirm(ctx, p, s.refused)
}

// addFormat lets the first exchange tell the remote which format the memory has.
func (x *exchange) addFormat(ctx context.Context, p *parcel) error {
	if x.theirs.refs[refs.FormatRef] != "" {
		return nil
	}
	oid, err := x.store.WriteFormat(ctx)
	if err != nil {
		return err
	}
	x.ours[refs.FormatRef] = oid
	p.rest = slices.Insert(p.rest, 0, git.PushChange{Ref: refs.FormatRef, New: oid})
	return nil
}

// confirm looks at the remote again, and tells only what is seen there.
func (x *exchange) confirm(ctx context.Context, p parcel, refused map[string]string) (err error) {
	if x.theirs, err = x.look(ctx); err != nil {
		return err
	}
	for _, c := range slices.Concat(p.stones, p.rest) {
		_, _, record := parts(c.Ref)
		now := x.theirs.refs[c.Ref]
		switch {
		case now == c.New && record:
			x.out.Pushed = append(x.out.Pushed, c.Ref)
		case now == c.New:
		case now != "" && x.theirs.behind[c.Ref] == c.New:
		case now == c.Old && refused[c.Ref] != "":
			x.withhold(Here, accept.Refusal{Ref: c.Ref, Why: []string{refused[c.Ref]}})
		case now != "":
			x.withhold(Here, accept.Refusal{Ref: c.Ref, Why: []string{"the remote has got another record under this name meanwhile (contested)"}})
		default:
			x.withhold(Here, accept.Refusal{Ref: c.Ref, Why: []string{reason(refused[c.Ref])}})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.out())) {
		why, isRefused := refused[name]
		switch {
		case x.theirs.refs[name] == "":
			x.out.Deleted = append(x.out.Deleted, name)
		case isRefused && x.request.Way != Forget:
			x.out.KeptPurged = append(x.out.KeptPurged, name)
			x.out.Kept = append(x.out.Kept, name)
		default:
			why = "it should be gone and is still on the remote: " + reason(why)
			x.withhold(There, accept.Refusal{Ref: name, Why: []string{why}})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.spare)) {
		if x.theirs.refs[name] != "" && refused[name] != "" {
			x.out.Kept = append(x.out.Kept, name)
		} else if x.theirs.refs[name] == "" && !refs.IsArchive(name) {
			x.out.Deleted = append(x.out.Deleted, name)
		}
	}
	slices.Sort(x.out.Pushed)
	return nil
}

// reason is what a remote said of a ref that it did not take.
func reason(said string) string {
	if said == "" {
		return "the remote does not show it"
	}
	return said
}
