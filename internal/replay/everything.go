package replay

import (
	"context"
	"iter"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// Everything yields the records of one kind as the store lists them, with the private ones among them. Of two with one id the
// one that travels comes first.
func (r *Reader) Everything(ctx context.Context, q refs.Query) iter.Seq2[refs.Ref, error] {
	return func(yield func(refs.Ref, error) bool) {
		private := pull(r.opts.Store.ListPrivate(ctx, q))
		defer private.stop()
		if !private.ok {
			r.opts.Store.List(ctx, q)(yield)
			return
		}
		shared := pull(r.opts.Store.List(ctx, q))
		defer shared.stop()
		for shared.ok || private.ok {
			first := shared
			if private.before(shared, q) {
				first = private
			}
			if !yield(first.ref, first.err) || first.err != nil {
				return
			}
			first.advance()
		}
	}
}

// pulled is a sequence of refs and the one that it yields next.
type pulled struct {
	ref  refs.Ref
	err  error
	ok   bool
	next func() (refs.Ref, error, bool)
	stop func()
}

func pull(all iter.Seq2[refs.Ref, error]) *pulled {
	p := new(pulled)
	p.next, p.stop = iter.Pull2(all)
	p.advance()
	return p
}

func (p *pulled) advance() { p.ref, p.err, p.ok = p.next() }

// before tells whether the next ref of a sequence comes before that of another in the order of a query.
func (p *pulled) before(other *pulled, q refs.Query) bool {
	switch {
	case !p.ok || !other.ok:
		return p.ok
	case p.err != nil || other.err != nil:
		return p.err != nil
	case q.Newest:
		return p.ref.Name.ID > other.ref.Name.ID
	default:
		return p.ref.Name.ID < other.ref.Name.ID
	}
}
