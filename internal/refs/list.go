package refs

import (
	"context"
	"iter"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// List yields the records of one kind, reading only as far as the caller goes. With Remotes it is the union with
// the tracking refs: of refs with the same name the local one is yielded, or else that of the first remote, and
// Conflict tells whether the others point elsewhere. Names and refs that are not ours are passed over.
func (s *Store) List(ctx context.Context, q Query) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		sources, err := s.sources(ctx, q)
		if err != nil {
			yield(Ref{}, err)
			return
		}
		union := union{query: q}
		defer union.stop()
		for _, source := range sources {
			union.add(source)
		}
		for {
			ref, ok, err := union.next()
			if err != nil {
				yield(Ref{}, err)
				return
			}
			if !ok || !yield(ref, nil) {
				return
			}
		}
	}
}

// sources returns one sorted sequence for the local refs and one for each remote.
func (s *Store) sources(ctx context.Context, q Query) ([]iter.Seq2[Ref, error], error) {
	if err := checkKind(q.Kind); err != nil {
		return nil, err
	}
	sources := []iter.Seq2[Ref, error]{s.source(ctx, root+string(q.Kind)+"/", q)}
	if !q.Remotes {
		return sources, nil
	}
	remotes, err := s.reader.remotes(ctx)
	for _, remote := range remotes {
		sources = append(sources, s.source(ctx, trackingRoot+remote+"/"+string(q.Kind)+"/", q))
	}
	return sources, err
}

// source yields the records directly below a prefix. It ends early where the order tells that nothing more fits.
func (s *Store) source(ctx context.Context, prefix string, q Query) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		for e, err := range s.reader.list(ctx, prefix, q.Newest) {
			if err != nil {
				yield(Ref{}, err)
				return
			}
			id, err := packet.ParseID(e.ref[len(prefix):])
			if err != nil {
				continue
			}
			if (q.Newest && q.After != "" && id <= q.After) || (!q.Newest && q.Before != "" && id >= q.Before) {
				return
			}
			if q.admits(id) && !yield(located(e, prefix, q.Kind, id), nil) {
				return
			}
		}
	}
}

// located turns an entry into a record's ref.
func located(e entry, prefix string, kind Kind, id packet.ID) Ref {
	ref := Ref{Name: Name{Kind: kind, ID: id}, Object: e.oid}
	if prefix != root+string(kind)+"/" {
		ref.Remote = prefix[len(trackingRoot) : len(prefix)-len(kind)-2]
	}
	return ref
}

// union merges sorted sequences; the first is the local one.
type union struct {
	query Query
	heads []head
}

// head is a sequence and the ref that it yields next.
type head struct {
	ref  Ref
	ok   bool
	err  error
	pull func() (Ref, error, bool)
	stop func()
}

// advance takes the next ref of a sequence.
func (h *head) advance() {
	h.ref, h.err, h.ok = h.pull()
}

// add takes one more sequence.
func (u *union) add(source iter.Seq2[Ref, error]) {
	pull, stop := iter.Pull2(source)
	h := head{pull: pull, stop: stop}
	h.advance()
	u.heads = append(u.heads, h)
}

// stop ends all sequences.
func (u *union) stop() {
	for _, h := range u.heads {
		h.stop()
	}
}

// next returns the ref whose name comes first, and moves all sequences past that name.
func (u *union) next() (Ref, bool, error) {
	first := -1
	for i, h := range u.heads {
		if h.err != nil {
			return Ref{}, false, h.err
		}
		if h.ok && (first < 0 || u.earlier(h.ref.Name.ID, u.heads[first].ref.Name.ID)) {
			first = i
		}
	}
	if first < 0 {
		return Ref{}, false, nil
	}
	ref := u.heads[first].ref
	for i := range u.heads {
		h := &u.heads[i]
		if h.ok && h.ref.Name == ref.Name {
			ref.Conflict = ref.Conflict || h.ref.Object != ref.Object
			h.advance()
		}
	}
	return ref, true, nil
}

// earlier reports whether a comes before b in the order of the query.
func (u *union) earlier(a, b packet.ID) bool {
	if u.query.Newest {
		return a > b
	}
	return a < b
}

// Count returns how many local records of a kind there are. It opens no object.
func (s *Store) Count(ctx context.Context, kind Kind) (int, error) {
	if err := checkKind(kind); err != nil {
		return 0, err
	}
	count := 0
	prefix := root + string(kind) + "/"
	for name, err := range s.reader.names(ctx, prefix, "") {
		if err != nil {
			return 0, err
		}
		if _, err := packet.ParseID(name[len(prefix):]); err == nil {
			count++
		}
	}
	return count, nil
}
