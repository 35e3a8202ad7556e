package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// listing is what a remote holds below refs/ltm.
type listing struct {
	refs   map[string]string // full names and objects of refs of the layout
	order  []git.Ref         // the same, as the remote lists them
	behind map[string]string // the objects behind tag objects, by the same names
	stray  []string          // names that are none of the layout; nobody reads or scans them

	misnamed map[string]string // those of them that are called as an archive is, and what they name

	records, archives int // how many of the refs are records or later signatures, and how many archives
}

// ErrObjectNames says that one side has SHA-1 names and the other SHA-256.
var ErrObjectNames = errors.New("its objects have names of another hash than those here, and git exchanges nothing between the two")

// look asks the remote for its refs.
func (x *exchange) look(ctx context.Context) (listing, error) {
	list, err := x.repo.ListRemote(ctx, x.request.Remote, refs.Root+"*")
	if err != nil {
		return listing{}, x.unreached(err)
	}
	return x.listed(list)
}

// listed reads what the remote answered.
func (x *exchange) listed(list git.RemoteList) (listing, error) {
	all := list.Refs()
	if len(all) > 0 && (len(all[0].Object) == 64) != (x.repo.ObjectFormat == "sha256") {
		return listing{}, fmt.Errorf("list refs of remote %q: %w", x.request.Remote, ErrObjectNames)
	}
	l := listing{refs: make(map[string]string, len(all)), behind: map[string]string{}, misnamed: map[string]string{}}
	for _, ref := range all {
		switch {
		case !strings.HasPrefix(ref.Name, refs.Root):
		case !l.count(ref.Name, ref.Object):
			l.stray = append(l.stray, ref.Name)
			if refs.IsArchive(ref.Name) {
				l.misnamed[ref.Name] = ref.Object
			}
		default:
			l.refs[ref.Name] = ref.Object
			l.order = append(l.order, ref)
			if ref.Peeled != "" {
				l.behind[ref.Name] = ref.Peeled
			}
		}
	}
	return l, nil
}

// count counts a ref, and reports whether it is of the layout.
func (l *listing) count(name, oid string) bool {
	if _, _, ok := parts(name); ok {
		l.records++
		return true
	}
	if _, ok := refs.ArchiveAt(name, oid); ok {
		l.archives++
		return true
	}
	return refs.InLayout(name) && !refs.IsArchive(name)
}

// parts reads the full name of a record's ref, or of a later signature of a record.
func parts(ref string) (kind refs.Kind, id packet.ID, ok bool) {
	if name, ok := refs.ParseName(ref); ok {
		return name.Kind, name.ID, true
	}
	later, ok := refs.ParseEndorsement(ref)
	return "", later.ID, ok
}

// ReachError is a remote that git could not exchange with. Nothing of what it holds is known then.
type ReachError struct{ Err error }

func (e *ReachError) Error() string { return e.Err.Error() }

// Unwrap returns what git said.
func (e *ReachError) Unwrap() error { return e.Err }

// unreached says that an error is git's, of the network or of the remote.
func (x *exchange) unreached(err error) error {
	exit, ended := errors.AsType[*git.ExitError](err)
	if ended && slices.Contains([]string{"ls-remote", "fetch", "push"}, exit.Args0) {
		return &ReachError{Err: err}
	}
	return err
}

// readFormat notes what the remote says of the format of its memory, and ends nothing by that: whoever can push can write it. What
// this version itself writes there costs nothing to recognise.
func (x *exchange) readFormat(ctx context.Context) error {
	oid, ok := x.theirs.refs[refs.FormatRef]
	if !ok || oid == x.store.BlobOID(refs.FormatRecord()) {
		return nil
	}
	var err error
	if !x.store.Here(ctx, oid) {
		err = x.repo.FetchInto(ctx, x.request.Remote, []string{oid})
	}
	needs := 0
	if err == nil {
		x.tracked[refs.FormatRef] = oid
		needs, err = x.store.MinReader(ctx, oid)
	}
	x.out.OddFormat = err != nil
	if needs > refs.Format {
		x.out.Needs = needs
	}
	return ctx.Err()
}
