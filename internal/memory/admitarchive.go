package memory

import (
	"cmp"
	"context"
	"errors"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// AdmitArchives judges what the archives of a remote hold, as they are tracked, record by record, and adds what passes to the
// archives of this clone. What was purged is left out of them. Refs of records that an archive holds from then on are taken
// out.
func (m *Memory) AdmitArchives(ctx context.Context, remote string) (sum Admission, err error) {
	m.forgetFolded() // What has come may say what was purged, and who signed it.
	err = m.store.Exclusively(ctx, func(ctx context.Context) error {
		sum, err = m.admitArchives(ctx, remote)
		return err
	})
	if err == nil {
		_, err = m.store.Settle(ctx)
	}
	m.forgetFolded()
	return sum, err
}

func (m *Memory) admitArchives(ctx context.Context, remote string) (sum Admission, err error) {
	all, err := m.store.Archives(ctx)
	if err != nil {
		return Admission{}, err
	}
	mine := map[string]refs.Archive{}
	for _, a := range all {
		if a.Remote == "" {
			mine[a.Writer] = a
		}
	}
	local, err := m.heldHere(ctx)
	if err != nil {
		return Admission{}, err
	}
	for _, a := range all {
		if a.Remote != remote || a.Commit == mine[a.Writer].Commit {
			continue
		}
		got, err := m.admitArchive(ctx, mine[a.Writer], a, local)
		switch {
		case IsUnreadable(err), errors.Is(err, refs.ErrFull):
			sum.Refused = append(sum.Refused, Refusal{Ref: a.Ref(), Why: []string{err.Error()}})
			continue
		case err != nil:
			return Admission{}, err
		}
		sum.Taken, sum.Refused = append(sum.Taken, got.Taken...), append(sum.Refused, got.Refused...)
	}
	return sum, nil
}

// heldHere returns the full names under which this clone holds records, as refs and in archives, and their objects.
func (m *Memory) heldHere(ctx context.Context) (map[string]string, error) {
	held, err := m.store.Held(ctx, "")
	if err != nil {
		return nil, err
	}
	all, err := m.store.Archives(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if a.Remote != "" {
			continue
		}
		names, err := m.InArchive(ctx, a)
		if err != nil && !IsUnreadable(err) {
			return nil, err
		}
		for full, object := range names {
			if held[full] == "" {
				held[full] = object
			}
		}
	}
	return held, nil
}

// admitArchive adds what passes of an archive to the one of this clone, and to local, which is all that this clone holds. Events
// come first, as in [Memory.Admit].
func (m *Memory) admitArchive(ctx context.Context, mine, theirs refs.Archive, local map[string]string) (Admission, error) {
	mine.Writer = theirs.Writer
	offered, err := m.holding(ctx, theirs)
	if err != nil {
		return Admission{}, err
	}
	var sum Admission
	events, rest := offered.split()
	for _, part := range []holding{events, rest} {
		got, err := m.admitPart(ctx, mine, part, local)
		if err != nil {
			return Admission{}, err
		}
		sum.Taken, sum.Refused = append(sum.Taken, got.Taken...), append(sum.Refused, got.Refused...)
		if got.Taken != nil {
			if mine, err = m.localArchive(ctx, mine.Writer); err != nil {
				return Admission{}, err
			}
			m.forgetFolded()
		}
	}
	return sum, nil
}

// split parts the events from everything else.
func (h holding) split() (events, rest holding) {
	for _, t := range h {
		if t.ref.Name.Kind == refs.Events {
			events = append(events, t)
		} else {
			rest = append(rest, t)
		}
	}
	return events, rest
}

// admitPart judges what an archive of this clone lacks, and adds what passes. Of that, what was here as a ref is not told as
// taken; where nothing was added, Taken is nil.
func (m *Memory) admitPart(ctx context.Context, mine refs.Archive, offered holding, local map[string]string) (Admission, error) {
	held, err := m.holding(ctx, mine)
	if err != nil {
		return Admission{}, err
	}
	fresh, refused, err := m.lacking(ctx, held.names(), local, offered)
	if err != nil || len(fresh) == 0 {
		return Admission{Refused: refused}, err
	}
	sum := Admission{Refused: refused}
	var added holding
	for j, err := range m.judgeTargets(ctx, fresh, nil) {
		if err != nil {
			return Admission{}, err
		}
		if r := refusalOf(j.Checked); len(r.Why) > 0 {
			sum.Refused = append(sum.Refused, r)
			continue
		}
		added = append(added, j.target)
	}
	if len(added) == 0 {
		return sum, nil
	}
	if err := m.setArchive(ctx, mine.Writer, append(held, added...)); err != nil {
		return Admission{}, err
	}
	sum.Taken = []string{}
	for _, t := range added {
		if local[t.name] == "" {
			local[t.name] = objectOf(t)
			sum.Taken = append(sum.Taken, t.name)
		}
	}
	return sum, nil
}

// lacking returns what an archive does not hold yet of what is offered, as things to look at. What was purged is passed over,
// and another record under a name that is held here is refused.
func (m *Memory) lacking(ctx context.Context, held, local map[string]string, offered holding) (fresh holding, refused []Refusal, err error) {
	s, err := m.fold(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range offered {
		object := objectOf(t)
		if s.gone(t.name) {
			continue
		}
		if t.later.ID == "" {
			eclipsed, err := m.eclipsed(ctx, t.ref)
			if err != nil {
				return nil, nil, err
			}
			if eclipsed {
				refused = append(refused, Refusal{Ref: t.name, Why: []string{eclipsedThere}})
				continue
			}
		}
		switch here := cmp.Or(held[t.name], local[t.name]); here {
		case "":
			fresh = append(fresh, t)
		case object:
			if held[t.name] == "" {
				fresh = append(fresh, t)
			}
		default:
			refused = append(refused, Refusal{Ref: t.name, Why: []string{Contested}})
		}
	}
	return fresh, refused, nil
}

// Contested is why a clone does not take a record under whose name it holds another one.
const Contested = "another record has this name here, and records are written once; this clone keeps its own (contested)"
