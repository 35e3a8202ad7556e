package refs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// errUnsorted says that a packed-refs file cannot be searched, so that git has to read it.
var errUnsorted = errors.New("packed refs are not sorted")

// packedRefs searches one packed-refs file as it was when it was opened: git replaces the file, it never changes
// one. Only the parts that a search touches are read.
type packedRefs struct {
	close     func() error
	window    window
	first     int64 // first is where the records begin, after the header.
	oidLength int
}

// openPacked begins a search of a packed-refs file. A file that is not there holds no refs.
func openPacked(in *packedCache, oidLength int) (*packedRefs, error) {
	file, err := in.use()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if file == nil {
		return newPacked(bytes.NewReader(nil), 0, oidLength, func() error { return nil })
	}
	back := func() error { return in.back(file) }
	p, err := newPacked(file, file.info.Size(), oidLength, back)
	if err != nil {
		return nil, errors.Join(wrap("read", in.path, err), back())
	}
	return p, nil
}

// newPacked reads the header. Only a file that says it is sorted can be searched.
func newPacked(file io.ReaderAt, size int64, oidLength int, closer func() error) (*packedRefs, error) {
	p := &packedRefs{close: closer, window: window{file: file, size: size}, oidLength: oidLength}
	if size == 0 {
		return p, nil
	}
	header, next, err := p.window.line(0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnsorted, err)
	}
	traits, ok := bytes.CutPrefix(header, []byte("# pack-refs with:"))
	if !ok || !slices.ContainsFunc(bytes.Fields(traits), func(t []byte) bool { return string(t) == "sorted" }) {
		return nil, errUnsorted
	}
	p.first = next
	return p, nil
}

// record reads the record at an offset, and returns where the next line begins.
func (p *packedRefs) record(at int64) (oid, name []byte, next int64, err error) {
	line, next, err := p.window.line(at)
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
	if first, err := p.window.first(at); err != nil || first != '^' {
		return at, err
	}
	_, next, err := p.window.line(at)
	return next, err
}

// before returns where the record begins whose lines end at an offset above the first record.
func (p *packedRefs) before(at int64) (int64, error) {
	begin, err := p.window.begin(at, p.first)
	if err != nil || begin == p.first {
		return begin, err
	}
	line, _, err := p.window.line(begin)
	if err != nil {
		return 0, err
	}
	if len(line) > 0 && line[0] == '^' {
		return p.window.begin(begin, p.first)
	}
	return begin, nil
}

// search returns where the first record begins whose name is not before name, or the end of the file.
func (p *packedRefs) search(name string) (int64, error) {
	low, high := p.first, p.window.size
	for low < high {
		middle, err := p.before(low + (high-low)/2 + 1)
		if err != nil {
			return 0, err
		}
		middle = max(middle, low)
		_, found, next, err := p.record(middle)
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

// lookup returns the object of one ref, or "".
func (p *packedRefs) lookup(ref string) (string, error) {
	at, err := p.search(ref)
	if err != nil || at >= p.window.size {
		return "", err
	}
	oid, name, _, err := p.record(at)
	if err != nil || string(name) != ref {
		return "", err
	}
	return string(oid), nil
}

// forward visits the records from an offset whose names begin with prefix, until visit returns false.
func (p *packedRefs) forward(at int64, prefix string, visit func(oid, name []byte) bool) error {
	for at < p.window.size {
		oid, name, next, err := p.record(at)
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

// backward visits the records that end at an offset whose names begin with prefix, the last one first.
func (p *packedRefs) backward(at int64, prefix string, visit func(oid, name []byte) bool) error {
	for at > p.first {
		begin, err := p.before(at)
		if err != nil {
			return err
		}
		oid, name, _, err := p.record(begin)
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

// afterPrefix is the first name behind all that begin with prefix, which ends in a slash.
func afterPrefix(prefix string) string {
	return prefix[:len(prefix)-1] + "0"
}

// isHex reports whether text consists of hexadecimal digits in lower case.
func isHex(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(text) > 0
}
