package remote

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// giveRecords sends what this clone holds and the remote does not, of what passes the gate, and takes out
// there what was purged.
func (x *exchange) giveRecords(ctx context.Context) error {
	if x.request.Way == Forget {
		if err := x.tellHidden(ctx); err != nil {
			return err
		}
	}
	shy := x.request.Way == Forget || x.request.Way == Archive
	if x.request.Way == Pull || shy && x.theirs.refs.Len() == 0 {
		return nil // Where no memory is, there is none to tidy up, and nobody asked to send any.
	}
	if err := x.checkRules(ctx); err != nil {
		return err
	}
	parcel, err := x.packParcel(ctx)
	if err != nil || parcel.isEmpty() {
		return err
	}
	if err := x.mayGo(ctx, parcel); err != nil {
		return err
	}
	if x.request.DryRun {
		x.out.Pushed = changedRefs(parcel.stones, parcel.rest)
		x.out.Deleted = changedRefs(parcel.doomed, parcel.late)
		return nil
	}
	if err := x.addFormat(ctx, &parcel); err != nil {
		return err
	}
	return x.deliverParcel(ctx, parcel)
}

// checkRules refuses to send where rules of the scan cannot be read.
func (x *exchange) checkRules(ctx context.Context) error {
	if x.request.Way == Forget || x.request.Way == Pull {
		return nil
	}
	_, err := x.memory.RuleSource().Whole(ctx)
	return err
}

// tellHidden tells of records that were purged and that the remote holds and does not list: some hide
// refs from those who fetch.
func (x *exchange) tellHidden(ctx context.Context) error {
	shown, err := x.repo.RefsForPush(ctx, x.request.Remote, refs.Root)
	if err != nil {
		x.out.Blind = x.theirs.refs.Len() == 0
		return nil //nolint:nilerr // Where nobody here may push, or nothing is there, more cannot be seen.
	}
	purged, err := x.memory.Tombstones(ctx)
	if err != nil {
		return err
	}
	for _, name := range shown {
		of, ok := refs.Parse(name)
		if ok && x.theirs.refs.Find(name) == "" && purged[of.ID].Sure && purged[of.ID].Reaches(name) {
			why := fmt.Sprintf("the remote holds it and does not list it (uploadpack.hideRefs), so that "+
				"nobody sees it go: "+
				"git push %s --delete %s", x.request.Remote, name)
			x.withholdRef(There, name, why)
		}
	}
	return nil
}

// deliverParcel sends a parcel, and tells what the remote was seen to make of it.
func (x *exchange) deliverParcel(ctx context.Context, p parcel) error {
	s := sender{
		exchange: x, refused: map[string]string{},
		of: len(p.stones) + len(p.rest) + len(p.doomed) + len(p.late),
	}
	if err := s.sendAll(ctx, p); err != nil {
		return err
	}
	return x.confirmPushed(ctx, p, s.refused)
}

// addFormat lets the first exchange tell the remote which format the memory has.
func (x *exchange) addFormat(ctx context.Context, p *parcel) error {
	if x.theirs.refs.Find(refs.FormatRef) != "" {
		return nil
	}
	oid, err := x.store.WriteFormat(ctx)
	if err != nil {
		return err
	}
	p.rest = slices.Insert(p.rest, 0, git.PushChange{Ref: refs.FormatRef, New: oid})
	return nil
}

// confirmPushed looks at the remote again, and tells only what is seen there.
func (x *exchange) confirmPushed(ctx context.Context, p parcel, refused map[string]string) (err error) {
	x.theirs, x.known = listing{}, git.RefList{} // They are large, and something of them has changed.
	if x.theirs, err = x.lookThere(ctx); err != nil {
		return err
	}
	for _, c := range slices.Concat(p.stones, p.rest) {
		_, record := refs.Parse(c.Ref)
		now := x.theirs.refs.Find(c.Ref)
		switch {
		case now == c.New && record:
			x.out.Pushed = append(x.out.Pushed, c.Ref)
		case now == c.New:
		case now != "" && x.theirs.refs.Peeled(c.Ref) == c.New:
		case now == c.Old && refused[c.Ref] != "":
			x.withholdRef(Here, c.Ref, refused[c.Ref])
		case now != "":
			x.withholdRef(Here, c.Ref, "the remote has got another record under this name meanwhile (contested)")
		default:
			x.withholdRef(Here, c.Ref, cmp.Or(refused[c.Ref], unseen))
		}
	}
	for _, name := range changedRefs(p.doomed, p.late) {
		why, isRefused := refused[name]
		switch {
		case x.theirs.refs.Find(name) == "":
			x.out.Deleted = append(x.out.Deleted, name)
		case isRefused && x.request.Way != Forget:
			x.out.KeptPurged = append(x.out.KeptPurged, name)
			x.out.Kept = append(x.out.Kept, name)
		default:
			why = "it should be gone and is still on the remote: " + cmp.Or(why, unseen)
			x.withholdRef(There, name, why)
		}
	}
	for _, name := range changedRefs(p.spare) {
		if x.theirs.refs.Find(name) != "" && refused[name] != "" {
			x.out.Kept = append(x.out.Kept, name)
		} else if x.theirs.refs.Find(name) == "" && !refs.IsArchive(name) {
			x.out.Deleted = append(x.out.Deleted, name)
		}
	}
	slices.Sort(x.out.Pushed)
	return nil
}

// unseen is the reason where a remote gave none.
const unseen = "the remote does not show it"

// hopeless is how many refs are refused one by one before the rest is given up, where none was taken.
const hopeless = 3

// sender pushes changes in groups that halve where a group fails: a host may refuse all for the sake of one.
type sender struct {
	exchange *exchange
	refused  map[string]string // reasons by the names of refs
	sent, of int               // of tells the progress what there is in all
	singles  int               // refs that were refused alone
	last     string            // why the last of them was
}

// sendAll sends tombstones with what they take out, and then the rest.
func (s *sender) sendAll(ctx context.Context, p parcel) error {
	if err := s.sendTombstones(ctx, p); err != nil {
		return err
	}
	if err := s.sendGroups(ctx, p.rest); err != nil {
		return err
	}
	for _, c := range slices.Concat(p.stones, p.rest) {
		if why, ok := s.refused[c.Ref]; ok && (refs.IsArchive(c.Ref) || slices.Contains(p.stones, c)) {
			s.spareRefs(p.late, why)
			return nil
		}
	}
	if err := s.sendGroups(ctx, p.late); err != nil {
		return err
	}
	for group := range slices.Chunk(p.spare, git.PushLimit) {
		results, err := s.exchange.repo.PushRefs(ctx, s.exchange.request.Remote, group)
		if err != nil && !s.isReachable(ctx) {
			return err
		}
		if err != nil {
			return nil //nolint:nilerr // The server did not say that it refuses; the next exchange asks again.
		}
		if !slices.ContainsFunc(results, func(r git.PushResult) bool { return r.OK }) {
			for _, c := range p.spare { // What was deleted before is not there any more.
				s.refused[c.Ref] = "the remote refuses to delete"
			}
			return nil
		}
		for _, r := range results {
			if hasFailed(r) {
				s.refused[r.Ref] = cmp.Or(r.Reason, unseen)
			}
		}
	}
	return nil
}

// spareRefs leaves refs where they are whose tombstone was refused, or the archive that takes their
// place.
func (s *sender) spareRefs(doomed []git.PushChange, why string) {
	for _, d := range doomed {
		s.refused[d.Ref] = "what has to be there before was refused: " + why
	}
}

// sendTombstones sends tombstones, and deletes what they speak of when they are there.
func (s *sender) sendTombstones(ctx context.Context, p parcel) error {
	if err := s.sendGroups(ctx, p.stones); err != nil {
		return err
	}
	for _, stone := range p.stones {
		if why, ok := s.refused[stone.Ref]; ok {
			s.spareRefs(p.doomed, why)
			return nil
		}
	}
	return s.sendGroups(ctx, p.doomed)
}

// sendGroups sends changes in groups of the size that one push takes.
func (s *sender) sendGroups(ctx context.Context, changes []git.PushChange) error {
	for group := range slices.Chunk(changes, git.PushLimit) {
		if err := s.sendGroup(ctx, group); err != nil {
			return err
		}
	}
	return nil
}

// sendGroup pushes a group. Where all of it fails, each half is tried.
func (s *sender) sendGroup(ctx context.Context, group []git.PushChange) error {
	if s.sent == 0 && s.singles >= hopeless {
		for _, c := range group {
			s.refused[c.Ref] = s.last
		}
		return nil
	}
	results, err := s.exchange.repo.PushRefs(ctx, s.exchange.request.Remote, group)
	if err != nil && ctx.Err() == nil {
		if here := s.stillHere(ctx, group); len(here) < len(group) {
			return s.sendHalves(ctx, here)
		}
	}
	if err != nil && (ctx.Err() != nil || len(group) == 1 || !s.isReachable(ctx)) {
		return err
	}
	if err != nil { // Where one alone fails like that too, it is not what was sent.
		if err := s.sendGroup(ctx, group[:1]); err != nil {
			return err
		}
		return s.sendHalves(ctx, group[1:])
	}
	bad := 0
	for _, r := range results {
		if hasFailed(r) {
			bad++
		}
	}
	if bad < len(group) || len(group) == 1 {
		for _, r := range results {
			if hasFailed(r) {
				s.refused[r.Ref] = r.Reason
			}
		}
		if len(results) == 1 && bad == 1 {
			s.singles++
			s.last = results[0].Reason
		}
		s.noteProgress(len(results) - bad)
		return nil
	}
	return s.sendHalves(ctx, group)
}

// stillHere refuses the changes whose objects another command has removed meanwhile, and returns the rest.
// Git sends none of a group that names what is not there.
func (s *sender) stillHere(ctx context.Context, group []git.PushChange) (here []git.PushChange) {
	// One that has not read anything yet sees what is there now.
	store := refs.Open(s.exchange.repo)
	defer func() { _ = store.Close() }() // It only reads.
	for _, c := range group {
		if c.New == "" || store.Here(ctx, c.New) {
			here = append(here, c)
		} else {
			s.refused[c.Ref] = "another command has removed it here meanwhile"
		}
	}
	return here
}

// sendHalves sends each half of a group.
func (s *sender) sendHalves(ctx context.Context, group []git.PushChange) error {
	for half := range slices.Chunk(group, max(1, (len(group)+1)/2)) {
		if err := s.sendGroup(ctx, half); err != nil {
			return err
		}
	}
	return nil
}

// isReachable tells whether the remote still answers: what failed then failed for what was sent.
func (s *sender) isReachable(ctx context.Context) bool {
	_, err := s.exchange.lookThere(ctx)
	return err == nil
}

// noteProgress tells how far the push is.
func (s *sender) noteProgress(n int) {
	s.sent += n
	s.exchange.tellProgress("push", s.sent, s.of)
}

func hasFailed(r git.PushResult) bool { return !r.OK }
