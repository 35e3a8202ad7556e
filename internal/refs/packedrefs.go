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
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/trace"
)

// errUnsorted says that a packed-refs file cannot be searched, so that git has to read it.
var errUnsorted = errors.New("packed refs are not sorted")

// packedRefs searches one packed-refs file as it was when it was opened: git replaces the file, it never
// changes one. Only the parts that a search touches are read.
type packedRefs struct {
	file      *blocks // nil holds no refs
	close     func() error
	first     int64 // first is where the records begin, after the header.
	size      int64
	oidLength int
}

// openPacked begins a search of a packed-refs file. A file that is not there holds no refs, and only one that
// says it is sorted can be searched.
func openPacked(in *packedCache, oidLength int) (*packedRefs, error) {
	file, err := in.useFile()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if file == nil {
		return &packedRefs{close: func() error { return nil }}, nil
	}
	p := &packedRefs{file: file, size: file.info.Size(), oidLength: oidLength}
	p.close = func() error { return in.giveBack(file) }
	if p.size == 0 {
		return p, nil
	}
	header, next, err := p.lineAt(0)
	traits, ok := bytes.CutPrefix(header, []byte("# pack-refs with:"))
	if err != nil || !ok || !slices.Contains(strings.Fields(string(traits)), "sorted") {
		return nil, wrap("read", in.path, errors.Join(errUnsorted, err, p.close()))
	}
	p.first = next
	return p, nil
}

// readRecord reads the record at an offset, and returns where the next line begins.
func (p *packedRefs) readRecord(at int64) (oid, name []byte, next int64, err error) {
	line, next, err := p.lineAt(at)
	if err != nil {
		return nil, nil, 0, err
	}
	if len(line) < p.oidLength+2 || line[p.oidLength] != ' ' || !git.IsHex(line[:p.oidLength]) {
		return nil, nil, 0, fmt.Errorf("%w: a line is no record", errUnsorted)
	}
	trace.Refs.Add(1)
	return line[:p.oidLength], line[p.oidLength+1:], next, nil
}

// skipPeeled moves over the line that tells what a tag points to.
func (p *packedRefs) skipPeeled(at int64) (int64, error) {
	if at >= p.size {
		return at, nil
	}
	line, next, err := p.lineAt(at)
	if err != nil || len(line) == 0 || line[0] != '^' {
		return at, err
	}
	return next, nil
}

// recordBefore returns where the record begins whose lines end at an offset above the first record.
func (p *packedRefs) recordBefore(at int64) (int64, error) {
	begin, err := p.lineBefore(at)
	if err != nil || begin == p.first {
		return begin, err
	}
	line, _, err := p.lineAt(begin)
	if err == nil && len(line) > 0 && line[0] == '^' {
		return p.lineBefore(begin)
	}
	return begin, err
}

// searchName returns where the first record begins whose name is not before name, or the end of the file.
func (p *packedRefs) searchName(name string) (int64, error) {
	low, high := p.first, p.size
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
	if err != nil || at >= p.size {
		return "", err
	}
	oid, name, _, err := p.readRecord(at)
	if err != nil || string(name) != ref {
		return "", err
	}
	return string(oid), nil
}

// pullRecords returns the records that a scan asks for, in its order, one at a time; without a name behind
// the last.
func (p *packedRefs) pullRecords(q scan) func() (oid, name []byte, err error) {
	next := int64(-1)
	return func() (oid, name []byte, err error) {
		at := next
		switch {
		case next < 0 && q.newest:
			at, err = p.searchName(afterPrefix(q.prefix))
		case next < 0:
			at, err = p.searchName(max(q.prefix, q.from))
		case !q.newest:
			at, err = p.skipPeeled(next)
		}
		if err != nil || q.newest && at <= p.first || !q.newest && at >= p.size {
			return nil, nil, err
		}
		if q.newest {
			if at, err = p.recordBefore(at); err != nil {
				return nil, nil, err
			}
		}
		oid, name, next, err = p.readRecord(at)
		if err != nil || !bytes.HasPrefix(name, []byte(q.prefix)) {
			return nil, nil, err
		}
		if q.newest {
			next = at
		}
		return oid, name, nil
	}
}

// askOnce returns the answer to a question about a file, which is found out once as long as that is open.
func (p *packedRefs) askOnce(question string, find func() ([]string, error)) ([]string, error) {
	if p.file == nil {
		return nil, nil
	}
	if answer, ok := p.file.said.Load(question); ok {
		return answer.([]string), nil
	}
	answer, err := find()
	if err == nil {
		p.file.said.Store(question, answer)
	}
	return answer, err
}

// isEmptyBelow tells whether no name begins with prefix.
func (p *packedRefs) isEmptyBelow(prefix string) (bool, error) {
	some, err := p.askOnce(prefix, func() ([]string, error) {
		_, name, err := p.pullRecords(scan{prefix: prefix})()
		if name == nil {
			return nil, err
		}
		return []string{string(name)}, nil
	})
	return len(some) == 0, err
}

// listRemotes jumps from one kind of one remote to the next, without reading the records between.
func (p *packedRefs) listRemotes() ([]string, error) {
	var found []string
	for next := TrackingRoot; ; {
		at, err := p.searchName(next)
		if err != nil || at >= p.size {
			return found, err
		}
		_, name, _, err := p.readRecord(at)
		if err != nil || !strings.HasPrefix(string(name), TrackingRoot) {
			return found, err
		}
		next = string(name) + "\x00"
		if remote, record, ok := ParseTracking(string(name)); ok {
			found = append(found, remote)
			next = afterPrefix(TrackingRoot + remote + "/" + string(record.Kind) + "/")
		} else if remote, ok := parseTrackingArchive(string(name)); ok {
			found = append(found, remote)
		}
	}
}

// copyBelow copies the lines of the records whose names begin with a prefix, which ends in a slash, and
// leaves room for more bytes behind them.
func (p *packedRefs) copyBelow(prefix string, text *strings.Builder, room int) error {
	from, err := p.searchName(prefix)
	if err != nil || from >= p.size {
		return err
	}
	to, err := p.searchName(afterPrefix(prefix))
	if err != nil {
		return err
	}
	text.Grow(int(to-from) + room)
	_, err = io.Copy(text, io.NewSectionReader(p.file.file, from, to-from))
	return err
}

// afterPrefix is the first name behind all that begin with prefix, which ends in a slash.
func afterPrefix(prefix string) string {
	return prefix[:len(prefix)-1] + "0"
}

// The bounds of what is kept of a packed-refs file that is open.
const (
	blockSize  = 4 * 1024
	mostBlocks = 1024
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
	said  sync.Map // answers of [packedRefs.askOnce]

	mu   sync.Mutex
	read map[int64][]byte
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
	return &blocks{file: file, info: info, read: map[int64][]byte{}}, nil
}

// isFile reports whether the file is still as it was opened.
func (b *blocks) isFile(info fs.FileInfo) bool {
	return os.SameFile(b.info, info) && b.info.Size() == info.Size() && b.info.ModTime().Equal(info.ModTime())
}

// restAt returns the part that holds the byte at an offset, from there on; nothing at the end of the file.
func (b *blocks) restAt(at int64) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	number := at / blockSize
	block := b.read[number]
	if block == nil {
		if len(b.read) >= mostBlocks {
			clear(b.read)
		}
		block = make([]byte, max(0, min(blockSize, b.info.Size()-number*blockSize)))
		if n, err := b.file.ReadAt(block, number*blockSize); n < len(block) {
			return nil, errors.Join(io.ErrUnexpectedEOF, err)
		}
		b.read[number] = block
	}
	return block[min(at%blockSize, int64(len(block))):], nil
}

// bytesAt returns the bytes from an offset on, less than size at the end of the file alone.
func (b *blocks) bytesAt(at, size int64) ([]byte, error) {
	if size > blockSize { // So much is asked for once.
		found := make([]byte, max(0, min(size, b.info.Size()-at)))
		n, err := b.file.ReadAt(found, at)
		if n == len(found) {
			err = nil
		}
		return found[:n], err
	}
	found, err := b.restAt(at)
	for err == nil && int64(len(found)) < size {
		var more []byte
		if more, err = b.restAt(at + int64(len(found))); len(more) == 0 {
			break
		}
		found = slices.Concat(found, more[:min(int64(len(more)), size-int64(len(found)))])
	}
	return found[:min(size, int64(len(found)))], err
}

// The lengths of the lines of a packed-refs file: of those that are usual, and of what git never writes.
const (
	usualLine = 256
	maxLine   = 64 * 1024
)

var errLine = errors.New("a line does not end")

// lineAt returns the line that begins at an offset, without its end, and where the next one begins.
func (p *packedRefs) lineAt(at int64) (line []byte, next int64, err error) {
	for size := int64(usualLine); size <= 2*maxLine; size *= 2 {
		part, err := p.file.bytesAt(at, size)
		if err != nil {
			return nil, 0, err
		}
		if end := bytes.IndexByte(part, '\n'); end >= 0 {
			return part[:end], at + int64(end) + 1, nil
		}
		if int64(len(part)) < size {
			break
		}
	}
	return nil, 0, errLine
}

// lineBefore returns where the line that holds the byte before an offset begins, which is above the first.
func (p *packedRefs) lineBefore(at int64) (int64, error) {
	for size := int64(usualLine); size <= 2*maxLine; size *= 2 {
		from := max(p.first, at-1-size)
		part, err := p.file.bytesAt(from, at-1-from)
		if err != nil {
			return 0, err
		}
		if end := bytes.LastIndexByte(part, '\n'); end >= 0 || from == p.first {
			return from + int64(end) + 1, nil
		}
	}
	return 0, errLine
}
