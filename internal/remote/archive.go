package remote

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// takeArchives takes what passes of the archives of the remote that were tracked.
func (x *exchange) takeArchives(ctx context.Context) (came bool, err error) {
	news := false
	for name, oid := range x.tracked {
		_, archive := refs.ParseArchive(name)
		news = news || archive && x.ours[name] != oid
	}
	if !news {
		return false, nil
	}
	got, err := x.memory.AdmitArchives(ctx, x.request.Remote)
	if err != nil {
		return false, err
	}
	x.out.Pulled = append(x.out.Pulled, got.Taken...)
	x.withhold(There, got.Refused...)
	return true, x.lookHere(ctx)
}

// shelf tells which object archives hold under the full name of a record, or nothing.
type shelf func(ref string) string

// fewNames is how many names are looked for one by one. For more, everything in the archives is listed once.
const fewNames = 200

// ownShelf looks into the archives of this clone, for about so many names.
func (x *exchange) ownShelf(ctx context.Context, names int) (shelf, error) {
	return x.shelf(ctx, x.ours, "", names)
}

// theirShelf looks into the archives of the remote. What was not fetched is left out.
func (x *exchange) theirShelf(ctx context.Context, names int) (shelf, error) {
	return x.shelf(ctx, x.theirs.refs, x.request.Remote, names)
}

func (x *exchange) shelf(ctx context.Context, side map[string]string, remote string, names int) (shelf, error) {
	var all []refs.Archive
	for name, oid := range side {
		if writer, ok := refs.ParseArchive(name); ok {
			all = append(all, refs.Archive{Writer: writer, Remote: remote, Commit: oid})
		}
	}
	if names <= fewNames {
		return func(ref string) string { return x.store.ArchivedIn(ctx, all, ref) }, nil
	}
	held := map[string]string{}
	for _, a := range all {
		names, err := x.memory.InArchive(ctx, a)
		if memory.IsUnreadable(err) {
			continue // It was told when it was not taken, or a check tells it.
		}
		if err != nil {
			return nil, err
		}
		maps.Copy(held, names)
	}
	return func(ref string) string { return held[ref] }, nil
}

// packArchives chooses the archives that go: those that hold all that the remote's archive of the name does.
func (x *exchange) packArchives(ctx context.Context, p *parcel) error {
	var changed []string
	for name, oid := range x.ours {
		if _, ok := refs.ParseArchive(name); ok && x.theirs.refs[name] != oid {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	for _, name := range changed {
		if x.request.Way == Forget && x.theirs.refs[name] == "" {
			continue
		}
		writer, _ := refs.ParseArchive(name)
		why, err := x.keeps(ctx, name, writer)
		if err != nil {
			return err
		}
		if len(why) > 0 {
			x.withhold(Here, memory.Refusal{Ref: name, Why: why})
			continue
		}
		p.rest = append(p.rest, git.PushChange{Ref: name, New: x.ours[name], Old: x.theirs.refs[name]})
	}
	return x.doomArchives(ctx, p)
}

// doomArchives chooses the archives that are taken out on the remote: those of which nothing is left but what was purged.
func (x *exchange) doomArchives(ctx context.Context, p *parcel) error {
	for name, oid := range x.theirs.refs {
		if x.ours[name] != "" {
			continue
		}
		writer, ok := refs.ParseArchive(name)
		if !ok {
			continue
		}
		left, err := x.memory.LeftInArchive(ctx, refs.Archive{Writer: writer, Remote: x.request.Remote, Commit: oid}, refs.Archive{})
		if memory.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		if left == 0 {
			p.doomed[name] = oid
		}
	}
	return nil
}

// keeps says why an archive does not go, or nothing.
func (x *exchange) keeps(ctx context.Context, name, writer string) ([]string, error) {
	mine := refs.Archive{Writer: writer, Commit: x.ours[name]}
	theirs := refs.Archive{Writer: writer, Remote: x.request.Remote, Commit: x.theirs.refs[name]}
	left, err := x.memory.LeftInArchive(ctx, theirs, mine)
	if memory.IsUnreadable(err) {
		return []string{fmt.Sprintf("the one on the remote cannot be read: %v", err)}, nil
	}
	if err != nil {
		return nil, err
	}
	if left > 0 {
		return []string{fmt.Sprintf("the one on the remote holds %d record(s) that this clone did not take", left)}, nil
	}
	return x.memory.PassArchive(ctx, mine, theirs)
}

// Thin sends the archives of this clone, and takes refs out on the remote whose records an archive holds there: one that is the
// same as an archive of this clone. Whoever reads finds no difference, and whoever pushes hears of fewer refs.
func Thin(ctx context.Context, m *memory.Memory, request Request) (Outcome, error) {
	request.Way = Archive
	return run(ctx, m, request, func(x *exchange) error {
		p, err := x.thinned(ctx)
		if err != nil || p.empty() {
			return err
		}
		return x.deliver(ctx, p)
	})
}

// thinned chooses the refs of the remote whose very objects an archive holds there.
func (x *exchange) thinned(ctx context.Context) (parcel, error) {
	p := parcel{doomed: map[string]string{}}
	for name, oid := range x.theirs.refs {
		writer, ok := refs.ParseArchive(name)
		if !ok || x.ours[name] != oid {
			continue
		}
		held, err := x.memory.InArchive(ctx, refs.Archive{Writer: writer, Commit: oid})
		if err != nil {
			return parcel{}, err
		}
		for record, object := range held {
			if x.theirs.refs[record] == object {
				p.doomed[record] = object
			}
		}
	}
	return p, nil
}
