package refs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// errUnsorted says that a packed-refs file cannot be searched, so that git has to read it.
var errUnsorted = errors.New("packed refs are not sorted")

// packedRefs searches one packed-refs file as it was when it was opened: git replaces the file, it never
// changes one. Only the parts that a search touches are read.
type packedRefs struct {
	close     func() error
	window    window
	first     int64 // first is where the records begin, after the header.
	oidLength int
}

// openPacked begins a search of a packed-refs file. A file that is not there holds no refs.
func openPacked(in *packedCache, oidLength int) (*packedRefs, error) {
	file, err := in.useFile()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if file == nil {
		return newPacked(bytes.NewReader(nil), 0, oidLength, func() error { return nil })
	}
	back := func() error { return in.giveBack(file) }
	if first := file.first.Load(); first > 0 {
		return &packedRefs{back, window{file: file, size: file.info.Size()}, first, oidLength}, nil
	}
	p, err := newPacked(file, file.info.Size(), oidLength, back)
	if err != nil {
		return nil, errors.Join(wrap("read", in.path, err), back())
	}
	file.first.Store(p.first)
	return p, nil
}

// newPacked reads the header. Only a file that says it is sorted can be searched.
func newPacked(file io.ReaderAt, size int64, oidLength int, closer func() error) (*packedRefs, error) {
	p := &packedRefs{close: closer, window: window{file: file, size: size}, oidLength: oidLength}
	if size == 0 {
		return p, nil
	}
	header, next, err := p.window.lineAt(0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnsorted, err)
	}
	traits, ok := bytes.CutPrefix(header, []byte("# pack-refs with:"))
	if !ok || !slices.ContainsFunc(bytes.Fields(traits), func(t []byte) bool {
		return string(t) == "sorted"
	}) {
		return nil, errUnsorted
	}
	p.first = next
	return p, nil
}

// readRecord reads the record at an offset, and returns where the next line begins.
func (p *packedRefs) readRecord(at int64) (oid, name []byte, next int64, err error) {
	line, next, err := p.window.lineAt(at)
	if err != nil {
		return nil, nil, 0, err
	}
	if len(line) < p.oidLength+2 || line[p.oidLength] != ' ' || !isHex(line[:p.oidLength]) {
		return nil, nil, 0, fmt.Errorf("%w: a line is no record", errUnsorted)
	}
	trace.Refs.Add(1)
	return line[:p.oidLength], line[p.oidLength+1:], next, nil
}

// skipPeeled moves over the line that tells what a tag points to.
func (p *packedRefs) skipPeeled(at int64) (int64, error) {
	if at >= p.window.size {
		return at, nil
	}
	if first, err := p.window.firstByte(at); err != nil || first != '^' {
		return at, err
	}
	_, next, err := p.window.lineAt(at)
	return next, err
}

// recordBefore returns where the record begins whose lines end at an offset above the first record.
func (p *packedRefs) recordBefore(at int64) (int64, error) {
	begin, err := p.window.lineBefore(at, p.first)
	if err != nil || begin == p.first {
		return begin, err
	}
	line, _, err := p.window.lineAt(begin)
	if err != nil {
		return 0, err
	}
	if len(line) > 0 && line[0] == '^' {
		return p.window.lineBefore(begin, p.first)
	}
	return begin, nil
}

// searchName returns where the first record begins whose name is not before name, or the end of the file.
func (p *packedRefs) searchName(name string) (int64, error) {
	low, high := p.first, p.window.size
	for low < high {
		middle, err := p.recordBefore(low + (high-low)/2 + 1)
		if err != nil {
			return 0, err
		}
		middle = max(middle, low)
		_, found, next, err := p.readRecord(middle)
		if err != nil {
			return 0, err
		}
		if string(found) >= name {
			high = middle
			continue
		}
		if low, err = p.skipPeeled(next); err != nil {
			return 0, err
		}
	}
	return low, nil
}

// lookupRef returns the object of one ref, or "".
func (p *packedRefs) lookupRef(ref string) (string, error) {
	at, err := p.searchName(ref)
	if err != nil || at >= p.window.size {
		return "", err
	}
	oid, name, _, err := p.readRecord(at)
	if err != nil || string(name) != ref {
		return "", err
	}
	return string(oid), nil
}

// visitForward visits the records from an offset whose names begin with prefix, until visit returns false.
func (p *packedRefs) visitForward(at int64, prefix string, visit func(oid, name []byte) bool) error {
	for at < p.window.size {
		oid, name, next, err := p.readRecord(at)
		if err != nil {
			return err
		}
		if !bytes.HasPrefix(name, []byte(prefix)) || !visit(oid, name) {
			return nil
		}
		if at, err = p.skipPeeled(next); err != nil {
			return err
		}
	}
	return nil
}

// visitBackward visits the records that end at an offset whose names begin with prefix, the last one first.
func (p *packedRefs) visitBackward(at int64, prefix string, visit func(oid, name []byte) bool) error {
	for at > p.first {
		begin, err := p.recordBefore(at)
		if err != nil {
			return err
		}
		oid, name, _, err := p.readRecord(begin)
		if err != nil {
			return err
		}
		if !bytes.HasPrefix(name, []byte(prefix)) || !visit(oid, name) {
			return nil
		}
		at = begin
	}
	return nil
}

// askOnce returns the answer to a question about a file, which is found out once as long as that is open.
func (p *packedRefs) askOnce(question string, find func() ([]string, error)) ([]string, error) {
	file, ok := p.window.file.(*blocks)
	if !ok {
		return find()
	}
	file.mu.Lock()
	answer, ok := file.said[question]
	file.mu.Unlock()
	if ok {
		return answer, nil
	}
	answer, err := find()
	if err == nil {
		file.mu.Lock()
		file.said[question] = answer
		file.mu.Unlock()
	}
	return answer, err
}

// isEmptyBelow tells whether no name begins with prefix.
func (p *packedRefs) isEmptyBelow(prefix string) (bool, error) {
	some, err := p.askOnce(prefix, func() (some []string, err error) {
		at, err := p.searchName(prefix)
		if err != nil {
			return nil, err
		}
		err = p.visitForward(at, prefix, func(_, name []byte) bool {
			some = []string{string(name)}
			return false
		})
		return some, err
	})
	return len(some) == 0, err
}

// afterPrefix is the first name behind all that begin with prefix, which ends in a slash.
func afterPrefix(prefix string) string {
	return prefix[:len(prefix)-1] + "0"
}

// isHex reports whether text consists of hexadecimal digits in lower case.
func isHex(text []byte) bool {
	return len(text) > 0 && len(bytes.Trim(text, "0123456789abcdef")) == 0
}

// The bounds of what is kept of a packed-refs file that is open.
const (
	blockSize  = 16 * 1024
	mostBlocks = 64
)

// packedCache keeps a packed-refs file open between searches, with the parts of it that were read. Git
// replaces the file and never changes one, so that what was read holds as long as the path names the file
// that is open, with the size and the time that it had: each search looks for that first, after the loose
// refs were looked at.
type packedCache struct {
	path string

	mu   sync.Mutex
	open *blocks // nil where nothing is open
}

// useFile returns the file that the path names now, to be given back. There may be none.
func (p *packedCache) useFile() (*blocks, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	info, err := os.Stat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // No file is an answer.
	}
	if err != nil {
		return nil, err
	}
	if p.open == nil || !p.open.isFile(info) {
		if err := p.close(); err != nil {
			return nil, err
		}
		if p.open, err = openBlocks(p.path); err != nil {
			return nil, err
		}
	}
	p.open.users++
	return p.open, nil
}

// giveBack gives a file back, which is closed when it is no longer the one in place.
func (p *packedCache) giveBack(b *blocks) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.users--; b.users > 0 {
		return nil
	}
	if b == p.open {
		if runtime.GOOS == "windows" { // Git cannot replace a file that is open here.
			return p.close()
		}
		return nil
	}
	return b.file.Close()
}

// closeOpen closes what is open.
func (p *packedCache) closeOpen() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.close()
}

// close lets go of the file that is open. The caller holds mu. Whoever uses it still closes it.
func (p *packedCache) close() error {
	b := p.open
	p.open = nil
	if b == nil || b.users > 0 {
		return nil
	}
	return b.file.Close()
}

// blocks are the parts of an open file that were read. Of a packed-refs file they hold what every search
// asks, too.
type blocks struct {
	file  *os.File
	info  fs.FileInfo
	users int
	first atomic.Int64 // where the records begin; 0 until that was looked for

	mu   sync.Mutex
	read map[int64][]byte
	said map[string][]string // answers of [packedRefs.askOnce]
}

// openBlocks opens a file. One that is gone by now is fs.ErrNotExist.
func openBlocks(path string) (*blocks, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &blocks{file: file, info: info, read: map[int64][]byte{}, said: map[string][]string{}}, nil
}

// isFile reports whether the file is still as it was opened.
func (b *blocks) isFile(info fs.FileInfo) bool {
	return os.SameFile(b.info, info) && b.info.Size() == info.Size() && b.info.ModTime().Equal(info.ModTime())
}

// ReadAt implements io.ReaderAt.
func (b *blocks) ReadAt(out []byte, at int64) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for n < len(out) {
		block, err := b.readBlock((at + int64(n)) / blockSize)
		if err != nil {
			return n, err
		}
		from := (at + int64(n)) % blockSize
		if from >= int64(len(block)) {
			return n, io.EOF
		}
		n += copy(out[n:], block[from:])
	}
	return n, nil
}

// readPart returns one part, as block does.
func (b *blocks) readPart(number int64) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.readBlock(number)
}

// readBlock reads one part, which is shorter at the end of the file. The caller holds mu.
func (b *blocks) readBlock(number int64) ([]byte, error) {
	if block := b.read[number]; block != nil {
		return block, nil
	}
	if len(b.read) >= mostBlocks {
		clear(b.read)
	}
	block := make([]byte, max(0, min(blockSize, b.info.Size()-number*blockSize)))
	if n, err := b.file.ReadAt(block, number*blockSize); n < len(block) {
		return nil, errors.Join(io.ErrUnexpectedEOF, err)
	}
	b.read[number] = block
	return block, nil
}

// maxLine is longer than any line of a packed-refs file that git wrote.
const maxLine = 64 * 1024

var errLine = errors.New("a line does not end")

// window reads the lines of a file of any size, in both directions, and holds one small part of it.
type window struct {
	file   io.ReaderAt
	size   int64
	start  int64 // start is where data begins in the file.
	data   []byte
	buffer []byte // buffer holds what is no part of the file as that is kept.
}

// fillFrom makes the window begin at start and hold up to length bytes.
func (w *window) fillFrom(start, length int64) error {
	length = min(length, w.size-start)
	if int64(cap(w.buffer)) < length {
		w.buffer = make([]byte, length)
	}
	w.data, w.start = w.buffer[:length], start
	if n, err := w.file.ReadAt(w.data, start); int64(n) < length {
		w.data = w.data[:0]
		return errors.Join(io.ErrUnexpectedEOF, err)
	}
	return nil
}

// moveTo makes the window one that holds the byte at an offset, as it is kept where the file keeps its parts.
func (w *window) moveTo(at int64) (err error) {
	if at >= w.start && at < w.start+int64(len(w.data)) {
		return nil
	}
	number := at / blockSize
	kept, ok := w.file.(*blocks)
	if !ok {
		return w.fillFrom(number*blockSize, blockSize)
	}
	w.start = number * blockSize
	w.data, err = kept.readPart(number)
	return err
}

// lineAt returns the line that begins at an offset, without its end, and where the next one begins. The bytes
// are valid until the next call.
func (w *window) lineAt(at int64) (line []byte, next int64, err error) {
	if at >= w.size {
		return nil, 0, io.ErrUnexpectedEOF
	}
	err = w.moveTo(at)
	for length := int64(blockSize); err == nil; length *= 2 {
		rest := w.data[at-w.start:]
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			return rest[:end], at + int64(end) + 1, nil
		}
		if length > maxLine {
			return nil, 0, errLine
		}
		err = w.fillFrom(at, length)
	}
	return nil, 0, err
}

// firstByte returns the byte at an offset, which is below the size.
func (w *window) firstByte(at int64) (byte, error) {
	if err := w.moveTo(at); err != nil {
		return 0, err
	}
	return w.data[at-w.start], nil
}

// lineBefore returns where the line that holds the byte before at begins; at is above floor.
func (w *window) lineBefore(at, floor int64) (int64, error) {
	err := w.moveTo(at - 1)
	for length := int64(blockSize); err == nil; length *= 2 {
		if end := bytes.LastIndexByte(w.data[:at-1-w.start], '\n'); end >= 0 {
			return max(floor, w.start+int64(end)+1), nil
		}
		if w.start <= floor {
			return floor, nil
		}
		if length > 2*maxLine {
			return 0, errLine
		}
		from := max(floor, at-length)
		err = w.fillFrom(from, at-from)
	}
	return 0, err
}
