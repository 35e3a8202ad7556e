package refs

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// errNotAlone says that a ref is made by git or not at all.
var errNotAlone = errors.New("git has to make the ref")

// createAlone makes one new ref in this process, as git makes it where refs are files: under the lock that git takes, after a look
// at what stands there and at the objects, synced before it gets its name and with it. It saves the process, which costs half as
// much as all else of a save. It fails, and has changed nothing, where git would do more, where somebody holds the lock and
// where anything stands in the way: then git is asked, which waits, and says why not.
func (s *Store) createAlone(ctx context.Context, saved saving) error {
	files, ok := plain(s.reader).(*filesReader)
	if !ok || ctx.Err() != nil || !s.repo.MakesRefsAlike() {
		return errNotAlone
	}
	ref := saved.name.Ref()
	dir := local.Open(s.repo.CommonDir, s.repo.Sharing)
	for part := range strings.SplitSeq(path.Dir(ref), "/") {
		dir = dir.Sub(part)
	}
	return dir.File(path.Base(ref)).ReplaceAs([]byte(saved.object()+"\n"), local.Replacement{
		Perm: 0o666, Lock: true,
		Before: func() error {
			if !s.whole(ctx, saved) {
				return errNotAlone
			}
			return files.vacant(ctx, ref)
		},
	})
}

// vacant returns errNotAlone where a ref stands under a name, below it, or under one of those above it. The caller holds the lock of
// the name, so that what is loose does not become packed meanwhile.
func (r *filesReader) vacant(ctx context.Context, ref string) error {
	for name := ref; name != "refs"; name = path.Dir(name) {
		if oid, err := r.resolve(ctx, name); oid != "" || err != nil {
			return errNotAlone
		}
	}
	for range r.names(ctx, ref+"/", "") {
		return errNotAlone
	}
	return nil
}
