package refs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/git"
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

// Heal brings back what a crash or a garbage collection has taken: objects and refs of records in the spool, and
// refs that are empty, garbage or point to nothing. What cannot be brought back is put aside, so that git works
// again. Nothing outside refs/ltm is touched. A command that writes calls it first.
func (s *Store) Heal(ctx context.Context) (Report, error) {
	var report Report
	broken, err := s.damaged(ctx, s.due())
	if err != nil {
		return report, err
	}
	for _, damage := range broken {
		err := s.mend(ctx, damage, &report)
		if errors.Is(err, errLocked) {
			continue // The holder of the lock is about to write it.
		}
		if err != nil {
			return report, wrap("heal ref", damage.Ref, err)
		}
	}
	entries, err := s.spool.list()
	if err != nil {
		return report, wrap("read", s.spool.dir, err)
	}
	for _, entry := range entries {
		if err := s.healEntry(ctx, entry, &report); err != nil {
			return report, wrap("heal record", entry.name.Ref(), err)
		}
	}
	s.healed()
	return report, nil
}

// healEntry makes sure that a record of the spool has its objects and its ref, and lets go of it when it is safe.
func (s *Store) healEntry(ctx context.Context, k kept, report *Report) error {
	saved, err := s.spool.load(k.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // Another process was faster.
	}
	if errors.Is(err, ErrCorrupt) {
		return s.spool.drop(k.name) // A power cut before the save was acknowledged.
	}
	if err != nil {
		return err
	}
	now, err := s.reader.resolve(ctx, k.name.Ref())
	if errors.Is(err, ErrCorrupt) {
		return nil // A broken ref whose lock is held; the entry stays until that is over.
	}
	if err != nil {
		return err
	}
	if now != "" && now != saved.object() {
		return s.dropForeign(ctx, now, k)
	}
	whole := s.whole(ctx, saved)
	if now != "" && whole {
		return s.release(saved, k)
	}
	return s.restore(ctx, saved, now, report)
}

// dropForeign lets go of an entry whose name was given to another object, once that object is seen.
func (s *Store) dropForeign(ctx context.Context, now string, k kept) error {
	if _, _, err := s.objects.info(ctx, now); err != nil {
		return nil //nolint:nilerr // The entry may still be of use; the ref is judged as any other.
	}
	if k.age < packedAge {
		return nil
	}
	return s.spool.drop(k.name)
}

// whole reports whether the objects of a record are there.
func (s *Store) whole(ctx context.Context, saved saving) bool {
	if _, _, err := s.objects.info(ctx, saved.blobOID); err != nil {
		return false
	}
	if saved.tagOID == "" {
		return true
	}
	_, _, err := s.objects.info(ctx, saved.tagOID)
	return err == nil
}

// release drops an entry when no garbage collection that began before the ref can be running any more.
func (s *Store) release(saved saving, k kept) error {
	if k.age > longestAge || (k.age > packedAge && !s.anyLoose(saved)) {
		return s.spool.drop(k.name)
	}
	return nil
}

// anyLoose reports whether one of the objects of a record, which are known to be there, lies outside of packs.
func (s *Store) anyLoose(saved saving) bool {
	loose := looseDir{dir: filepath.Join(s.repo.CommonDir, "objects")}
	return loose.has(saved.blobOID) || (saved.tagOID != "" && loose.has(saved.tagOID))
}

// restore writes the objects and makes the ref when it is missing. A record that was deleted in the meantime is
// taken away again.
func (s *Store) restore(ctx context.Context, saved saving, now string, report *Report) error {
	if s.spool.forgotten(saved.name) {
		return s.spool.drop(saved.name)
	}
	if err := s.writeObjects(ctx, saved); err != nil {
		return err
	}
	if now == "" {
		change := git.Change{Kind: git.Create, Ref: saved.name.Ref(), New: saved.object()}
		if err := s.repo.Update(ctx, []git.Change{change}); err != nil {
			return ignoreConflict(err)
		}
		if s.spool.forgotten(saved.name) {
			change = git.Change{Kind: git.Delete, Ref: saved.name.Ref(), Old: saved.object()}
			return ignoreConflict(s.repo.Update(ctx, []git.Change{change}))
		}
	}
	report.Restored = append(report.Restored, saved.name.Ref())
	return nil
}

// ignoreConflict leaves a ref alone that another process has changed at the same time.
func ignoreConflict(err error) error {
	if errors.Is(err, git.ErrConflict) {
		return nil
	}
	return err
}

// stamp is the file whose time tells when every loose ref was last followed to its object.
func (s *Store) stamp() string {
	return filepath.Join(s.repo.CommonDir, "ltm", "healed")
}

// due reports whether every ref has to be followed to its object again: after an hour, or when packs or packed refs
// have changed, which tells of a garbage collection.
func (s *Store) due() depth {
	stamp, err := os.Stat(s.stamp())
	if err != nil {
		return objectsToo
	}
	for _, sign := range []string{"packed-refs", filepath.Join("objects", "pack"), filepath.Join("objects", "info")} {
		info, err := os.Stat(filepath.Join(s.repo.CommonDir, sign))
		if err == nil && info.ModTime().After(stamp.ModTime()) {
			return objectsToo
		}
	}
	if age := sinceModified(stamp); age > packedAge {
		return objectsToo
	}
	return filesOnly
}

// healed notes the time. Without the note the next Heal looks at everything again, which does no harm.
func (s *Store) healed() {
	_ = os.MkdirAll(filepath.Dir(s.stamp()), s.spool.modes.dir.Perm())
	_ = os.WriteFile(s.stamp(), nil, 0o600)
}
