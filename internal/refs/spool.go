package refs

import (
	"bytes"
	"cmp"
	"crypto/sha1" //nolint:gosec // It is the name that git gives to objects, no protection.
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
)

// spool keeps the bytes of what was saved lately beside the repository's own storage. A garbage collection
// that runs with --prune=now marks what it keeps once and then removes everything else, so a record that is
// saved in between loses its object although its ref was made. The spool is where Heal takes it from.
type spool struct {
	files *local.Dir
}

const (
	spoolHeader  = "git-ltm spool 1\n"
	deletedMark  = ".deleted"
	maxSpooled   = 16 * 1024 * 1024
	packedAge    = time.Hour      // packedAge is when an entry goes whose object is in a pack.
	longestAge   = 24 * time.Hour // longestAge is when any entry goes whose object and ref are there.
	temporaryAge = time.Hour

	privatePrefix = "private-" // privatePrefix is what the names of private records begin with.
)

// saving is one record with the names of its objects.
type saving struct {
	name    Name
	blob    []byte
	tag     []byte // tag is nil for a record without one.
	blobOID string
	tagOID  string
}

// refObject is what the ref points to.
func (s saving) refObject() string {
	if s.tagOID != "" {
		return s.tagOID
	}
	return s.blobOID
}

// hashObject computes the name that git gives to an object, in the format that oidLength belongs to.
func hashObject(oidLength int, typ string, data []byte) string {
	h := sha1.New() //nolint:gosec // See the import.
	if oidLength == 64 {
		h = sha256.New()
	}
	h.Write(fmt.Appendf(nil, "%s %d\x00", typ, len(data)))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// entryFile is the file of a record.
func (s spool) entryFile(name Name) local.File {
	file := strings.ReplaceAll(name.tail(), "/", "-")
	if name.Private {
		file = privatePrefix + file
	}
	return s.files.File(file)
}

// encodeEntry writes an entry: a header with the objects' names and sizes, then the blob, then the tag.
func (s saving) encodeEntry() []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s%s %d\n%s %d\n", spoolHeader, s.blobOID, len(s.blob), cmp.Or(s.tagOID, "-"),
		len(s.tag))
	text.Write(s.blob)
	text.Write(s.tag)
	return text.Bytes()
}

// loadEntry reads an entry and checks that its bytes have the names that they are kept under.
func (s spool) loadEntry(name Name) (saving, error) {
	text, err := s.entryFile(name).Read(maxSpooled)
	if errors.Is(err, local.ErrNotPlain) || errors.Is(err, local.ErrTooLarge) {
		return saving{}, ErrCorrupt
	}
	if err != nil {
		return saving{}, err
	}
	rest, ok := bytes.CutPrefix(text, []byte(spoolHeader))
	saved, sizes := saving{name: name}, [2]int{}
	for i, oid := range []*string{&saved.blobOID, &saved.tagOID} {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		n, err := fmt.Sscanf(string(line), "%s %d", oid, &sizes[i])
		ok = ok && n == 2 && err == nil && sizes[i] >= 0
	}
	if !ok || len(rest) != sizes[0]+sizes[1] {
		return saving{}, ErrCorrupt
	}
	saved.blob, saved.tag = rest[:sizes[0]], rest[sizes[0]:]
	if saved.tagOID == "-" {
		saved.tagOID, saved.tag = "", nil
	}
	if hashObject(len(saved.blobOID), "blob", saved.blob) != saved.blobOID ||
		saved.tagOID != "" && hashObject(len(saved.tagOID), "tag", saved.tag) != saved.tagOID {
		return saving{}, ErrCorrupt
	}
	return saved, nil
}

// putEntry keeps an entry durably. It reports whether the entry is new; a name that is kept with another blob
// is ErrExists.
func (s spool) putEntry(saved saving) (fresh bool, err error) {
	file, as := s.entryFile(saved.name), local.Replacement{Perm: 0o444, KeepFirst: true}
	if err := file.With(deletedMark).Remove(); err != nil {
		return false, err
	}
	err = file.ReplaceAs(saved.encodeEntry(), as)
	if !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	kept, err := s.loadEntry(saved.name)
	if err == nil && kept.blobOID != saved.blobOID {
		return false, ErrExists
	}
	if err == nil && kept.tagOID == saved.tagOID {
		return false, nil
	}
	as.KeepFirst = false
	return false, file.ReplaceAs(saved.encodeEntry(), as)
}

// dropEntry forgets an entry.
func (s spool) dropEntry(name Name) error { return s.entryFile(name).Remove() }

// forgetEntry drops an entry for good: the mark that it leaves tells a Heal that has just read the entry not
// to bring the record back.
func (s spool) forgetEntry(name Name) error {
	file := s.entryFile(name)
	if !file.Exists() {
		return nil
	}
	if err := file.With(deletedMark).ReplaceAs(nil, local.Replacement{Perm: 0o444}); err != nil {
		return err
	}
	if err := s.dropEntry(name); err != nil {
		return err
	}
	return local.SyncPath(s.files.Path())
}

// isForgotten reports whether the record was deleted lately.
func (s spool) isForgotten(name Name) bool {
	return s.entryFile(name).With(deletedMark).Exists()
}

// kept is an entry as the directory lists it.
type kept struct {
	name Name
	file fs.DirEntry
	age  time.Duration
}

// listEntries returns the entries, or the few that are the newest by their names. Where it returns all, it
// removes what old deletions left behind.
func (s spool) listEntries(to depth) ([]kept, error) {
	files, err := os.ReadDir(s.files.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []kept
	for _, file := range files {
		if name, ok := spoolName(file.Name()); ok {
			found = append(found, kept{name: name, file: file})
		} else if info, err := file.Info(); err == nil && to == everything &&
			strings.HasSuffix(file.Name(), deletedMark) &&
			sinceModified(info) > longestAge {
			_ = s.files.File(file.Name()).Remove()
		}
	}
	if to == fewNewest && len(found) > newestFew {
		slices.SortFunc(found, func(a, b kept) int { return cmp.Compare(b.name.ID, a.name.ID) })
		found = found[:newestFew]
	}
	for i := range found {
		if info, err := found[i].file.Info(); err == nil { // Another process may have dropped it.
			found[i].age = sinceModified(info)
		}
	}
	return found, nil
}

// spoolName reads the name of a file in the spool.
func spoolName(file string) (Name, bool) {
	if rest, ok := strings.CutPrefix(file, privatePrefix); ok {
		return ParsePrivate(PrivateRoot + strings.ReplaceAll(rest, "-", "/"))
	}
	return parseOwn(Root + strings.ReplaceAll(file, "-", "/"))
}
