package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// maxLine bounds a line with its end.
const maxLine = 4096

// A line is a key, a tab, a value and a tab. The last tab tells that the line was written to its end.
func (e Entry) asLine() string { return e.Key + "\t" + e.Value + "\t\n" }

// parseLine reads a line; whatever else it holds, it is no entry.
func parseLine(line []byte) (Entry, bool) {
	fields := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
	if len(fields) != 3 || fields[2] != "" {
		return Entry{}, false
	}
	e := Entry{Key: fields[0], Value: fields[1]}
	return e, e.checkEntry() == nil
}

// checkEntry refuses what would not come back from a file as it is.
func (e Entry) checkEntry() error {
	control := func(c rune) bool { return c < ' ' || c == 0x7f }
	switch {
	case e.Key == "":
		return fmt.Errorf("%w: the key is empty", ErrEntry)
	case strings.ContainsFunc(e.Key, control) || strings.ContainsFunc(e.Value, control):
		return fmt.Errorf("%w: a control character stands in key or value", ErrEntry)
	case len(e.asLine()) > maxLine:
		return fmt.Errorf("%w: it is longer than %d bytes", ErrEntry, maxLine)
	}
	return nil
}

// encodeLines writes entries as lines. The first line break ends what a writer that died may have left
// unfinished.
func encodeLines(list []Entry) ([]byte, error) {
	text := []byte("\n")
	for _, e := range list {
		if err := e.checkEntry(); err != nil {
			return nil, err
		}
		text = append(text, e.asLine()...)
	}
	if len(text) > maxAppend {
		return nil, fmt.Errorf("%w: more than %d bytes at once", ErrEntry, maxAppend)
	}
	return text, nil
}

// readEntries yields the entries of a text and passes over all lines that are none, however long they are.
func readEntries(text io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		reader := bufio.NewReaderSize(text, maxLine)
		for tooLong := false; ; {
			line, err := reader.ReadSlice('\n')
			if e, ok := parseLine(line); ok && err == nil && !tooLong && !yield(e, nil) {
				return
			}
			tooLong = errors.Is(err, bufio.ErrBufferFull)
			if err == nil || tooLong {
				continue
			}
			if !errors.Is(err, io.EOF) {
				yield(Entry{}, err)
			}
			return
		}
	}
}

// mergeSorted yields sorted entries together with later values, which win. Entries that do not stand in order
// are damage and are passed over.
func mergeSorted(base iter.Seq2[Entry, error], later map[string]string, yield func(Entry, error) bool) {
	keys := slices.Sorted(maps.Keys(later))
	last := ""
	for e, err := range base {
		if err == nil && e.Key <= last {
			continue
		}
		if err == nil {
			last = e.Key
			if isOffered(later[e.Key]) {
				later[e.Key] = e.Value
			}
		}
		for ; err == nil && len(keys) > 0 && keys[0] <= e.Key; keys = keys[1:] {
			if !yield(Entry{keys[0], later[keys[0]]}, nil) {
				return
			}
		}
		if _, replaced := later[e.Key]; !replaced && !yield(e, err) || err != nil {
			return
		}
	}
	for _, key := range keys {
		if !yield(Entry{key, later[key]}, nil) {
			return
		}
	}
}

// partSize is how much of a base is read at once. Questions of one process are mostly about keys that stand
// close together.
const partSize = 4 * 1024

// parts are what was read of a base, which is replaced and never changes.
type parts struct {
	text   io.ReaderAt
	size   int64
	read   map[int64][]byte
	buffer []byte // what lies in several parts
	asked  int
	whole  []byte // nil until much was asked
}

// A base of up to mostWhole bytes is read whole by whoever asks oftenAsked times, as for a list of all records.
const (
	oftenAsked = 4096
	mostWhole  = 2 << 20
)

// newParts returns the parts of a text of that size. It reads nothing yet.
func newParts(text io.ReaderAt, size int64) *parts {
	return &parts{text: text, size: size, read: map[int64][]byte{}}
}

// bytesAt returns up to so many bytes from an offset on, which hold until others are asked for.
func (p *parts) bytesAt(at, most int64) ([]byte, error) {
	if p.asked++; p.asked == oftenAsked && p.size <= mostWhole {
		whole := make([]byte, p.size)
		if n, err := p.text.ReadAt(whole, 0); n < len(whole) {
			return nil, err
		}
		p.whole, p.read, p.buffer = whole, nil, nil
	}
	if p.whole != nil {
		return p.whole[min(at, p.size):min(at+most, p.size)], nil
	}
	p.buffer = p.buffer[:0]
	for {
		from := at + int64(len(p.buffer))
		number := from / partSize
		part, ok := p.read[number]
		if !ok {
			part = make([]byte, max(0, min(partSize, p.size-number*partSize)))
			if n, err := p.text.ReadAt(part, number*partSize); n < len(part) {
				return nil, err
			}
			p.read[number] = part
		}
		rest := part[min(from%partSize, int64(len(part))):]
		left := most - int64(len(p.buffer))
		if len(p.buffer) == 0 && int64(len(rest)) >= left {
			return rest[:left], nil
		}
		p.buffer = append(p.buffer, rest[:min(left, int64(len(rest)))]...)
		if int64(len(p.buffer)) == most || len(part) < partSize {
			return p.buffer, nil
		}
	}
}

// mostSearched is how much of a text is looked through for a line, and usualLines how much mostly holds two.
const (
	mostSearched = 4 * maxLine
	usualLines   = 512
)

// searchKey finds a key in a text of sorted lines, of which it reads a small part. In a damaged text it may
// find nothing.
func searchKey(text *parts, key string) (value string, ok bool, err error) {
	low, high := int64(0), text.size // The line, if any, begins here or between, and low begins a line.
	for high-low > mostSearched {
		middle := low + (high-low)/2
		var part []byte
		at, end := 0, -1
		for _, most := range [...]int64{usualLines, 2 * maxLine} {
			if part, err = text.bytesAt(middle, most); err != nil {
				return "", false, err
			}
			at = bytes.IndexByte(part, '\n') + 1
			if end = bytes.IndexByte(part[at:], '\n'); at > 0 && end >= 0 {
				break
			}
		}
		found, _, ok := bytes.Cut(part[at:at+max(end, 0)], []byte("\t"))
		if at == 0 || end < 0 || !ok {
			return "", false, nil
		}
		if string(found) <= key {
			low = middle + int64(at)
		} else {
			high = middle + int64(at)
		}
	}
	part, err := text.bytesAt(low, high-low)
	begin := []byte(key + "\t")
	for len(part) > usualLines { // A tab comes before all that a key holds.
		at := len(part)/2 + bytes.IndexByte(part[len(part)/2:], '\n') + 1
		if at == len(part)/2 || at == len(part) {
			break
		}
		if bytes.Compare(part[at:min(at+len(begin), len(part))], begin) <= 0 {
			part = part[at:]
		} else {
			part = part[:at]
		}
	}
	for line := range bytes.Lines(part) {
		if !bytes.HasPrefix(line, begin) || line[len(line)-1] != '\n' {
			continue
		}
		if e, ok := parseLine(line); ok {
			return e.Value, true, err
		}
	}
	return "", false, err
}

// Append adds entries with one write. A caller for whom the journal is a help and no more may ignore the
// error.
func (f *File) Append(list []Entry) error {
	text, err := encodeLines(list)
	if err != nil || len(list) == 0 {
		return err
	}
	for range tries {
		size, done, err := f.appendTail(text)
		if size > longTail || errors.Is(err, ErrFull) {
			_ = f.mergeTail() // The entries are safe in the tail; the next Append tries again.
		}
		if err != nil && !errors.Is(err, ErrFull) && !errors.Is(err, fs.ErrExist) &&
			!errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("append to journal %q: %w", f.tailFile().Path(), err)
		}
		if done {
			return nil
		}
	}
	return fmt.Errorf("append to journal %q: %w", f.tailFile().Path(), ErrFull)
}

// appendTail adds text to the tail. It is done when the tail was still in its place afterwards: whoever puts
// it aside later finds the whole text in it.
func (f *File) appendTail(text []byte) (size int64, done bool, err error) {
	file, err := f.tailFile().Open(os.O_CREATE | os.O_WRONLY | os.O_APPEND)
	if err != nil {
		return 0, false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return 0, false, err
	}
	if size = info.Size(); size > maxTail-maxAppend {
		return size, false, ErrFull
	}
	if _, err := file.Write(text); err != nil {
		return size, false, err
	}
	now, err := os.Lstat(f.tailFile().Path())
	if err != nil {
		return size, false, err
	}
	return size + int64(len(text)), os.SameFile(info, now), nil
}

// mergeTail puts the tail aside and makes a new base of it and the old base. A process that dies in between
// leaves a tail that was put aside, which every reader knows and the next merge takes first.
func (f *File) mergeTail() (err error) {
	release, err := f.file.With(".lock").TryLock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if done, err := f.putAside(); done || err != nil {
		return err
	}
	aside, err := readTail(f.asideFile())
	if err != nil {
		return err
	}
	err = f.file.ReplaceWith(local.Replacement{Durability: local.Unsynced}, func(w io.Writer) error {
		// Writes what the next base holds.
		text := bufio.NewWriter(w)
		for e, err := range f.mergeBase(aside) {
			if err != nil {
				return err
			}
			if _, err := text.WriteString(e.asLine()); err != nil {
				return err
			}
		}
		return text.Flush()
	})
	if err != nil {
		return err
	}
	return f.asideFile().Remove()
}

// putAside makes room for a new tail, unless one is put aside already. It is done when another process has
// merged in the meantime.
func (f *File) putAside() (done bool, err error) {
	if _, err := os.Lstat(f.asideFile().Path()); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	info, err := os.Lstat(f.tailFile().Path())
	if err != nil || info.Size() <= longTail {
		return err == nil, err
	}
	return false, os.Rename(f.tailFile().Path(), f.asideFile().Path())
}
