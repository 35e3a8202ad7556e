package refs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
)

// tickAge is the age from which a change of a file is told from one that follows: the clocks of some file
// systems tick in whole seconds.
const tickAge = 2 * time.Second

// Stamp tells lists of records from each other without reading one. Each part changes whenever what it speaks
// of does, so that equal parts of two stamps speak of equal refs. Later signatures are in neither.
type Stamp struct {
	// Packed speaks of packed-refs as a whole, of all archives, wherever their refs lie, and of what waits to
	// be taken. It is "" only where no stamp is to be had.
	Packed string
	// Loose speaks of the loose refs of records, of this clone, private and tracking. It is "" where too many
	// of them changed a moment ago: then [Store.Young] lists them.
	Loose string
}

// String is both parts, or "" where one of them is unknown.
func (s Stamp) String() string {
	if s.Packed == "" || s.Loose == "" {
		return ""
	}
	return s.Packed + "." + s.Loose
}

// Stamp returns the stamp of what a list that begins now yields, or of what was before. It reads no ref that
// is packed. It trusts the clock of the file system: who puts old files back with the times they had may be
// missed. Where refs are tables, all of them are packed.
func (s *Store) Stamp(_ context.Context) (Stamp, error) { return StampOf(s.repo) }

// StampOf returns the stamp of a repository whose records nobody opened.
func StampOf(repo *git.Repo) (Stamp, error) {
	var loose, packed witness
	var err error
	dir := repo.CommonDir
	switch repo.RefFormat {
	case "files":
		err = lookAtRefs(dir, &loose, &packed)
	case "reftable": // Each change makes a table whose name nobody else has.
		err = packed.noteContent(filepath.Join(dir, "reftable", "tables.list"))
	default:
		return Stamp{}, nil
	}
	if waits := packed.noteContent(waitingFile(repo).Path()); waits != nil && !isGone(waits) {
		err = errors.Join(err, waits)
	}
	if err != nil {
		return Stamp{}, wrap("look at refs in", dir, err)
	}
	return Stamp{Packed: packed.sumText(), Loose: loose.sumText()}, nil
}

// HeldStamp returns a stamp of every ref below refs/ltm of this clone and below refs/ltm-remotes, and of some
// files beside them; "" where none is to be had. Equal stamps speak of equal refs and files.
func (s *Store) HeldStamp(beside ...local.File) (string, error) {
	of, err := StampOf(s.repo)
	if err != nil || of.String() == "" {
		return "", err
	}
	all := witness{lines: []string{of.String()}}
	at := looseRefs{dir: s.repo.CommonDir}
	for _, place := range []string{Root, TrackingRoot} {
		var names []string
		if s.files != nil && err == nil {
			names, err = at.listNames(place)
		}
		for _, name := range names {
			all.lines = append(all.lines, name)
			// The stamp speaks of those of records.
			if ref, ok := ParseRef(name); err == nil && (!ok || !ref.Name.Kind.isKnown()) {
				err = all.noteContent(at.refPath(name))
			}
		}
	}
	for _, file := range beside {
		err = errors.Join(err, all.noteFile(file.Path()))
	}
	if isGone(err) {
		return "", nil // It changes just now.
	}
	return all.sumText(), wrap("look at refs in", s.repo.CommonDir, err)
}

// witness is what was seen of files that hold refs.
type witness struct {
	lines   []string
	unknown bool // more changed lately than is worth reading, and the next change might have the same time
}

// sumText is one text for all that was seen, or "".
func (w *witness) sumText() string {
	if w.unknown {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(w.lines, "\n")))
	return hex.EncodeToString(sum[:16])
}

// lookAtRefs looks at where refs of records and of archives lie: git writes a loose ref beside its place and
// renames it, so that each change changes its directory. What lies loose is looked at before what is packed,
// as where it is listed.
func lookAtRefs(commonDir string, loose, packed *witness) error {
	for _, place := range places() {
		for _, kind := range Kinds() {
			err := loose.noteFile(filepath.Join(commonDir, filepath.FromSlash(place+string(kind))))
			if err != nil {
				return err
			}
		}
	}
	at := looseRefs{dir: commonDir}
	tracked, err := loose.noteTracked(nil, at, TrackingRoot)
	if err != nil {
		return err
	}
	archives, err := at.listNames(archivePrefix(""))
	if err != nil {
		return err
	}
	for _, name := range append(archives, tracked...) {
		if err := packed.noteContent(at.refPath(name)); err != nil && !isGone(err) {
			return err
		}
	}
	return packed.noteFile(filepath.Join(commonDir, "packed-refs"))
}

// noteTracked looks at the directories of tracking refs, whose remotes may have names with slashes, and
// appends the archives there.
func (w *witness) noteTracked(archives []string, at looseRefs, prefix string) ([]string, error) {
	files, err := os.ReadDir(at.refPath(prefix))
	if err != nil && !isGone(err) {
		return archives, err
	}
	within := prefix != TrackingRoot
	for _, file := range files {
		name := prefix + file.Name()
		_, archive := parseTrackingArchive(name)
		switch {
		case archive && !file.IsDir():
			archives = append(archives, name)
		case !file.IsDir() || within && file.Name() == endorsements:
		case within && Kind(file.Name()).isKnown():
			err = w.noteFile(at.refPath(name))
		default:
			archives, err = w.noteTracked(archives, at, name+"/")
		}
		if err != nil && !isGone(err) {
			return archives, err
		}
	}
	return archives, nil
}

// noteFile notes when a file or directory changed, and where that was lately, what it holds.
func (w *witness) noteFile(path string) error {
	info, err := os.Stat(path)
	if isGone(err) {
		w.lines = append(w.lines, path+" -")
		return nil
	}
	if err != nil {
		return err
	}
	size := info.Size()
	if info.IsDir() {
		size = 0
	}
	w.lines = append(w.lines, fmt.Sprintf("%s %d %d", path, size, info.ModTime().UnixNano()))
	switch {
	case sinceModified(info) >= tickAge:
		return nil
	case info.IsDir():
		// Notes what the files of a directory hold.
		files, err := os.ReadDir(path)
		if err != nil && !isGone(err) {
			return err
		}
		files = slices.DeleteFunc(files, fs.DirEntry.IsDir)
		if w.unknown = w.unknown || len(files) > mostRead; w.unknown {
			return nil
		}
		for _, file := range files {
			if err := w.noteContent(filepath.Join(path, file.Name())); err != nil && !isGone(err) {
				return err
			}
		}
		return nil
	default:
		return w.noteContent(path)
	}
}

// mostRead bounds how many loose refs are read for a stamp.
const mostRead = 64

// noteContent notes what a file holds.
func (w *witness) noteContent(path string) (err error) {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	w.lines = append(w.lines, fmt.Sprintf("%s %x", path, sum.Sum(nil)))
	return err
}

// isGone reports whether an error says that there is no such file.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
