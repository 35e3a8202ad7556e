package refs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// errLocked says that another process is changing a ref at this moment.
var errLocked = errors.New("another process holds the lock")

// mendRef brings a broken ref back, from the spool or from what a remote is known to hold, or else puts it
// aside.
func (h *healing) mendRef(ctx context.Context, d damage) error {
	name, known := parseOwn(d.Ref)
	if known {
		if saved, err := h.spool.loadEntry(name); err == nil && (d.oid == "" || d.oid == saved.refObject()) {
			if err := h.clearBroken(ctx, d); err != nil {
				return err
			}
			return h.restoreRecord(ctx, saved, d.oid)
		}
	}
	if oid := h.heldElsewhere(ctx, d.Ref); oid != "" {
		// Points a broken ref to the object of its tracking ref.
		if err := h.putAside(d); err != nil {
			return err
		}
		if err := h.clearBroken(ctx, d); err != nil {
			return err
		}
		change := git.Change{Kind: git.Create, Ref: d.Ref, New: oid}
		if d.oid != "" {
			change = git.Change{Kind: git.Update, Ref: d.Ref, Old: d.oid, New: oid}
		}
		return h.restoreRef(ctx, change)
	}
	kept := false // A local archive may hold the record.
	var err error
	if known {
		var object string
		object, err = h.Archives.Lookup(ctx, name)
		kept = object != "" && (d.oid == "" || d.oid == object)
	}
	if err == nil && !kept {
		err = h.putAside(d)
	}
	if err == nil {
		err = h.clearBroken(ctx, d)
	}
	if err != nil {
		return err
	}
	if d.oid != "" {
		change := git.Change{Kind: git.Delete, Ref: d.Ref, Old: d.oid}
		if err := h.repo.Update(ctx, []git.Change{change}); err != nil {
			return ignoreConflict(err)
		}
	}
	if kept {
		h.report.Restored = append(h.report.Restored, d.Ref)
	} else {
		h.report.Quarantined = append(h.report.Quarantined, d.Broken)
	}
	return nil
}

// heldElsewhere returns the object that a broken ref has named, if that is here: the one that the
// name of an archive says, or that a remote is known to hold under the name of a record.
func (h *healing) heldElsewhere(ctx context.Context, ref string) string {
	if a, ok := ArchiveAt(ref, path.Base(ref)); ok { // The name says what it was.
		if _, err := h.archive.readContents(ctx, a); err == nil {
			return a.Commit
		}
	}
	name, ok := parseOwn(ref)
	if !ok || name.Private { // What a remote holds under a private name is another record.
		return ""
	}
	remotes, _ := h.reader.listRemotes(ctx)
	for _, remote := range remotes {
		oid, err := h.reader.resolveRef(ctx, Ref{Name: name, Remote: remote}.Full())
		if err == nil && oid != "" {
			if _, err := h.readObject(ctx, oid, maxSpooled); err == nil {
				return oid
			}
		}
	}
	return ""
}

// putAside keeps the name and the content of a ref in the quarantine.
func (h *healing) putAside(d damage) error {
	file := url.QueryEscape(d.Ref)
	if len(file) > 200 {
		file = file[:200]
	}
	content := fmt.Sprintf("%s\n%s\n%s%s\n", d.Ref, d.Reason, d.oid, d.text)
	return h.repo.Local().Sub("quarantine").File(file).ReplaceAs([]byte(content),
		local.Replacement{Perm: 0o444})
}

// clearBroken removes the file of an empty or garbage ref. Git refuses to delete or overwrite such a ref, so
// the file is removed here, under the lock that git itself uses. A dangling ref is left to git.
func (h *healing) clearBroken(ctx context.Context, d damage) (err error) {
	if d.oid != "" || h.files == nil {
		return nil
	}
	path := h.files.refPath(d.Ref)
	if err := breakLock(path+lockSuffix, staleLock); err != nil {
		return err
	}
	lock, err := os.OpenFile(path+lockSuffix, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return errLocked
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close(), os.Remove(path+lockSuffix)) }()
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, state, err := h.files.readRef(d.Ref); err != nil || state != looseBroken {
		return err // It was mended in the meantime.
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return local.SyncPath(filepath.Dir(path))
}

// The reasons why a ref is broken.
const (
	reasonEmpty    = "empty"
	reasonGarbage  = "garbage"
	reasonDangling = "dangling"
)

// damage is a broken ref and what it holds.
type damage struct {
	Broken
	oid  string // oid is the object of a dangling ref.
	text string // text is what the file of an empty or garbage ref holds.
}

// Broken lists the refs below refs/ltm and refs/ltm-local that git cannot use. It changes nothing.
func (s *Store) Broken(ctx context.Context) ([]Broken, error) {
	names, err := s.looseNames()
	if err != nil {
		return nil, err
	}
	found, err := (&healing{Store: s, to: everything}).findDamaged(ctx, names)
	var broken []Broken
	for _, d := range found {
		broken = append(broken, d.Broken)
	}
	return broken, err
}

// looseNames returns the names of all loose refs of ours; none where refs are not files.
func (s *Store) looseNames() (names []string, err error) {
	for _, place := range places() {
		if s.files == nil {
			break
		}
		below, err := s.files.listNames(place)
		if err != nil {
			return nil, wrap("list refs below", place, err)
		}
		names = append(names, below...)
	}
	return names, nil
}

// findDamaged finds broken refs, of which names are the loose ones.
func (h *healing) findDamaged(ctx context.Context, names []string) ([]damage, error) {
	if h.files == nil {
		// Finds refs whose objects are missing, where refs are not files.
		if h.to == fewNewest {
			return nil, nil
		}
		refs, err := h.repo.Refs(ctx, places()...)
		if err != nil {
			return nil, wrap("list refs below", Root, err)
		}
		var found []damage
		for _, ref := range refs {
			if ref.Symref == "" && h.isDangling(ctx, ref.Object) {
				found = append(found,
					damage{Broken: Broken{Ref: ref.Name, Reason: reasonDangling}, oid: ref.Object})
			}
		}
		return found, nil
	}
	if h.to == fewNewest {
		// Returns the few last names of each folder of a place. The names are sorted.
		folder := func(name string) string { return strings.Join(strings.SplitN(name, "/", 4)[:3], "/") }
		var few []string
		for i, name := range names {
			if later := i + newestFew; later >= len(names) || folder(names[later]) != folder(name) {
				few = append(few, name)
			}
		}
		names = few
	}
	var found []damage
	for _, name := range names {
		if h.to == fewNewest && h.files.looksWhole(name) {
			continue
		}
		d, err := h.inspectRef(ctx, name)
		if err != nil {
			return nil, err
		}
		if d.Reason != "" {
			found = append(found, d)
		}
	}
	return found, nil
}

// looksWhole reports whether a loose ref file is as long as an object name and a line break.
func (l looseRefs) looksWhole(ref string) bool {
	info, err := os.Lstat(l.refPath(ref))
	return errors.Is(err, fs.ErrNotExist) || (err == nil && info.Size() == int64(l.oidLength)+1)
}

// inspectRef judges one loose ref.
func (h *healing) inspectRef(ctx context.Context, ref string) (damage, error) {
	d := damage{Broken: Broken{Ref: ref}}
	oid, state, err := h.files.readRef(ref)
	if err != nil {
		return d, wrap("read ref", ref, err)
	}
	switch {
	case state == looseBroken:
		d.Reason = reasonGarbage
		d.text, err = h.files.readText(ref)
		if errors.Is(err, fs.ErrNotExist) {
			return damage{}, nil
		}
		if d.text == "" {
			d.Reason = reasonEmpty
		}
	case state == looseObject && h.to == everything && h.isDangling(ctx, oid):
		d.Reason, d.oid = reasonDangling, oid
	}
	return d, err
}

// isDangling reports whether an object that a ref names is gone or damaged.
func (h *healing) isDangling(ctx context.Context, oid string) bool {
	_, err := typeOf(ctx, h.objects, oid)
	return errors.Is(err, ErrMissing) || errors.Is(err, ErrCorrupt)
}

// fileClock is the time that ages of files are told by. The file system stamps files by the same clock, so no
// caller's may take its place.
func fileClock() time.Time {
	return time.Now() //nolint:forbidigo // It is compared with times of files.
}

// sinceModified is the age of a file.
func sinceModified(info fs.FileInfo) time.Duration {
	return fileClock().Sub(info.ModTime())
}
