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
	behind map[string]string // the objects behind tag objects, by the same names
	stray  []string          // names that are none of the layout; nobody reads or scans them

	records, archives int // how many of the refs are records or later signatures, and how many archives
}

// layoutRoot is where records and everything that travels with them lie.
const layoutRoot = "refs/ltm/"

// ErrObjectNames says that one side has SHA-1 names and the other SHA-256.
var ErrObjectNames = errors.New("its objects have names of another hash than those here, and git exchanges nothing between the two")

// look asks the remote for its refs.
func (x *exchange) look(ctx context.Context) (listing, error) {
	all, err := x.repo.LsRemote(ctx, x.request.Remote, layoutRoot+"*")
	if err != nil {
		return listing{}, x.unreached(err)
	}
	if len(all) > 0 && (len(all[0].Object) == 64) != (x.repo.ObjectFormat == "sha256") {
		return listing{}, fmt.Errorf("list refs of remote %q: %w", x.request.Remote, ErrObjectNames)
	}
	l := listing{refs: make(map[string]string, len(all)), behind: map[string]string{}}
	for _, ref := range all {
		switch {
		case !strings.HasPrefix(ref.Name, layoutRoot):
		case !l.count(ref.Name):
			l.stray = append(l.stray, ref.Name)
		default:
			l.refs[ref.Name] = ref.Object
			if ref.Peeled != "" {
				l.behind[ref.Name] = ref.Peeled
			}
		}
	}
	return l, nil
}

// count counts a name, and reports whether it is of the layout.
func (l *listing) count(name string) bool {
	if _, _, ok := parts(name); ok {
		l.records++
		return true
	}
	if _, ok := refs.ParseArchive(name); ok {
		l.archives++
	}
	return refs.InLayout(name)
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

// FormatError is a remote whose memory only a later version can read.
type FormatError struct {
	Remote string
	Needs  int // the oldest format whose readers may read it
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("the memory on %s is of format %d, and this version reads format %d", e.Remote, e.Needs, refs.Format)
}

// readable refuses a remote whose memory this version must not read. What this version itself writes there costs nothing to
// recognise.
func (x *exchange) readable(ctx context.Context) error {
	oid, ok := x.theirs.refs[refs.FormatRef]
	if !ok || oid == x.store.BlobOID(refs.FormatRecord()) {
		return nil
	}
	if err := x.repo.FetchInto(ctx, x.request.Remote, []string{x.refspec(refs.FormatRef)}); err != nil {
		return err
	}
	x.tracked[refs.FormatRef] = oid
	needs, err := x.store.MinReader(ctx, oid)
	if err == nil && needs > refs.Format {
		err = &FormatError{Remote: x.request.Remote, Needs: needs}
	}
	return err
}

// refspec brings one ref to where it is tracked.
func (x *exchange) refspec(name string) string {
	return "+" + name + ":refs/ltm-remotes/" + x.request.Remote + "/" + strings.TrimPrefix(name, layoutRoot)
}
