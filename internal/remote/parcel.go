package remote

import (
	"context"
	"slices"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// parcel is what an exchange wants of the remote.
type parcel struct {
	stones []git.PushChange // tombstones, which go with what they take out
	rest   []git.PushChange // records, events before others
	doomed []git.PushChange // deletions of what was purged and still lies there
	late   []git.PushChange // those that go after archives, which hold their tombstones or the rest of them
	spare  []git.PushChange // deletions of what the remote could do without
}

func (p *parcel) isEmpty() bool {
	return len(p.stones)+len(p.rest)+len(p.doomed)+len(p.late)+len(p.spare) == 0
}

// changedRefs are the refs that changes are about, each once, in the order of their names.
func changedRefs(changes ...[]git.PushChange) []string {
	var names []string
	for _, c := range slices.Concat(changes...) {
		names = append(names, c.Ref)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// packParcel chooses what goes. Where both sides hold the same it reads no record.
func (x *exchange) packParcel(ctx context.Context) (parcel, error) {
	lacking, surplus := x.listDifference(ctx)
	var p parcel
	if err := x.packArchives(ctx, &p); err != nil {
		return parcel{}, err
	}
	if lacking.Len() == 0 && surplus.Len() == 0 {
		return p, nil
	}
	archived := x.archiveLookup(ctx, x.theirs.archives(), x.request.Remote)
	purged, err := x.memory.Tombstones(ctx)
	if err != nil {
		return parcel{}, err
	}
	stones := map[packet.ID]bool{} // the events that are tombstones
	for _, stone := range purged {
		stones[stone.Event] = true
	}
	if lacking, err = x.withoutStaying(ctx, lacking, stones); err != nil {
		return parcel{}, err
	}
	// What was purged here must not keep an archive from going.
	tombstones := x.request.Way == Forget || x.request.Way == Archive
	offers := lacking.Only(func(name, oid string) bool {
		of, _ := refs.Parse(name)
		return !purged[of.ID].Reaches(name) && archived(name) != oid && (!tombstones || stones[of.ID])
	})
	if offers.Len() > 0 {
		x.tellProgress("judge", 0, offers.Len())
	}
	passed, refused, err := x.memory.Intake().Pass(ctx, offers, accept.Going)
	if err != nil {
		return parcel{}, err
	}
	x.noteWithheld(Here, refused...)
	// Sorts what goes into tombstones and the rest, events before others.
	for name, oid := range passed.All() {
		change := git.PushChange{Ref: name, New: oid}
		if of, _ := refs.Parse(name); stones[of.ID] {
			p.stones = append(p.stones, change)
		} else {
			p.rest = append(p.rest, change)
		}
	}
	slices.SortStableFunc(p.rest, func(a, b git.PushChange) int { return rankRef(a.Ref) - rankRef(b.Ref) })
	return p, x.doomPurged(ctx, &p, surplus, archived, purged)
}

// doomPurged chooses what is taken out on the remote: what was purged, where its tombstone is there or goes
// there too.
func (x *exchange) doomPurged(ctx context.Context, p *parcel, surplus git.RefList,
	archived func(ref string) string,
	purged map[packet.ID]replay.Tombstone,
) error {
	goes := map[string]bool{}
	for _, c := range slices.Concat(p.stones, p.rest) {
		goes[c.Ref] = true
	}
	going := x.archiveLookup(ctx, x.ours.Below(archiveRoot).Only(func(name, _ string) bool {
		return goes[name]
	}), "")
	waits, err := x.memory.Quarantined(ctx)
	if err != nil {
		return err
	}
	for name, oid := range surplus.All() {
		of, _ := refs.Parse(name)
		stone := purged[of.ID]
		event := refs.Name{Kind: refs.Events, ID: stone.Event}.Ref()
		// One that is not trusted takes something out only as it arrives, and nothing that waits
		// for an answer here. What came back after that is what somebody refused to lose, or what
		// its author's clone takes out.
		arrives := x.request.Way.isPull() && (goes[event] || going(event) != "") && !waits[of.ID]
		if !stone.Reaches(name) || !stone.Sure && !arrives {
			continue
		}
		if stone.Yields {
			x.once[name] = oid
		}
		switch {
		case goes[event], x.theirs.refs.Find(event) != "", archived(event) != "":
			p.doomed = append(p.doomed, git.PushChange{Ref: name, Old: oid})
		case going(event) != "":
			p.late = append(p.late, git.PushChange{Ref: name, Old: oid})
		default:
			x.withholdRef(There, name, "it was purged, and its tombstone does not go, so that it would come back")
		}
	}
	return nil
}

// listDifference lists the records and later signatures of whose names only one side holds one.
func (x *exchange) listDifference(ctx context.Context) (lacking, surplus git.RefList) {
	if x.same {
		return git.RefList{}, git.RefList{}
	}
	lacking = x.ours.Without(x.theirs.refs).Only(func(name, _ string) bool {
		_, record := refs.Parse(name)
		return record && x.theirs.refs.Find(name) == ""
	})
	archived := x.archiveLookup(ctx, x.ours.Below(archiveRoot), "")
	surplus = x.theirs.refs.Without(x.ours).Only(func(name, oid string) bool {
		_, record := refs.Parse(name)
		return record && x.ours.Find(name) == "" && !x.leavesThere(name) && archived(name) != oid
	})
	return lacking, surplus
}

// rankRef is the order in which refs go: events say what is allowed in the records behind them.
func rankRef(ref string) int {
	switch name, _ := refs.Parse(ref); {
	case name.Kind == refs.Events:
		return 0
	case name.Key != "" || name.ID == "":
		return 2 // A later signature is worth nothing before its record.
	default:
		return 1
	}
}
