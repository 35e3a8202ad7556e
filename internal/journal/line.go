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

// searchKey finds a key in a text of sorted lines. In a damaged text it may find nothing.
func searchKey(text []byte, key string) (value string, ok bool) {
	begin := []byte(key + "\t") // A tab comes before all that a key holds.
	for len(text) > 0 {
		at := bytes.LastIndexByte(text[:len(text)/2], '\n') + 1
		line, rest, ended := bytes.Cut(text[at:], []byte("\n"))
		switch order := bytes.Compare(line[:min(len(begin), len(line))], begin); {
		case order == 0:
			e, whole := parseLine(line)
			return e.Value, whole && ended
		case order > 0 || !ended:
			text = text[:at]
		default:
			text = rest
		}
	}
	return "", false
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
