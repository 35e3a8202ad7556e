package refs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// Report says what Heal has done.
type Report struct {
	Restored    []string // Restored are the refs whose ref or objects were brought back.
	Quarantined []Broken // Quarantined are the refs that could not be saved and were put aside.
}

// Broken is a ref that git cannot use.
type Broken struct {
	Ref    string
	Reason string
}

// Heal brings back what a crash or a garbage collection has taken: objects and refs of records in the spool,
// and refs that are empty, garbage or point to nothing. What cannot be brought back is put aside, so that git
// works again. Where many refs are loose it packs them. Nothing else outside refs/ltm and refs/ltm-local is
// touched. A command that writes calls it first.
func (s *Store) Heal(ctx context.Context) (Report, error) {
	h := healing{Store: s, to: s.dueDepth()}
	err := h.run(ctx)
	return h.report, err
}

// healing is one call of Heal.
type healing struct {
	*Store

	to     depth
	report Report
}

// run does the work of Heal.
func (h *healing) run(ctx context.Context) error {
	began := fileClock()
	if err := h.breakLocks(); err != nil {
		return wrap("remove old locks in", h.repo.CommonDir, err)
	}
	entries, err := h.spool.listEntries(h.to)
	if err != nil {
		return wrap("read", h.spool.files.Path(), err)
	}
	names, err := h.looseNames()
	if err != nil {
		return err
	}
	broken, err := h.findDamaged(ctx, names)
	if err != nil {
		return err
	}
	for _, damage := range broken {
		err := h.mendRef(ctx, damage)
		if errors.Is(err, errLocked) {
			continue // The holder of the lock is about to write it.
		}
		if err != nil {
			return wrap("heal ref", damage.Ref, err)
		}
	}
	for _, entry := range entries {
		if err := h.healEntry(ctx, entry); err != nil {
			return wrap("heal record", entry.name.Ref(), err)
		}
	}
	if h.to == everything {
		if err := h.repo.ReleasePacks(ctx, longestAge); err != nil {
			return err
		}
		h.repo.Local().Sweep(temporaryAge)
		h.spool.files.Sweep(temporaryAge)
		h.noteLook(began)
	}
	if len(names) > manyLoose {
		_ = h.repo.PackRefs(ctx) // What fails is left for the next time.
	}
	return nil
}

// restoreRef changes a ref, unless another process has changed it at the same time.
func (h *healing) restoreRef(ctx context.Context, change git.Change) error {
	if err := h.repo.Update(ctx, []git.Change{change}); err != nil {
		return ignoreConflict(err)
	}
	h.report.Restored = append(h.report.Restored, change.Ref)
	return nil
}

// healEntry makes sure that a record of the spool has its objects and its ref, and lets go of it when it is
// safe.
func (h *healing) healEntry(ctx context.Context, k kept) error {
	saved, err := h.spool.loadEntry(k.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // Another process was faster.
	}
	if errors.Is(err, ErrCorrupt) {
		return h.spool.dropEntry(k.name) // A power cut before the save was acknowledged.
	}
	if err != nil {
		return err
	}
	now, err := h.reader.resolveRef(ctx, k.name.Ref())
	if errors.Is(err, ErrCorrupt) {
		return nil // A broken ref whose lock is held; the entry stays until that is over.
	}
	if err != nil {
		return err
	}
	if now == "" && k.age < underway && !h.spool.isForgotten(k.name) {
		return nil
	}
	if now == "" && h.inArchive(ctx, k.name, saved.refObject()) {
		return h.spool.dropEntry(k.name)
	}
	if now != "" && now != saved.refObject() {
		// Gives a record its name back where another record stands under it: a name is written once,
		// and a plain fetch that writes below refs/ltm does not know that.
		other, err := h.blobBehind(ctx, now)
		if err != nil || other == "" || other == saved.blobOID {
			// The entry goes once the other object is seen; until then it may still be of use, and the ref is
			// judged as any other.
			if _, gone := typeOf(ctx, h.objects, now); gone == nil && k.age >= packedAge {
				err = errors.Join(err, h.spool.dropEntry(k.name))
			}
			return err
		}
		if err := h.writeObjects(ctx, saved); err != nil {
			return err
		}
		err = h.putAside(damage{Broken: Broken{Ref: k.name.Ref(), Reason: "replaced"}, oid: now})
		if err != nil {
			return err
		}
		return h.restoreRef(ctx,
			git.Change{Kind: git.Update, Ref: k.name.Ref(), Old: now, New: saved.refObject()})
	}
	if now != "" && h.isWhole(ctx, saved) {
		// Drops an entry when no garbage collection that began before the ref can be running any more.
		if k.age > longestAge || (k.age > packedAge && !(h.looseObjects().hasObject(saved.blobOID) ||
			(saved.tagOID != "" && h.looseObjects().hasObject(saved.tagOID)))) {
			return h.spool.dropEntry(k.name)
		}
		return nil
	}
	return h.restoreRecord(ctx, saved, now)
}

// inArchive reports whether a local archive holds this very record, whole.
func (h *healing) inArchive(ctx context.Context, name Name, object string) bool {
	in, err := h.Archives.ListLocal(ctx)
	return err == nil && !name.Private && h.Archives.archivesHold(ctx, in, name, object)
}

// isWhole reports whether the objects of a record are there.
func (s *Store) isWhole(ctx context.Context, saved saving) bool {
	return s.holdsObject(ctx, saved.blobOID) && (saved.tagOID == "" || s.holdsObject(ctx, saved.tagOID))
}

// holdsObject reports whether an object is there. Most of what was saved lately is loose, which costs one
// look.
func (s *Store) holdsObject(ctx context.Context, oid string) bool {
	if s.looseObjects().hasObject(oid) {
		return true
	}
	_, err := typeOf(ctx, s.objects, oid)
	return err == nil
}

// looseObjects is where git keeps loose objects, in every format of objects and refs.
func (s *Store) looseObjects() looseDir {
	return looseDir{dir: filepath.Join(s.repo.CommonDir, "objects"), sharing: s.repo.Sharing}
}

// restoreRecord writes the objects and makes the ref when it is missing. A record that was deleted in the
// meantime is taken away again.
func (h *healing) restoreRecord(ctx context.Context, saved saving, now string) error {
	if h.spool.isForgotten(saved.name) {
		return h.spool.dropEntry(saved.name)
	}
	// Another process may be at it: the entry stays until the lock is gone, or so old that a crash left it.
	lock := filepath.Join(h.repo.CommonDir, filepath.FromSlash(saved.name.Ref())) + lockSuffix
	if err := breakLock(lock, staleLock); err != nil {
		return err
	}
	if _, err := os.Lstat(lock); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := h.writeObjects(ctx, saved); err != nil {
		return err
	}
	if now == "" {
		change := git.Change{Kind: git.Create, Ref: saved.name.Ref(), New: saved.refObject()}
		if err := h.repo.Update(ctx, []git.Change{change}); err != nil {
			return ignoreConflict(err)
		}
		if h.spool.isForgotten(saved.name) {
			change = git.Change{Kind: git.Delete, Ref: saved.name.Ref(), Old: saved.refObject()}
			return ignoreConflict(h.repo.Update(ctx, []git.Change{change}))
		}
	}
	h.report.Restored = append(h.report.Restored, saved.name.Ref())
	return nil
}

// ignoreConflict leaves a ref alone that another process has changed at the same time.
func ignoreConflict(err error) error {
	if errors.Is(err, git.ErrConflict) {
		return nil
	}
	return err
}

const (
	// underway is how long an entry without a ref may belong to a save that goes on.
	underway   = 10 * time.Second
	checkedAge = 10 * time.Minute // checkedAge is how long it may be since everything was looked at.
	// newestFew is how many of each folder are looked at whenever something is written.
	newestFew = 8
	// manyLoose is how many loose refs are too many: each costs every git command that looks at refs.
	manyLoose = 500
)

// healedFile is the file whose time tells when every record and every loose ref was last looked at.
func (s *Store) healedFile() local.File { return s.repo.Local().File("healed") }

// Recheck lets the next Heal look at everything.
func (s *Store) Recheck() error { return s.healedFile().Remove() }

// depth is how far Heal goes.
type depth int

const (
	// fewNewest looks at the newest names of each folder: what a crash cuts off is among them.
	fewNewest  depth = iota
	everything       // everything looks at all of them, and follows each loose ref to its object.
)

// dueDepth decides how far Heal goes. A garbage collection tells of itself when it begins to write, and may
// take an object minutes later, so that everything is looked at again after a while.
func (s *Store) dueDepth() depth {
	stamp, err := os.Stat(s.healedFile().Path())
	if err != nil || sinceModified(stamp) > checkedAge {
		return everything
	}
	for _, sign := range []string{"packed-refs", "objects/pack", "objects/info"} {
		info, err := os.Stat(filepath.Join(s.repo.CommonDir, filepath.FromSlash(sign)))
		if err == nil && info.ModTime().After(stamp.ModTime()) {
			return everything
		}
	}
	return fewNewest
}

// noteLook keeps the time when everything was looked at. Without it the next Heal looks again, which does no
// harm.
func (s *Store) noteLook(moment time.Time) {
	// A file of another user has a time that only they may set.
	if s.healedFile().Replace(nil, local.Unsynced) == nil {
		_ = os.Chtimes(s.healedFile().Path(), moment, moment)
	}
}

const lockSuffix = ".lock"

// A Lock is the file by which git keeps others from changing what it writes.
type Lock struct {
	Name string        // as below git's folder
	Age  time.Duration // since it was made
	Most time.Duration // how old one is that nobody can hold any more
}

// Left tells whether nobody can hold the lock any more.
func (l Lock) Left() bool { return l.Age > l.Most }

// Locks returns the locks beside our refs, and that of the packed refs, which others write too: for an hour
// somebody may hold it.
func (s *Store) Locks() (all []Lock) {
	noteLock := func(path string, most time.Duration) {
		name, err := filepath.Rel(s.repo.CommonDir, path)
		info, gone := os.Lstat(path)
		if err == nil && gone == nil {
			all = append(all, Lock{filepath.ToSlash(name), sinceModified(info), most})
		}
	}
	noteLock(filepath.Join(s.repo.CommonDir, "packed-refs"+lockSuffix), packedAge)
	for _, place := range []string{Root, TrackingRoot, PrivateRoot} {
		top := filepath.Join(s.repo.CommonDir, filepath.FromSlash(strings.TrimSuffix(place, "/")))
		_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, lockSuffix) {
				noteLock(path, staleLock)
			}
			return nil // What cannot be looked into, or is gone, holds no lock of ours.
		})
	}
	return all
}

// breakLocks removes the locks that a git which was killed has left beside our refs, and beside the packed
// ones, where they keep every later change out. One that may still be held is left. A record that is new takes
// a name of its own, so that of the locks of refs it is enough to look at all now and then.
func (h *healing) breakLocks() error {
	if h.to == fewNewest {
		return breakLock(filepath.Join(h.repo.CommonDir, "packed-refs"+lockSuffix), packedAge)
	}
	for _, lock := range h.Locks() {
		if err := breakLock(filepath.Join(h.repo.CommonDir, filepath.FromSlash(lock.Name)), lock.Most); err != nil {
			return err
		}
	}
	return nil
}

// breakLock removes a lock that is so old that nobody can hold it any more.
func breakLock(path string, age time.Duration) error {
	info, err := os.Lstat(path)
	if err != nil || sinceModified(info) <= age {
		return nil //nolint:nilerr // Where there is no lock, there is nothing to do.
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
