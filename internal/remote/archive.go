package remote

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// takeArchives takes what passes of the archives of the remote that were tracked.
func (x *exchange) takeArchives(ctx context.Context) (came bool, err error) {
	skip := func(a refs.Archive) bool {
		name := refs.Archive{Name: a.Name}.Ref()
		return x.ours.Find(name) == a.Commit || x.leavesThere(name)
	}
	if !slices.ContainsFunc(archivesAmong(x.tracked.Below(archiveRoot), x.request.Remote), func(a refs.Archive) bool {
		return !skip(a)
	}) {
		return false, nil
	}
	got, err := x.memory.Intake().AdmitArchives(ctx, x.request.Remote, skip)
	if err != nil {
		return false, err
	}
	x.out.Pulled = append(x.out.Pulled, got.Taken...)
	x.noteWithheld(There, got.Refused...)
	return true, x.lookHere(ctx)
}

// archivesAmong are the archives among refs, by their full names and what they name.
func archivesAmong(side git.RefList, remote string) (all []refs.Archive) {
	for name, oid := range side.All() {
		if a, ok := refs.ArchiveAt(name, oid); ok {
			a.Remote = remote
			all = append(all, a)
		}
	}
	return all
}

// archiveLookup tells which object the archives of one side hold under the full name of a record, or nothing.
// What was not fetched is left out.
func (x *exchange) archiveLookup(ctx context.Context, side git.RefList,
	remote string,
) func(ref string) string {
	all := archivesAmong(side, remote)
	return func(ref string) string { return x.store.Archives.LookupIn(ctx, all, ref) }
}

// theirArchive is an archive that the remote holds and this clone does not.
type theirArchive struct {
	refs.Archive
	purged bool // it holds what was purged
}

// onlyTheirs lists the archives that can be read here and that only the remote holds.
func (x *exchange) onlyTheirs(ctx context.Context) (all []theirArchive, err error) {
	for _, a := range archivesAmong(x.theirs.archives(), x.request.Remote) {
		name := refs.Archive{Name: a.Name}.Ref()
		if x.ours.Find(name) != "" || x.leavesThere(name) {
			continue
		}
		tombstones, err := x.memory.Tombstones(ctx)
		if err != nil {
			return nil, err
		}
		held, err := x.memory.Intake().InArchive(ctx, a)
		if replay.IsUnreadable(err) {
			continue // It was told when it was not taken.
		}
		if err != nil {
			return nil, err
		}
		one := theirArchive{Archive: a}
		for ref := range held {
			of, _ := refs.Parse(ref)
			one.purged = one.purged || tombstones[of.ID].Reaches(ref)
		}
		all = append(all, one)
	}
	return all, nil
}

// packArchives chooses the archives that go, and those that are deleted on the remote: where a record
// was purged, once all else in them goes, and what the remote could do without.
func (x *exchange) packArchives(ctx context.Context, p *parcel) error {
	theirs, err := x.onlyTheirs(ctx)
	if err != nil {
		return err
	}
	var whole []refs.Archive // whole are those that hold nothing purged, and more than this clone takes.
	unclean := false
	for _, a := range theirs {
		if unclean = unclean || a.purged; !a.purged {
			whole = append(whole, a.Archive)
		}
	}
	var there []refs.Archive // there are those of this clone that the remote holds, or gets.
	lookup := x.archiveLookup(ctx, x.theirs.archives(), x.request.Remote)
	known := func(ref, object string) bool { return x.theirs.refs.Find(ref) == object || lookup(ref) == object }
	for _, a := range archivesAmong(x.ours.Below(archiveRoot), "") {
		if x.theirs.refs.Find(a.Ref()) != "" {
			there = append(there, a)
			continue
		}
		if covered, err := x.memory.Intake().Covered(ctx, a, whole); err != nil || covered {
			if err != nil && !replay.IsUnreadable(err) {
				return err
			}
			continue
		}
		held, err := x.memory.Intake().InArchive(ctx, a)
		if err != nil {
			return err
		}
		var of []string // what another remote delivered
		for ref, oid := range held {
			if name, ok := refs.ParseName(ref); ok && x.theirs.refs.Find(ref) == "" && x.isOfAnother(ctx, name, oid) {
				of = append(of, ref)
			}
		}
		if len(of) > 0 {
			x.out.Elsewhere = append(x.out.Elsewhere, of...)
			continue
		}
		fresh, why, err := x.memory.Intake().PassArchive(ctx, a, known)
		switch {
		case err != nil:
			return err
		case x.request.Way == Forget && (fresh > 0 || !unclean): // Nobody asked to send anything.
		case len(why) > 0:
			x.noteWithheld(Here, accept.Refusal{Ref: a.Ref(), Why: why})
		default:
			there = append(there, a)
			change := git.PushChange{Ref: a.Ref(), New: a.Commit, Old: x.theirs.misnamed[a.Ref()]}
			p.rest = append(p.rest, change)
		}
	}
	for _, a := range theirs {
		covered, err := x.memory.Intake().Covered(ctx, a.Archive, there)
		name := refs.Archive{Name: a.Name}.Ref()
		switch {
		case err != nil:
			return err
		case !a.purged:
		case covered:
			p.late = append(p.late, git.PushChange{Ref: name, Old: a.Commit})
		default:
			why := "it holds what was purged, beside records that this clone did not take or cannot send"
			x.withholdRef(There, name, why)
		}
	}
	if x.request.Way == Forget {
		return nil
	}
	return x.spareArchives(ctx, theirs, p)
}

// spareArchives chooses the archives of the remote that one holds wholly which was seen there, and
// which this clone holds too.
func (x *exchange) spareArchives(ctx context.Context, theirs []theirArchive, p *parcel) error {
	seen := slices.DeleteFunc(archivesAmong(x.ours.Below(archiveRoot), ""), func(a refs.Archive) bool {
		return x.theirs.refs.Find(a.Ref()) == ""
	})
	for _, a := range theirs {
		covered, err := x.memory.Intake().Covered(ctx, a.Archive, seen)
		if err != nil {
			return err
		}
		if covered && !a.purged {
			p.spare = append(p.spare, git.PushChange{Ref: refs.Archive{Name: a.Name}.Ref(), Old: a.Commit})
		}
	}
	return nil
}

// thinOut deletes refs on the remote whose records an archive holds there that this clone holds too.
func (x *exchange) thinOut(ctx context.Context) error {
	p, err := x.packSpare(ctx)
	if err != nil || p.isEmpty() {
		return err
	}
	return x.deliverParcel(ctx, p)
}

// packSpare chooses the refs of the remote whose very objects an archive holds there, and the archives that
// one does.
func (x *exchange) packSpare(ctx context.Context) (p parcel, err error) {
	theirs, err := x.onlyTheirs(ctx)
	if err == nil {
		err = x.spareArchives(ctx, theirs, &p)
	}
	if err != nil {
		return parcel{}, err
	}
	for _, a := range archivesAmong(x.theirs.archives(), "") {
		if x.ours.Find(a.Ref()) != a.Commit {
			continue
		}
		held, err := x.memory.Intake().InArchive(ctx, a)
		if err != nil {
			return parcel{}, err
		}
		for record, object := range held {
			if x.theirs.refs.Find(record) == object && !x.leavesThere(record) {
				p.spare = append(p.spare, git.PushChange{Ref: record, Old: object})
			}
		}
	}
	slices.SortFunc(p.spare, func(a, b git.PushChange) int { return strings.Compare(a.Ref, b.Ref) })
	p.spare = slices.Compact(p.spare) // Several archives may hold one record.
	return p, nil
}
