package memory

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Query narrows a list of packets. The zero value asks for all that are not
// hidden.
type Query struct {
	Branch string    // the branch that the packet was saved on
	Tags   []string  // all of these
	Author string    // part of an author's name, in any case
	Since  time.Time // created at or after
	Hidden bool      // also what is retracted or expired
}

// List yields packets, newest first by id. Records that cannot be read are left
// out and stand in [Memory.Skipped]; an error ends the list.
func (m *Memory) List(ctx context.Context, q Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		s, err := m.fold(ctx)
		if err != nil {
			yield(Entry{}, err)
			return
		}
		for ref, err := range m.everything(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
			if err == nil && s.leavesOut(ref.Name.ID, q) {
				continue
			}
			e, ok, err := m.listed(ctx, ref, err)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if ok && q.admits(e) && !yield(e, nil) {
				return
			}
		}
	}
}

// leavesOut tells a packet that a list does not even read: it was purged, or retracted where that is not asked for.
func (s *state) leavesOut(id packet.ID, q Query) bool {
	_, purged := s.purged[id]
	return purged || s.lives[id].Retracted && !q.Hidden
}

// listed reads a packet of a list; one that cannot be read is skipped.
func (m *Memory) listed(ctx context.Context, ref refs.Ref, err error) (e Entry, ok bool, _ error) {
	if err != nil {
		return Entry{}, false, err
	}
	if e, err = m.packet(ctx, ref); err != nil {
		return Entry{}, false, m.skip(ref.Full(), err)
	}
	return e, true, nil
}

func (q Query) admits(e Entry) bool {
	p := e.Packet
	switch {
	case e.Life.Hidden() && !q.Hidden:
		return false
	case q.Branch != "" && p.Anchor.Branch != q.Branch:
		return false
	case !q.Since.IsZero() && p.CreatedAt.Before(q.Since):
		return false
	case q.Author != "" && !wrote(p.Provenance.AuthorHuman, p.Provenance.Agent, q.Author) &&
		!wrote(p.Provenance.AuthorModel, p.Provenance.Model, q.Author):
		return false
	}
	for _, tag := range q.Tags {
		if !slices.Contains(p.Tags, tag) {
			return false
		}
	}
	return true
}

func wrote(a, b, name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(strings.ToLower(a), name) || strings.Contains(strings.ToLower(b), name)
}
