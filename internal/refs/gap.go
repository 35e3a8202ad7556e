package refs

import (
	"context"
	"errors"
	"maps"
	"os"
	"strings"
)

// Gap is how many records and later signatures this clone holds and a remote lacks, and the other way round,
// as far as was seen.
type Gap struct {
	// refs of this clone that the remote holds neither as such nor in an archive
	Unsent int `json:"unsent"`
	// refs of the remote that this clone holds neither as such nor in an archive
	NotHere int `json:"not_here"`
}

// keptGap is the gap between what is packed, and what that was found in.
type keptGap struct {
	Gap

	Seen string `json:"seen"`
}

// Gap compares this clone with what a remote was last seen to hold, by the last exchange and by tracking
// refs. What is packed is compared once, as long as it is the same: after that only loose refs are looked at.
func (s *Store) Gap(ctx context.Context, remote string) (Gap, error) {
	c := comparison{store: s, remote: remote}
	archives, err := s.Archives(ctx)
	if err != nil {
		return Gap{}, err
	}
	for _, a := range archives {
		if a.Remote == "" {
			c.here = append(c.here, a)
		} else if a.Remote == remote {
			c.there = append(c.there, a)
		}
	}
	if s.files != nil {
		gap, err := c.compareYoung(ctx, s.files)
		if !errors.Is(err, errUnsorted) {
			return gap, wrap("compare with remote", remote, err)
		}
	}
	ours, err := s.Held(ctx, "")
	if err != nil {
		return Gap{}, err
	}
	theirs, err := s.HeldBy(ctx, remote)
	return c.compareAll(ctx, ours, theirs), err
}

// comparison is of this clone and a remote. Names in it are those below refs/ltm.
type comparison struct {
	store       *Store
	remote      string
	here, there []Archive
}

// countName counts a name, once or where by is negative no more, of which one side or both have a ref.
func (c *comparison) countName(ctx context.Context, gap *Gap, name string, here, there bool, by int) {
	if here == there {
		return
	}
	if own, ok := parseOwn(name); !ok || own.Private {
		return
	}
	if here && c.store.ArchivedIn(ctx, c.there, name) == "" {
		gap.Unsent += by
	}
	if there && c.store.ArchivedIn(ctx, c.here, name) == "" {
		gap.NotHere += by
	}
}

// compareAll compares everything.
func (c *comparison) compareAll(ctx context.Context, ours, theirs map[string]string) (gap Gap) {
	for name := range ours {
		c.countName(ctx, &gap, name, true, theirs[name] != "", 1)
	}
	for name := range theirs {
		c.countName(ctx, &gap, name, ours[name] != "", true, 1)
	}
	return gap
}

// compareYoung compares what is packed, where it is not as it was, and then what is loose.
func (c *comparison) compareYoung(ctx context.Context, files *filesReader) (gap Gap, err error) {
	ours, err := files.listWhole(Root)
	if err != nil {
		return Gap{}, err
	}
	tracked := TrackingRoot + c.remote + "/"
	theirs, err := files.listWhole(tracked)
	if err != nil {
		return Gap{}, err
	}
	stamp, err := c.store.Stamp(ctx) // Before the file is opened: what is kept under it is no older.
	if err != nil {
		return Gap{}, err
	}
	packed, err := files.openPacked()
	if err != nil {
		return Gap{}, err
	}
	defer func() { err = errors.Join(err, packed.close()) }()
	gap, err = c.comparePacked(ctx, packed, stamp)
	if err != nil {
		return Gap{}, err
	}
	known, err := c.store.openKnown(c.remote)
	if err != nil {
		return Gap{}, err
	}
	defer func() { err = errors.Join(err, known.close()) }()
	names := maps.Clone(ours)
	maps.Copy(names, theirs)
	for name := range names {
		var found [3]string
		for i, in := range []struct {
			refs *packedRefs
			name string
		}{{packed, name}, {packed, tracked + strings.TrimPrefix(name, Root)}, {known, name}} {
			if found[i], err = in.refs.lookupRef(in.name); err != nil {
				return Gap{}, err
			}
		}
		here, there, seen := found[0] != "", found[1] != "", found[2] != ""
		c.countName(ctx, &gap, name, here, there || seen, -1)
		if whole, ok := ours[name]; ok {
			here = whole
		}
		if whole, ok := theirs[name]; ok {
			there = whole
		}
		c.countName(ctx, &gap, name, here, there || seen, 1)
	}
	return gap, nil
}

// listWhole tells of the loose refs below a place, by the names that they have below refs/ltm, which of them
// name an object.
func (l looseRefs) listWhole(place string) (map[string]bool, error) {
	refs, err := l.listNames(place)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, ref := range refs {
		_, state, err := l.readRef(ref)
		if err != nil {
			return nil, err
		}
		if state != looseGone {
			found[Root+strings.TrimPrefix(ref, place)] = state == looseObject
		}
	}
	return found, nil
}

// comparePacked is the gap between what is packed, or lies in a list. It is kept until one of these is
// another one.
func (c *comparison) comparePacked(ctx context.Context, packed *packedRefs, stamp Stamp) (Gap, error) {
	seen := witness{lines: []string{stamp.Packed}}
	if err := seen.noteFile(c.store.knownFile(c.remote).Path()); err != nil {
		return Gap{}, err
	}
	file := c.store.repo.Local().File("gap-" + FileOf(c.remote))
	var kept keptGap
	if ok, err := file.ReadState(&kept); ok && err == nil && kept.Seen == seen.sumText() {
		return kept.Gap, nil
	}
	ours, theirs := map[string]string{}, c.store.Known(c.remote)
	tracked := TrackingRoot + c.remote + "/"
	for place, into := range map[string]map[string]string{Root: ours, tracked: theirs} {
		err := packed.visitRefs(scan{prefix: place}, func(oid, name []byte) bool {
			into[Root+string(name[len(place):])] = string(oid)
			return true
		})
		if err != nil {
			return Gap{}, err
		}
	}
	if offered, ok := c.store.reader.(*offeredReader); ok {
		for _, e := range offered.offeredBelow(ctx, tracked) {
			theirs[Root+strings.TrimPrefix(e.ref, tracked)] = e.oid
		}
	}
	kept = keptGap{c.compareAll(ctx, ours, theirs), seen.sumText()}
	_ = file.WriteState(kept) // Without it, the next one compares everything again.
	return kept.Gap, nil
}

// openKnown searches the list of what a remote was seen to hold.
func (s *Store) openKnown(remote string) (*packedRefs, error) {
	file, err := s.knownFile(remote).Open(os.O_RDONLY)
	if isGone(err) {
		return searchIn(nil, oidLength(s.repo), nil)
	}
	if err != nil {
		return nil, err
	}
	list, err := newBlocks(file)
	if err != nil {
		return nil, err
	}
	return searchIn(list, oidLength(s.repo), file.Close)
}
