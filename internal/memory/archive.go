package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// holding is everything that an archive holds.
type holding struct {
	records []refs.Ref
	later   []refs.Endorsement
}

// names returns the full names that the refs would have, and their objects.
func (h *holding) names() map[string]string {
	all := make(map[string]string, len(h.records)+len(h.later))
	for _, ref := range h.records {
		all[ref.Name.Ref()] = ref.Object
	}
	for _, e := range h.later {
		all[e.Ref().Name.Ref()] = e.Object
	}
	return all
}

// holding reads an archive. One that nobody wrote holds nothing.
func (m *Memory) holding(ctx context.Context, a refs.Archive) (h holding, err error) {
	if a.Commit == "" {
		return h, nil
	}
	for ref, err := range m.store.Entries(ctx, a) {
		if err != nil {
			return h, err
		}
		h.records = append(h.records, ref)
	}
	for e, err := range m.store.ArchivedEndorsements(ctx, a) {
		if err != nil {
			return h, err
		}
		h.later = append(h.later, e)
	}
	return h, nil
}

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
	for _, a := range all {
		if a.Remote != remote || a.Commit == mine[a.Writer].Commit {
			continue
		}
		got, err := m.admitArchive(ctx, mine[a.Writer], a)
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

// admitArchive adds what passes of an archive to the one of this clone. Events come first, as in [Memory.Admit].
func (m *Memory) admitArchive(ctx context.Context, mine, theirs refs.Archive) (Admission, error) {
	mine.Writer = theirs.Writer
	offered, err := m.holding(ctx, theirs)
	if err != nil {
		return Admission{}, err
	}
	var sum Admission
	events, rest := offered.split()
	for _, part := range []holding{events, rest} {
		got, err := m.admitPart(ctx, mine, part)
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
func (h *holding) split() (events, rest holding) {
	rest.later = h.later
	for _, ref := range h.records {
		if ref.Name.Kind == refs.Events {
			events.records = append(events.records, ref)
		} else {
			rest.records = append(rest.records, ref)
		}
	}
	return events, rest
}

// localArchive finds the archive of a writer in this clone.
func (m *Memory) localArchive(ctx context.Context, writer string) (refs.Archive, error) {
	all, err := m.store.Archives(ctx)
	for _, a := range all {
		if a.Remote == "" && a.Writer == writer {
			return a, err
		}
	}
	return refs.Archive{Writer: writer}, err
}

// admitPart judges what an archive of this clone lacks, and adds what passes. Of that, what was here as a ref is not told as
// taken; where nothing was added, Taken is nil.
func (m *Memory) admitPart(ctx context.Context, mine refs.Archive, offered holding) (Admission, error) {
	held, err := m.holding(ctx, mine)
	if err != nil {
		return Admission{}, err
	}
	local, err := m.heldHere(ctx)
	if err != nil {
		return Admission{}, err
	}
	fresh, refused, err := m.lacking(ctx, held.names(), local, offered)
	if err != nil || len(fresh) == 0 {
		return Admission{Refused: refused}, err
	}
	sum := Admission{Refused: refused}
	for j, err := range m.judgeTargets(ctx, fresh, nil) {
		if err != nil {
			return Admission{}, err
		}
		if r := refusalOf(j.Checked); len(r.Why) > 0 {
			sum.Refused = append(sum.Refused, r)
			continue
		}
		held.add(j.target)
		if sum.Taken == nil {
			sum.Taken = []string{}
		}
		if full := fullName(j.target); local[full] == "" {
			sum.Taken = append(sum.Taken, full)
		}
	}
	if sum.Taken == nil {
		return sum, nil
	}
	_, err = m.store.SetArchive(ctx, mine.Writer, held.records, held.later)
	return sum, err
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

// add adds what a target names.
func (h *holding) add(t target) {
	if t.later.ID != "" {
		h.later = append(h.later, t.later)
	} else {
		h.records = append(h.records, t.ref)
	}
}

// fullName is the name that the ref of a target would have here.
func fullName(t target) string {
	if t.later.ID != "" {
		return t.later.Ref().Name.Ref()
	}
	return t.ref.Name.Ref()
}

// lacking returns what an archive does not hold yet of what is offered, as things to look at. What was purged is passed over,
// and another record under a name that is held here is refused.
func (m *Memory) lacking(ctx context.Context, held, local map[string]string, offered holding) (fresh []target, refused []Refusal, err error) {
	s, err := m.fold(ctx)
	if err != nil {
		return nil, nil, err
	}
	add := func(t target, full, object string) {
		here := held[full]
		if here == "" {
			here = local[full]
		}
		switch {
		case s.gone(full), held[full] == object:
		case here != "" && here != object:
			refused = append(refused, Refusal{Ref: t.name, Why: []string{contestedHere}})
		default:
			fresh = append(fresh, t)
		}
	}
	for _, ref := range offered.records {
		t := target{ref: ref, name: ref.Name.Ref()}
		eclipsed, err := m.eclipsed(ctx, ref)
		if err != nil {
			return nil, nil, err
		}
		if eclipsed && !s.gone(t.name) {
			refused = append(refused, Refusal{Ref: t.name, Why: []string{eclipsedThere}})
			continue
		}
		add(t, t.name, ref.Object)
	}
	for _, e := range offered.later {
		full := e.Ref().Name.Ref()
		add(target{later: e, name: full}, full, e.Object)
	}
	return fresh, refused, nil
}

const contestedHere = "another record has this name here, and records are written once; this clone keeps its own (contested)"

// within are the records of an archive as things to look at. One that cannot be read is one thing with that flaw.
func (m *Memory) within(ctx context.Context, a refs.Archive, subject string) ([]target, error) {
	h, err := m.holding(ctx, a)
	if IsUnreadable(err) {
		return []target{{name: subject, flaw: ruleObject, why: fmt.Sprintf("the archive cannot be read: %v", err)}}, nil
	}
	var all []target
	for _, ref := range h.records {
		all = append(all, target{ref: ref, name: inArchive(subject, ref.Name.Ref())})
	}
	for _, e := range h.later {
		all = append(all, target{later: e, name: inArchive(subject, e.Ref().Name.Ref())})
	}
	return all, err
}

// inArchive names a record in an archive.
func inArchive(archive, record string) string {
	return archive + ":" + strings.TrimPrefix(record, localRoot)
}

// offeredArchive says what there is to look at where an archive is offered. It must hold what the receiver's archive of that
// name holds, but for what was purged.
func (m *Memory) offeredArchive(ctx context.Context, o Offer, writer string) ([]target, error) {
	a := refs.Archive{Writer: writer, Commit: o.OID}
	all, err := m.within(ctx, a, o.Ref)
	if err == nil && o.From == "" {
		err = m.refuseAllBeside(ctx, all)
	}
	if err != nil || o.Was == "" || o.Was == o.OID {
		return all, err
	}
	was, err := m.holding(ctx, refs.Archive{Writer: writer, Commit: o.Was})
	if errors.Is(err, refs.ErrMissing) {
		return all, nil // The sender need not have it; the receiver looks again.
	}
	if err != nil {
		return nil, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return nil, err
	}
	now := map[string]string{}
	for _, t := range all {
		now[t.name] = objectOf(t)
	}
	before := was.names()
	for _, full := range slices.Sorted(maps.Keys(before)) {
		object := before[full]
		if !s.gone(full) && now[inArchive(o.Ref, full)] != object {
			all = append(all, target{name: o.Ref, flaw: ruleRewrite, why: "it lacks " + full + ", which the receiver's archive of this name holds"})
		}
	}
	return all, nil
}

// refuseAllBeside is refuseBeside of what an archive offers.
func (m *Memory) refuseAllBeside(ctx context.Context, all []target) error {
	held, err := m.store.Held(ctx, "")
	if err != nil {
		return err
	}
	for i := range all {
		if err := m.refuseBeside(ctx, &all[i], held); err != nil {
			return err
		}
	}
	return nil
}

// objectOf is the object that a target names.
func objectOf(t target) string {
	if t.later.ID != "" {
		return t.later.Object
	}
	return t.ref.Object
}

// InArchive returns the full names that the refs of an archive's records would have, and their objects.
func (m *Memory) InArchive(ctx context.Context, a refs.Archive) (map[string]string, error) {
	h, err := m.holding(ctx, a)
	return h.names(), err
}

// LeftInArchive counts what one archive holds that another lacks and that was not purged.
func (m *Memory) LeftInArchive(ctx context.Context, a, other refs.Archive) (int, error) {
	held, err := m.holding(ctx, a)
	if err != nil {
		return 0, err
	}
	others, err := m.InArchive(ctx, other)
	if err != nil {
		return 0, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return 0, err
	}
	left := 0
	for name, object := range held.names() {
		if !s.gone(name) && others[name] != object {
			left++
		}
	}
	return left, nil
}

// PassArchive judges what an archive of this clone holds and the remote's does not, and returns every reason why it must not
// go.
func (m *Memory) PassArchive(ctx context.Context, mine, theirs refs.Archive) ([]string, error) {
	known, err := m.InArchive(ctx, theirs)
	if err != nil {
		return nil, err
	}
	held, err := m.holding(ctx, mine)
	if err != nil {
		return nil, err
	}
	var fresh []target
	for _, ref := range held.records {
		if known[ref.Name.Ref()] != ref.Object {
			fresh = append(fresh, target{ref: ref, name: ref.Name.Ref()})
		}
	}
	for _, e := range held.later {
		if full := e.Ref().Name.Ref(); known[full] != e.Object {
			fresh = append(fresh, target{later: e, name: full})
		}
	}
	var why []string
	for c, err := range m.judgeTargets(ctx, fresh, nil) {
		if err != nil {
			return nil, err
		}
		for _, reason := range refusalOf(c.Checked).Why {
			why = append(why, c.Subject+": "+reason)
		}
	}
	return why, nil
}
