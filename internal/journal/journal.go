// Package journal keeps short lines by key in a file of this clone, which many processes may write at once.
//
// A journal is a sorted base, in which a key is found by a search, and an unsorted tail, to which new entries
// are appended. When the tail is long, it is put aside and merged into a new base. The package promises that
// an entry whose Append has returned is found from then on, whoever appends, merges or dies beside it. It
// does not promise that an entry survives a power cut, and it never trusts a file that it finds: what is
// damaged reads as no entries.
package journal

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/local"
)

const (
	longTail  = 64 * 1024         // longTail is when a tail is merged into the base.
	maxAppend = 32 * 1024 * 1024  // maxAppend bounds what one Append adds.
	maxTail   = 64 * 1024 * 1024  // maxTail bounds a tail that nobody merges.
	maxBase   = 512 * 1024 * 1024 // maxBase bounds what is taken for a base.
	tries     = 100               // tries is how often a tail is followed that is put aside again and again.
)

// The errors of an Append that a caller may want to tell apart.
var (
	// ErrEntry says that a key or a value cannot be written as a line.
	ErrEntry = errors.New("not a journal entry")
	// ErrFull says that the tail is too long and that it could not be merged.
	ErrFull = errors.New("journal is full")
)

// Entry is a key and its value. Neither holds a control character.
type Entry struct{ Key, Value string }

// offered begins a value that counts only where its key has no other: another process may have appended one
// that this one did not read.
const offered = "unless known: "

func isOffered(value string) bool { return strings.HasPrefix(value, offered) }

// put takes in an entry that was appended later than those that are there.
func put(values map[string]string, e Entry) {
	if _, known := values[e.Key]; !known || !isOffered(e.Value) {
		values[e.Key] = e.Value
	}
}

// File is one journal. It may be used by several goroutines.
type File struct{ file local.File }

// Open names a journal. It touches nothing.
func Open(file local.File) *File { return &File{file: file} }

func (f *File) tailFile() local.File  { return f.file.With(".new") }
func (f *File) asideFile() local.File { return f.file.With(".old") }

// Files are the files in which the journal lies, as far as there are any.
func (f *File) Files() []local.File { return []local.File{f.file, f.tailFile(), f.asideFile()} }

// All yields the last value of each key, in the order of the keys.
func (f *File) All() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		later, err := f.readTails()
		if err != nil {
			yield(Entry{}, err)
			return
		}
		f.mergeBase(later)(func(e Entry, err error) bool {
			e.Value = strings.TrimPrefix(e.Value, offered)
			return yield(e, err)
		})
	}
}

// readTails returns what the base does not hold yet.
func (f *File) readTails() (map[string]string, error) {
	newer, err := readTail(f.tailFile()) // It may be put aside meanwhile, so that it is read first.
	if err != nil {
		return nil, err
	}
	values, err := readTail(f.asideFile())
	for key, value := range newer {
		put(values, Entry{key, value})
	}
	return values, err
}

// mergeBase yields the entries of the base and of later values in the order of the keys.
func (f *File) mergeBase(later map[string]string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		base, err := f.mapBase()
		if err != nil {
			yield(Entry{}, err)
			return
		}
		mergeSorted(readEntries(bytes.NewReader(base.Bytes())), later, yield)
		runtime.KeepAlive(base)
	}
}

// A Reader answers the questions of one process from the tails, which it reads once, and from the base as it
// was then. What others append after the first question it may miss, and a journal that cannot be read holds
// nothing. It is not safe for concurrent use.
type Reader struct {
	file  *File
	tails map[string]string // nil until something was asked
	base  *local.Mapping    // nil where it cannot be read
}

// Reader returns a reader that has read nothing yet.
func (f *File) Reader() *Reader { return &Reader{file: f} }

// Find returns the value that was appended last for a key.
func (r *Reader) Find(key string) (value string, ok bool) {
	if r.tails == nil {
		// The tails are read before the base: what is merged meanwhile is found in one place at least.
		r.tails = map[string]string{}
		tails, err := r.file.readTails()
		if err != nil {
			return "", false
		}
		base, err := r.file.mapBase()
		if err != nil {
			return "", false
		}
		r.base, r.tails = base, tails
	}
	value, ok = r.tails[key]
	if r.base != nil && (!ok || isOffered(value)) {
		if held, known := searchKey(r.base.Bytes(), key); known {
			value, ok = held, true
		}
	}
	runtime.KeepAlive(r)
	return strings.TrimPrefix(value, offered), ok
}

// mapBase maps the base, which is replaced and never changes. Where there is none, it is empty.
func (f *File) mapBase() (*local.Mapping, error) {
	base, _, err := openPlain(f.file, maxBase)
	if base == nil {
		return &local.Mapping{}, err
	}
	return local.Map(base)
}

// openPlain opens a plain file of at most limit bytes for reading. Anything else in its place is no file.
func openPlain(place local.File, limit int64) (file *os.File, size int64, err error) {
	file, err = place.Open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, local.ErrNotPlain) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil || info.Size() > limit {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// readTail returns what an unsorted file holds.
func readTail(place local.File) (map[string]string, error) {
	values := map[string]string{}
	file, size, err := openPlain(place, maxTail)
	if file == nil {
		return values, err
	}
	defer func() { _ = file.Close() }() // Nothing was written.
	for e, err := range readEntries(io.LimitReader(file, size)) {
		if err != nil {
			return values, err
		}
		put(values, e)
	}
	return values, nil
}
