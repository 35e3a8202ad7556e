package refs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// Create stores records. When it returns without an error, each of them survives a crash, a power cut and a
// garbage collection. The refs are made in one transaction: all or none. A name that holds the same blob
// already is fine and its ref is returned; a name that holds another blob is ErrExists.
func (s *Store) Create(ctx context.Context, recs []New) ([]Ref, error) {
	for _, rec := range recs {
		if rec.Name.Key != "" {
			return nil, fmt.Errorf("save record: %q is the name of a later signature", rec.Name.Ref())
		}
	}
	return s.createRecords(ctx, recs)
}

// createRecords is Create for records and later signatures.
func (s *Store) createRecords(ctx context.Context, recs []New) ([]Ref, error) {
	// Refuses names that are not of the layout or stand twice.
	seen := make(map[Name]bool, len(recs))
	for _, rec := range recs {
		if !rec.Name.isValid() {
			return nil, fmt.Errorf("save record: %q is not the name of a record", rec.Name.Ref())
		}
		if seen[rec.Name] {
			return nil, fmt.Errorf("save record %q: the name stands twice", rec.Name.Ref())
		}
		seen[rec.Name] = true
	}
	if len(recs) == 0 {
		return nil, nil
	}
	c := creation{store: s, refs: make([]Ref, len(recs))}
	for i, rec := range recs {
		if err := c.addRecord(ctx, i, rec); err != nil {
			return nil, wrap("save record", rec.Name.Ref(), err)
		}
	}
	if err := c.makeRefs(ctx); err != nil {
		// Forgets what this call has kept, so that a save that failed does not appear later, except for refs
		// that were made after all.
		var names []Name
		for _, saved := range c.work {
			names = append(names, saved.name)
			oid, err := c.store.reader.resolveRef(context.WithoutCancel(ctx), saved.name.Ref())
			if slices.Contains(c.fresh, saved.name) && err == nil && oid != saved.refObject() {
				_ = c.store.spool.dropEntry(saved.name)
			}
		}
		return nil, s.explainBlocked(ctx, names, err)
	}
	return c.refs, nil
}

// creation is the state of one call of Create.
type creation struct {
	store *Store
	refs  []Ref    // refs are the answers, in the order of the records.
	work  []saving // work is what is not there yet.
	index []int    // index tells where the answer for a piece of work belongs.
	fresh []Name   // fresh are the spool entries that this call has made.
}

// addRecord prepares a record: it is signed, unless the same content is there already.
func (c *creation) addRecord(ctx context.Context, i int, rec New) error {
	length := oidLength(c.store.repo)
	saved := saving{name: rec.Name, blob: rec.Data, blobOID: hashObject(length, "blob", rec.Data)}
	existing, err := c.store.existingObject(ctx, saved)
	if err != nil {
		return err
	}
	if existing != "" {
		c.refs[i] = Ref{Name: rec.Name, Object: existing}
		return nil
	}
	if rec.Tag != nil {
		if saved.tag, err = rec.Tag(saved.blobOID); err != nil {
			return err
		}
	}
	if saved.tag != nil {
		if named, ok := taggedBlob(saved.tag); !ok || named != saved.blobOID {
			return fmt.Errorf("tag object: %w", ErrShape)
		}
		saved.tagOID = hashObject(length, "tag", saved.tag)
		if err := ctx.Err(); err != nil { // Signing waits for a person, who may give up.
			return err
		}
	}
	c.refs[i] = Ref{Name: rec.Name, Object: saved.refObject()}
	c.work, c.index = append(c.work, saved), append(c.index, i)
	return nil
}

// existingObject returns the object of a ref, or of an entry in an archive, that holds the same blob, "" when
// there is no such one, and ErrExists when it holds another.
func (s *Store) existingObject(ctx context.Context, saved saving) (string, error) {
	oid, err := s.reader.resolveRef(ctx, saved.name.Ref())
	if err == nil && oid == "" {
		oid, err = s.Archives.Lookup(ctx, saved.name)
	}
	if err != nil || oid == "" || oid == saved.blobOID {
		return oid, err
	}
	typ, data, err := s.archive.readObject(ctx, oid, maxTag)
	if _, large := errors.AsType[*TooLargeError](err); large {
		return "", ErrExists
	}
	if err != nil {
		return "", err
	}
	if named, ok := taggedBlob(data); typ == "tag" && ok && named == saved.blobOID {
		return oid, nil
	}
	return "", ErrExists
}

// makeRefs writes spool and objects side by side, both durably, and makes the refs only after that.
func (c *creation) makeRefs(ctx context.Context) error {
	if len(c.work) == 0 {
		return nil
	}
	names := make([]string, len(c.work))
	for i, saved := range c.work {
		names[i] = saved.name.Ref()
	}
	dirs := c.store.refDirectories(names...)
	spooled := make(chan error, 1)
	go func() { spooled <- c.spoolAll() }()
	err := c.writeObjects(ctx)
	if err := errors.Join(<-spooled, err); err != nil {
		return err
	}
	if len(c.work) == 1 && c.store.createAlone(ctx, c.work[0]) == nil {
		return nil
	}
	update := c.store.repo.Update
	if len(c.work) >= manyRefs {
		update = c.store.repo.UpdateMany
	}
	err = update(ctx, c.refChanges())
	for try := range writeTries {
		// The first time no object may be missing any more, because another process has brought it back.
		lost := slices.ContainsFunc(c.work, func(saved saving) bool { return !c.store.isWhole(ctx, saved) })
		if err == nil || errors.Is(err, git.ErrConflict) || try > 0 && !lost {
			break
		}
		if failed := c.writeObjects(ctx); failed != nil {
			break
		}
		err = update(ctx, c.refChanges())
	}
	if errors.Is(err, git.ErrConflict) {
		err = c.settleConflict(ctx)
	}
	if err == nil {
		err = syncNames(dirs)
	}
	return wrap("make ref", c.work[0].name.Ref(), err)
}

// manyRefs is from how many refs on they are synced in one file and not each by itself. What a power cut
// leaves empty of them until then lies in the spool.
const manyRefs = 64

// spoolAll keeps the bytes of all the work.
func (c *creation) spoolAll() error {
	fresh := make([]bool, len(c.work))
	err := c.forEach("keep record", func(i int, saved saving) (err error) {
		fresh[i], err = c.store.spool.putEntry(saved)
		return err
	})
	for i, saved := range c.work {
		if fresh[i] {
			c.fresh = append(c.fresh, saved.name)
		}
	}
	return err
}

// writeObjects writes the objects of all the work.
func (c *creation) writeObjects(ctx context.Context) error {
	return c.forEach("save record", func(_ int, saved saving) error {
		return c.store.writeObjects(ctx, saved)
	})
}

// abreast is how many records are written at once: the disk is waited for by all of them together.
const abreast = 16

// forEach does one step of all the work, and returns the first error in its order.
func (c *creation) forEach(step string, do func(i int, saved saving) error) error {
	if len(c.work) == 1 { // It takes no goroutine, which may take a thread.
		return wrap(step, c.work[0].name.Ref(), do(0, c.work[0]))
	}
	errs := make([]error, len(c.work))
	var todo atomic.Int64
	var all sync.WaitGroup
	for range min(abreast, len(c.work)) {
		all.Go(func() {
			for i := int(todo.Add(1)) - 1; i < len(c.work); i = int(todo.Add(1)) - 1 {
				errs[i] = do(i, c.work[i])
			}
		})
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return wrap(step, c.work[i].name.Ref(), err)
		}
	}
	return nil
}

// writeObjects writes the blob and the tag of a record. Git itself does not try again when a garbage
// collection takes away a directory, or the blob that a tag names.
func (s *Store) writeObjects(ctx context.Context, saved saving) (err error) {
	write := func(typ string, data []byte, want string) error {
		oid, err := s.objects.writeObject(ctx, typ, data)
		if err == nil && oid != want {
			err = fmt.Errorf("git names the %s %s, not %s", typ, oid, want)
		}
		return err
	}
	for range writeTries {
		if err = write("blob", saved.blob, saved.blobOID); err == nil && saved.tagOID != "" {
			err = write("tag", saved.tag, saved.tagOID)
		}
		if _, failed := errors.AsType[*git.ExitError](err); !failed || ctx.Err() != nil {
			break
		}
	}
	return err
}

// refChanges is the transaction that makes the refs.
func (c *creation) refChanges() []git.Change {
	changes := make([]git.Change, len(c.work))
	for i, saved := range c.work {
		changes[i] = git.Change{Kind: git.Create, Ref: saved.name.Ref(), New: saved.refObject()}
	}
	return changes
}

// settleConflict decides after another process has made one of the refs: the same blob is the same record.
func (c *creation) settleConflict(ctx context.Context) error {
	var work []saving
	for i, saved := range c.work {
		existing, err := c.store.existingObject(ctx, saved)
		if err != nil {
			return err
		}
		if existing == "" {
			work = append(work, saved)
			continue
		}
		c.refs[c.index[i]].Object = existing
	}
	if len(work) == 0 {
		return nil
	}
	rest := creation{work: work}
	return c.store.repo.Update(ctx, rest.refChanges())
}

// errNotAlone says that a ref is made by git or not at all.
var errNotAlone = errors.New("git has to make the ref")

// createAlone makes one new ref in this process, as git makes it where refs are files: under the lock that
// git takes, after a look at what stands there and at the objects, synced before it gets its name and with
// it. It saves the process, which costs half as much as all else of a save. It fails, and has changed
// nothing, where git would do more, where somebody holds the lock and where anything stands in the way: then
// git is asked, which waits, and says why not.
func (s *Store) createAlone(ctx context.Context, saved saving) error {
	if s.files == nil || ctx.Err() != nil || !s.repo.MakesRefsAlike() {
		return errNotAlone
	}
	ref := saved.name.Ref()
	dir := local.Open(s.repo.CommonDir, s.repo.Sharing)
	for part := range strings.SplitSeq(path.Dir(ref), "/") {
		dir = dir.Sub(part)
	}
	return dir.File(path.Base(ref)).ReplaceAs([]byte(saved.refObject()+"\n"), local.Replacement{
		Perm: 0o666, Lock: true,
		Before: func() error {
			if !s.isWhole(ctx, saved) {
				return errNotAlone
			}
			// Returns errNotAlone where a ref stands under a name, below it, or under one of those above it.
			// The caller holds the lock of the name, so that what is loose does not become packed meanwhile.
			for name := ref; name != "refs"; name = path.Dir(name) {
				if oid, err := s.files.resolveRef(ctx, name); oid != "" || err != nil {
					return errNotAlone
				}
			}
			for range listRefs(ctx, s.files, scan{prefix: ref + "/", names: true}) {
				return errNotAlone
			}
			return nil
		},
	})
}

// staleLock is the age from which the lock of a record's ref is one that a dead process left: a name is
// written once, in milliseconds.
const staleLock = 10 * time.Minute

// refDirectories returns where git will put refs: the directories themselves, and those above one that git
// has to make first.
func (s *Store) refDirectories(refs ...string) []string {
	var dirs []string
	for _, ref := range refs {
		for dir := filepath.Dir(ref); dir != "."; dir = filepath.Dir(dir) {
			full := filepath.Join(s.repo.CommonDir, dir)
			if !slices.Contains(dirs, full) {
				dirs = append(dirs, full)
			}
			if _, err := os.Stat(full); err == nil {
				break
			}
		}
	}
	return dirs
}

// syncNames makes sure that the refs in these directories are on the disk under their names: git syncs what a
// ref holds, and not its name. Where refs do not lie in files there is nothing to do.
func syncNames(dirs []string) error {
	for _, dir := range dirs {
		if err := local.SyncPath(dir); err != nil && !errors.Is(err, fs.ErrNotExist) &&
			!errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// Held lists every ref below refs/ltm, whatever its shape. No object is opened; broken and symbolic refs are
// left out.
func (s *Store) Held(ctx context.Context) (git.RefList, error) {
	if s.files != nil { // What is offered lies elsewhere.
		held, err := s.files.listBelow(ctx, Root)
		if !errors.Is(err, errUnsorted) {
			return held, wrap("list refs below", Root, err)
		}
	}
	return s.heldBelow(ctx, Root)
}

// Tracked lists the tracking refs of the remote as Held does, by the names that they have below refs/ltm.
func (r Remote) Tracked(ctx context.Context) (git.RefList, error) {
	return r.store.heldBelow(ctx, rootOf(r.name))
}

// heldBelow lists what Held does of a place, ref by ref.
func (s *Store) heldBelow(ctx context.Context, place string) (git.RefList, error) {
	var failed error
	held := joinLists(func(yield func(name, oid string) bool) {
		for e, err := range listRefs(ctx, s.reader, scan{prefix: place}) {
			if failed = err; err != nil || !yield(Root+strings.TrimPrefix(e.ref, place), e.oid) {
				return
			}
		}
	})
	return held, failed
}

// writeLine writes a name and its object as git does to packed-refs.
func writeLine(to io.StringWriter, name, oid string) {
	for _, part := range []string{oid, " ", name, "\n"} {
		_, _ = to.WriteString(part) // Whoever flushes the writer hears of it.
	}
}

// CountRefs counts the refs below refs/ltm, whatever their shape, and stops at most.
func (s *Store) CountRefs(ctx context.Context, most int) (n int, err error) {
	for _, err := range listRefs(ctx, s.reader, scan{prefix: Root, names: true}) {
		if err != nil {
			return n, err
		}
		if n++; n >= most {
			break
		}
	}
	return n, nil
}

// Import makes the refs of records and later signatures whose objects are here, as those that a remote has
// sent are. A name that holds the same object already is fine. A name that holds another one keeps it, and is
// returned.
func (s *Store) Import(ctx context.Context, wanted git.RefList) (taken []string, err error) {
	changes := make([]git.Change, 0, wanted.Len())
	for ref, oid := range wanted.All() {
		if _, ok := parseOwn(ref); !ok {
			return nil, wrap("import record", ref, ErrNotFound)
		}
		changes = append(changes, git.Change{Kind: git.Create, Ref: ref, New: oid})
	}
	if len(changes) == 0 {
		return nil, nil
	}
	update := s.repo.Update
	if len(changes) > manyLoose {
		update = s.repo.UpdateMany // The remote holds what a power cut would take.
	}
	err = update(ctx, changes)
	if errors.Is(err, git.ErrConflict) { // One of them was refused, so each is made alone.
		err = nil
		for i := 0; i < len(changes) && err == nil; i++ {
			if err = s.repo.Update(ctx, changes[i:i+1]); errors.Is(err, git.ErrConflict) {
				taken, err = append(taken, changes[i].Ref), nil
			}
		}
	}
	return taken, wrap("import record", changes[0].Ref, err)
}

// Here tells whether an object is here, and where it is a tag of a blob, whether that is here too.
func (s *Store) Here(ctx context.Context, oid string) bool {
	typ, err := typeOf(ctx, s.objects, oid)
	if err != nil || typ != "tag" {
		return err == nil
	}
	blob, err := s.blobBehind(ctx, oid)
	if err == nil && blob != "" {
		_, err = typeOf(ctx, s.objects, blob)
	}
	return err == nil
}

// SameBlob tells whether two objects are one blob, or tag objects of one. Objects that are neither are not
// the same.
func (s *Store) SameBlob(ctx context.Context, a, b string) (bool, error) {
	first, err := s.blobBehind(ctx, a)
	if err != nil {
		return false, err
	}
	second, err := s.blobBehind(ctx, b)
	return first != "" && first == second, err
}

// blobBehind returns the blob that an object is or names, or nothing.
func (s *Store) blobBehind(ctx context.Context, oid string) (string, error) {
	typ, tag, err := s.objects.readObject(ctx, oid, maxTag)
	_, large := errors.AsType[*TooLargeError](err)
	switch {
	case typ == "blob" && (err == nil || large):
		return oid, nil
	case large, errors.Is(err, ErrMissing), errors.Is(err, ErrCorrupt), err == nil && typ != "tag":
		return "", nil
	case err != nil:
		return "", wrap("read object", oid, err)
	}
	blob, _ := taggedBlob(tag)
	return blob, nil
}
