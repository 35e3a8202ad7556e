package refs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// tickAge is the age from which a change of a file is told from one that follows: the clocks of some file systems tick in
// whole seconds.
const tickAge = 2 * time.Second

// Stamp returns a text that changes whenever a record's ref does, or an archive, local or tracking. It reads no ref: as long
// as the stamp of a list is the same, the list is too. It is "" where that cannot be told, above all just after a change. It
// trusts the clock of the file system: who puts old files back with the times they had may be missed.
func (s *Store) Stamp(_ context.Context) (string, error) {
	var seen stamp
	var err error
	switch s.repo.RefFormat {
	case "files":
		err = seen.files(s.repo.CommonDir)
	case "reftable":
		err = seen.tables(s.repo.CommonDir)
	default:
		return "", nil
	}
	if err != nil || seen.young {
		return "", wrap("look at refs in", s.repo.CommonDir, err)
	}
	sum := sha256.Sum256([]byte(s.repo.RefFormat + "\n" + strings.Join(seen.lines, "\n")))
	return hex.EncodeToString(sum[:16]), nil
}

// stamp is what was seen of the files that hold refs.
type stamp struct {
	lines []string
	young bool // young says that something changed so lately that the next change might not be seen.
}

// tables looks at the list of tables of a reftable store. Each change makes a table whose name nobody else has.
func (t *stamp) tables(commonDir string) error {
	list, err := os.ReadFile(filepath.Join(commonDir, "reftable", "tables.list"))
	t.lines = append(t.lines, string(list))
	return err
}

// files looks at the packed refs and at the directories of loose ones: git writes a loose ref beside its place and renames
// it, so that each change changes its directory. Loose refs are looked at first, as where they are listed.
func (t *stamp) files(commonDir string) error {
	for _, place := range []string{root, privateRoot} {
		top := filepath.Join(commonDir, filepath.FromSlash(place))
		for _, dir := range []string{"", string(Packets), string(Events), string(Notes), string(Skips), archives} {
			if err := t.file(filepath.Join(top, dir)); err != nil {
				return err
			}
		}
	}
	if err := t.tracked(filepath.Join(commonDir, filepath.FromSlash(trackingRoot)), false); err != nil {
		return err
	}
	return t.file(filepath.Join(commonDir, "packed-refs"))
}

// tracked looks at the directories of tracking refs, whose remotes may have names with slashes. What lies within a remote is
// records, and archives, and later signatures, which no list of records holds.
func (t *stamp) tracked(dir string, within bool) error {
	if err := t.file(dir); err != nil {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil && !isGone(err) {
		return err
	}
	for _, file := range files {
		kind := Kind(file.Name())
		path := filepath.Join(dir, file.Name())
		switch {
		case !file.IsDir() || within && kind == endorsements:
		case within && kind.known():
			err = t.file(path)
		default:
			err = t.tracked(path, true)
		}
		if err != nil && !isGone(err) {
			return err
		}
	}
	return nil
}

// file notes when a file or directory changed.
func (t *stamp) file(path string) error {
	info, err := os.Stat(path)
	if isGone(err) {
		t.lines = append(t.lines, path+" -")
		return nil
	}
	if err != nil {
		return err
	}
	size := info.Size()
	if info.IsDir() {
		size = 0
	}
	t.lines = append(t.lines, fmt.Sprintf("%s %d %d", path, size, info.ModTime().UnixNano()))
	if sinceModified(info) < tickAge {
		return t.content(path, info)
	}
	return nil
}

// The bounds of what is read where a time does not tell enough.
const (
	mostYoung   = 64
	mostContent = 16 << 20
)

// content notes what a file or a directory holds that changed so lately that its time does not tell the next change. Of a
// directory that are its own files, where they are few.
func (t *stamp) content(path string, info fs.FileInfo) error {
	paths := []string{path}
	if info.IsDir() {
		files, err := os.ReadDir(path)
		if err != nil && !isGone(err) {
			return err
		}
		paths = paths[:0]
		for _, file := range files {
			if !file.IsDir() {
				paths = append(paths, filepath.Join(path, file.Name()))
			}
		}
	}
	if t.young = t.young || len(paths) > mostYoung || info.Size() > mostContent; t.young {
		return nil
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil && !isGone(err) {
			return err
		}
		t.lines = append(t.lines, fmt.Sprintf("%s %x", path, sha256.Sum256(data)))
	}
	return nil
}

// isGone reports whether an error says that there is no such file.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
