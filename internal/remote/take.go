package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/upstream"
	"github.com/git-ltm/git-ltm/internal/view"
)

// An exchange that takes many records collects its garbage at once when the process has so much memory of all
// kinds.
const (
	manyOffers = 1000
	manyMemory = 96 << 20
)

// takeRecords brings what the remote holds and this clone does not, and takes what passes the gate. Of a push
// only events come: they tell what was purged, and that must not go back.
func (x *exchange) takeRecords(ctx context.Context) error {
	if x.request.DryRun {
		for name := range x.listMissing().All() {
			if _, ok := refs.Parse(name); ok && x.request.Way.isPull() {
				x.out.Pulled = append(x.out.Pulled, name)
			}
		}
		return nil
	}
	if err := x.fetchMissing(ctx); err != nil {
		return err
	}
	offers, err := x.listOffers(ctx)
	if err != nil {
		return err
	}
	some := offers.Len() > 0
	if offers.Len() > manyOffers {
		debug.SetMemoryLimit(manyMemory)
	}
	if some {
		x.tellProgress("judge", 0, offers.Len())
		got, err := x.memory.Intake().Admit(ctx, offers)
		if err != nil {
			return err
		}
		x.out.Pulled = got.Taken
		// What a plain fetch brought once, and the remote lost since, is nobody's concern any more.
		lost := func(r accept.Refusal) bool { return x.theirs.refs.Find(r.Ref) == "" }
		x.noteWithheld(There, slices.DeleteFunc(got.Refused, lost)...)
	}
	x.out.Stray, x.out.Strays = x.theirs.stray, len(x.theirs.stray)
	archived, err := x.takeArchives(ctx)
	if err != nil {
		return err
	}
	if err := x.noteDelivery(ctx); err != nil {
		return err
	}
	if !archived && !some { // Where nothing came, nothing new was purged.
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
	x.out.Removed, x.out.Hidden, x.out.Heirs = lostRefs(buried.Gone), lostRefs(buried.Hidden), buried.Heirs
	return x.lookHere(ctx)
}

// noteDelivery writes down by which address the records came that this clone accepted, and what the upstream
// says of its store.
func (x *exchange) noteDelivery(ctx context.Context) error {
	if len(x.out.Pulled) == 0 {
		return nil
	}
	address, _ := x.config.Addresses(x.request.Remote)
	x.memory.Intake().Delivered(x.out.Pulled, address)
	u, _, err := upstream.Of(x.repo)
	if err != nil || u.Remote != x.request.Remote || u.URL != upstream.Address(address) {
		return err
	}
	return LearnStore(ctx, x.memory, u, x.out.Pulled)
}

// Moved lets what a remote delivered by one address count as delivered by the one to which it moved. The index
// knows authors by the address, and is made again.
func Moved(m *memory.Memory, from, to string) error {
	err := m.Intake().Readdressed(from, to)
	if err == nil {
		err = view.StateFile(view.In(m.Repo().Local())).Remove()
	}
	return err
}

// listMissing are the refs that the remote holds and this clone does not, of those that this exchange wants.
func (x *exchange) listMissing() git.RefList {
	if x.same {
		return git.RefList{}
	}
	return x.theirs.refs.Without(x.ours).Without(x.tracked).Only(func(name, _ string) bool {
		return name != refs.FormatRef && x.wantsRef(name) && !x.leavesThere(name)
	})
}

// wantsRef tells the names that an exchange in this way brings.
func (x *exchange) wantsRef(name string) bool {
	if x.request.Way.isPull() {
		return true
	}
	of, ok := refs.Parse(name)
	return !ok || of.Kind == refs.Events
}

// listOffers are the records among what is tracked that this clone does not hold: what came now, what a plain
// fetch brought, what was not taken before, and what the remote held once and lost. A name that holds another
// record here is told.
func (x *exchange) listOffers(ctx context.Context) (_ git.RefList, err error) {
	archived := x.archiveLookup(ctx, x.ours.Below(archiveRoot), "")
	return x.tracked.Without(x.ours).Only(func(name, oid string) bool {
		if _, ok := refs.Parse(name); !ok || err != nil || !x.wantsRef(name) {
			return false
		}
		mine := cmp.Or(x.ours.Find(name), archived(name))
		if mine != "" && mine != oid {
			err = x.compareObjects(ctx, name, mine, oid)
		}
		return mine == ""
	}), err
}

// compareObjects tells whether two objects under one name are two records. Two signatures of one record are
// not: then this clone keeps the one that it has.
func (x *exchange) compareObjects(ctx context.Context, name, mine, theirs string) error {
	if x.theirs.refs.Find(name) != theirs {
		return nil // The remote does not hold it any more.
	}
	if x.theirs.refs.Peeled(name) == mine {
		return nil
	}
	same, err := x.store.SameBlob(ctx, mine, theirs)
	if err == nil && !same {
		x.withholdRef(There, name, accept.Contested)
	}
	return err
}

// lostRefs are the refs that this clone loses. What was only tracked here is none of those.
func lostRefs(gone []string) []string {
	tracked := func(ref string) bool { return !strings.HasPrefix(ref, refs.Root) }
	return slices.Compact(slices.DeleteFunc(gone, tracked))
}

// manyLost is how many refs are asked for one by one before the rest is given up, where none was had.
const manyLost = 20

// errShort says that a fetch that git calls done has not brought what the remote lists. Git takes an answer
// over http that ends too early for an empty list.
var errShort = errors.New("it ended before all that the remote lists had come")

// fetchMissing brings the objects that are missing, by their names: git makes no ref of them, and compares
// none with all that the remote lists. What is known to be purged does not come again. Where a fetch fails, each
// half of it is tried: a remote that lost the object of one ref hands out none of a fetch that asks for it. What
// the remote does not list any more is nobody's fault.
func (x *exchange) fetchMissing(ctx context.Context) error {
	wanted, err := x.listWanted(ctx)
	if err != nil || wanted.Len() == 0 {
		return err
	}
	x.tellProgress("fetch", 0, wanted.Len())
	some, lost := false, []Withheld(nil) // lost is what cannot be had.
	for parts := []git.RefList{wanted}; len(parts) > 0; {
		part := parts[0]
		parts = parts[1:]
		failed := x.fetchObjects(ctx, part)
		if failed == nil {
			some = true
			continue
		}
		now, gone := x.lookThere(ctx)
		if gone != nil {
			return failed
		}
		part = part.Only(func(name, oid string) bool { return now.refs.Find(name) == oid })
		switch n := part.Len(); {
		case n > 1:
			parts = append([]git.RefList{part.Part(0, n/2), part.Part(n/2, n)}, parts...)
		case n == 1:
			why := "the remote lists it and does not hand it out: " + failed.Error()
			lost = append(lost, Withheld{part.At(0).Name, []string{why}, There})
		}
		if !some && len(lost) >= manyLost {
			return failed
		}
	}
	x.out.Withheld = append(x.out.Withheld, lost...)
	before := x.listMissing().Len()
	x.came = x.came.With(wanted) // Whether it came is seen now.
	if err := x.lookHere(ctx); err != nil {
		return err
	}
	if some && x.listMissing().Len() >= before {
		return fmt.Errorf("fetch from %q: %w", x.request.Remote, errShort)
	}
	return nil
}

// listWanted are the refs whose objects a fetch has to bring: not those of what was purged.
func (x *exchange) listWanted(ctx context.Context) (git.RefList, error) {
	missing := x.listMissing()
	if missing.Len() == 0 {
		return missing, nil
	}
	purged, err := x.memory.Tombstones(ctx)
	if err != nil {
		return missing, err
	}
	waits, err := x.memory.Quarantined(ctx)
	return missing.Only(func(name, _ string) bool {
		of, ok := refs.Parse(name)
		return !ok || !purged[of.ID].Sure && !waits[of.ID] || !purged[of.ID].Reaches(name)
	}), err
}

// fetchObjects brings the objects that refs of the remote name.
func (x *exchange) fetchObjects(ctx context.Context, specs git.RefList) error {
	objects := make([]string, 0, specs.Len())
	for _, oid := range specs.All() {
		objects = append(objects, oid)
	}
	slices.Sort(objects)
	return x.repo.FetchInto(ctx, x.request.Remote, slices.Compact(objects))
}
