package refs

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // It is the name that git gives to objects, no protection.
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// spool keeps the bytes of what was saved lately beside the repository's own storage. A garbage collection that
// runs with --prune=now marks what it keeps once and then removes everything else, so a record that is saved in
// between loses its object although its ref was made. The spool is where Heal takes it from.
type spool struct {
	dir   string
	modes modes
}

const (
	spoolHeader  = "git-ltm spool 1\n"
	deletedMark  = ".deleted"
	maxSpooled   = 16 * 1024 * 1024
	maxHeader    = 256
	tmpPrefix    = "tmp-"
	packedAge    = time.Hour      // packedAge is when an entry goes whose object is in a pack.
	longestAge   = 24 * time.Hour // longestAge is when any entry goes whose object and ref are there.
	temporaryAge = time.Hour

	privatePrefix = "private-" // privatePrefix is what the names of private records begin with.
)

// newSpool names the place; nothing is made before something is saved.
func newSpool(commonDir string) spool {
	return spool{dir: filepath.Join(commonDir, "ltm", "spool"), modes: modeOf(filepath.Join(commonDir, "objects"))}
}

// saving is one record with the names of its objects.
type saving struct {
	name    Name
	blob    []byte
	tag     []byte // tag is nil for a record without one.
	blobOID string
	tagOID  string
}

// object is what the ref points to.
func (s saving) object() string {
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

// path is the file of a record.
func (s spool) path(name Name) string {
	file := strings.ReplaceAll(name.tail(), "/", "-")
	if name.Private {
		file = privatePrefix + file
	}
	return filepath.Join(s.dir, file)
}

// encode writes an entry: a header with the objects' names and sizes, then the blob, then the tag.
func (s saving) encode() []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s%s %d\n%s %d\n", spoolHeader, s.blobOID, len(s.blob), orNone(s.tagOID), len(s.tag))
	text.Write(s.blob)
	text.Write(s.tag)
	return text.Bytes()
}

// orNone stands for an object that is not there.
func orNone(oid string) string {
	if oid == "" {
		return "-"
	}
	return oid
}

// decodeHeader reads the header of an entry and returns what follows it.
func decodeHeader(name Name, text []byte) (s saving, sizes [2]int, rest []byte, err error) {
	rest, ok := bytes.CutPrefix(text, []byte(spoolHeader))
	if !ok {
		return s, sizes, nil, ErrCorrupt
	}
	for i, oid := range []*string{&s.blobOID, &s.tagOID} {
		line, after, ok := bytes.Cut(rest, []byte("\n"))
		if !ok {
			return s, sizes, nil, ErrCorrupt
		}
		if n, err := fmt.Sscanf(string(line), "%s %d", oid, &sizes[i]); n != 2 || err != nil || sizes[i] < 0 {
			return s, sizes, nil, ErrCorrupt
		}
		rest = after
	}
	if s.tagOID == "-" {
		s.tagOID = ""
	}
	s.name = name
	return s, sizes, rest, nil
}

// load reads an entry and checks that its bytes have the names that they are kept under.
func (s spool) load(name Name) (saving, error) {
	text, err := readLimited(s.path(name))
	if err != nil {
		return saving{}, err
	}
	saved, sizes, rest, err := decodeHeader(name, text)
	if err != nil || len(rest) != sizes[0]+sizes[1] {
		return saving{}, ErrCorrupt
	}
	saved.blob = rest[:sizes[0]]
	if saved.tagOID != "" {
		saved.tag = rest[sizes[0]:]
		if hashObject(len(saved.tagOID), "tag", saved.tag) != saved.tagOID {
			return saving{}, ErrCorrupt
		}
	}
	if hashObject(len(saved.blobOID), "blob", saved.blob) != saved.blobOID {
		return saving{}, ErrCorrupt
	}
	return saved, nil
}

// head reads the header of an entry: the names of its objects, without their bytes.
func (s spool) head(name Name) (saving, error) {
	file, err := os.Open(s.path(name))
	if err != nil {
		return saving{}, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxHeader))
	if err := errors.Join(err, file.Close()); err != nil {
		return saving{}, err
	}
	saved, _, _, err := decodeHeader(name, text)
	return saved, err
}

// readLimited reads a file that is not absurdly large.
func readLimited(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSpooled {
		return nil, ErrCorrupt
	}
	return os.ReadFile(path)
}

// put keeps an entry durably. It reports whether the entry is new; a name that is kept with another blob is
// ErrExists.
func (s spool) put(saved saving) (fresh bool, err error) {
	path := s.path(saved.name)
	if err := os.Remove(path + deletedMark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	err = writeDurable(path, tmpPrefix, saved.encode(), s.modes, keepFirst)
	if !errors.Is(err, fs.ErrExist) {
		return err == nil, err
	}
	kept, err := s.load(saved.name)
	if err == nil && kept.blobOID != saved.blobOID {
		return false, ErrExists
	}
	if err == nil && kept.tagOID == saved.tagOID {
		return false, nil
	}
	return false, writeDurable(path, tmpPrefix, saved.encode(), s.modes, replace)
}

// drop forgets an entry.
func (s spool) drop(name Name) error {
	err := os.Remove(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// forget drops an entry for good: the mark that it leaves tells a Heal that has just read the entry not to bring
// the record back.
func (s spool) forget(name Name) error {
	path := s.path(name)
	if !exists(path) {
		return nil
	}
	if err := writeDurable(path+deletedMark, tmpPrefix, nil, s.modes, replace); err != nil {
		return err
	}
	if err := s.drop(name); err != nil {
		return err
	}
	return syncPath(s.dir)
}

// forgotten reports whether the record was deleted lately.
func (s spool) forgotten(name Name) bool {
	return exists(s.path(name) + deletedMark)
}

// exists reports whether a file is seen under path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// kept is an entry as the directory lists it.
type kept struct {
	name Name
	age  time.Duration
}

// list returns the entries, and removes what crashed writers and old deletions left behind.
func (s spool) list() ([]kept, error) {
	files, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var found []kept
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			continue
		}
		age := sinceModified(info)
		if name, ok := spoolName(file.Name()); ok {
			found = append(found, kept{name: name, age: age})
			continue
		}
		temporary := strings.HasPrefix(file.Name(), tmpPrefix) && age > temporaryAge
		if temporary || (strings.HasSuffix(file.Name(), deletedMark) && age > longestAge) {
			_ = os.Remove(filepath.Join(s.dir, file.Name()))
		}
	}
	return found, nil
}

// spoolName reads the name of a file in the spool.
func spoolName(file string) (Name, bool) {
	if rest, ok := strings.CutPrefix(file, privatePrefix); ok {
		return ParsePrivate(privateRoot + strings.ReplaceAll(rest, "-", "/"))
	}
	return parseOwn(root + strings.ReplaceAll(file, "-", "/"))
}
