package audit

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Gone returns the records that this clone saw once, and that neither it nor a remote holds now as far as this clone knows,
// in the order of their names.
func (u *Auditor) Gone(ctx context.Context) ([]string, error) {
	here := map[string]bool{}
	for _, kind := range refs.Kinds() {
		for ref, err := range u.opts.Store.List(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if err != nil {
				return nil, err
			}
			here[ledger.KeyOf(ref.Name)] = true
		}
	}
	var gone []string
	for known, err := range u.opts.Seen.All() {
		if err != nil {
			return nil, err
		}
		if !known.Was.Forgotten && !here[ledger.KeyOf(known.Name)] {
			gone = append(gone, known.Name.Ref())
		}
	}
	return gone, nil
}

// Accept takes records as they are now for what this clone saw: what was replaced, what lost its signature, and what is
// gone. It returns the full names of their refs. A record is named by its whole id.
func (u *Auditor) Accept(ctx context.Context, specs []string) ([]string, error) {
	var accepted []string
	var missing []error
	for _, spec := range specs {
		id, err := packet.ParseID(strings.ToUpper(spec))
		if err != nil {
			missing = append(missing, err)
			continue
		}
		names, err := u.accept(ctx, id)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			missing = append(missing, &replay.RecordError{Ref: string(id), Err: replay.ErrNotFound})
		}
		accepted = append(accepted, names...)
	}
	if err := errors.Join(missing...); err != nil {
		return nil, err
	}
	u.opts.Seen.Keep()
	slices.Sort(accepted)
	return accepted, nil
}

func (u *Auditor) accept(ctx context.Context, id packet.ID) ([]string, error) {
	var accepted []string
	for _, kind := range refs.Kinds() {
		name := refs.Name{Kind: kind, ID: id}
		was, known := u.opts.Seen.Find(name)
		if !known {
			continue
		}
		ref, err := u.opts.Store.Lookup(ctx, kind, id)
		switch {
		case errors.Is(err, refs.ErrNotFound):
			was.Forgotten = true
		case err != nil:
			return nil, err
		default:
			obj, err := u.opts.Store.Read(ctx, ref, refs.Bound(kind))
			if err != nil {
				return nil, err
			}
			was = ledger.Sighting{Blob: obj.OID}
		}
		u.opts.Seen.Note(name, was)
		accepted = append(accepted, name.Ref())
	}
	return accepted, nil
}
