package refs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/trace"
)

// errUnsorted says that a packed-refs file cannot be searched, so that git has to read it.
var errUnsorted = errors.New("packed refs are not sorted")

// packedRefs searches one packed-refs file as it was when it was opened: git replaces the file, it never
// changes one. Only the parts that a search touches are read.
type packedRefs struct {
	text      []byte // text is the whole file; of one that is not there, nothing.
	first     int    // first is where the records begin, after the header.
	oidLength int

	file *local.Mapping // It holds the text.
	said sync.Map       // answers of askOnce
}

// openPacked maps a packed-refs file. Only one that says it is sorted can be searched.
func openPacked(path string, oidLength int) (*packedRefs, error) {
	opened, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	file, err := local.Map(opened)
	if err != nil {
		return nil, err
	}
	p := &packedRefs{file: file, text: file.Bytes(), oidLength: oidLength}
	if len(p.text) == 0 {
		return p, nil
	}
	header, next, err := p.lineAt(0)
	traits, ok := bytes.CutPrefix(header, []byte("# pack-refs with:"))
	if err != nil || !ok || !slices.Contains(strings.Fields(string(traits)), "sorted") {
		return nil, wrap("read", path, errors.Join(errUnsorted, err))
	}
	p.first = next
	return p, nil
}

// lineAt returns the line that begins at an offset, without its end, and where the next one begins.
func (p *packedRefs) lineAt(at int) (line []byte, next int, err error) {
	end := bytes.IndexByte(p.text[at:], '\n')
	if end < 0 {
		return nil, 0, fmt.Errorf("%w: a line does not end", errUnsorted)
	}
	return p.text[at : at+end], at + end + 1, nil
}

// lineBefore returns where the line begins that ends at an offset, which is above the first.
func (p *packedRefs) lineBefore(at int) int {
	return p.first + bytes.LastIndexByte(p.text[p.first:at-1], '\n') + 1
}

// readRecord reads the record at an offset, and returns where the next line begins.
func (p *packedRefs) readRecord(at int) (oid, name []byte, next int, err error) {
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

// isPeeled reports whether the line at an offset tells what the tag of the record before it points to.
func (p *packedRefs) isPeeled(at int) bool { return at < len(p.text) && p.text[at] == '^' }

// skipPeeled moves over the line that tells what a tag points to.
func (p *packedRefs) skipPeeled(at int) (int, error) {
	if !p.isPeeled(at) {
		return at, nil
	}
	_, next, err := p.lineAt(at)
	return next, err
}

// recordBefore returns where the record begins whose lines end at an offset above the first record.
func (p *packedRefs) recordBefore(at int) int {
	begin := p.lineBefore(at)
	if begin > p.first && p.isPeeled(begin) {
		return p.lineBefore(begin)
	}
	return begin
}

// searchName returns where the first record begins whose name is not before name, or the end of the file.
func (p *packedRefs) searchName(name string) (int, error) {
	low, high := p.first, len(p.text)
	for low < high {
		middle := max(low, p.recordBefore(low+(high-low)/2+1))
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
	if err != nil || at >= len(p.text) {
		return "", err
	}
	oid, name, _, err := p.readRecord(at)
	if err != nil || string(name) != ref {
		return "", err
	}
	return string(oid), nil
}

// forgetAfter is how many bytes of the file a walk keeps in memory, and how many are kept between searches.
const forgetAfter = 1 << 20

// pullRecords returns the records that a scan asks for, in its order, one at a time; without a name behind
// the last.
func (p *packedRefs) pullRecords(q scan) func() (oid, name []byte, err error) {
	next, walked := -1, -1
	return func() (oid, name []byte, err error) {
		at := next
		switch {
		case next < 0 && q.newest:
			at, err = p.searchName(afterPrefix(q.prefix))
		case next < 0:
			at, err = p.searchName(q.prefix)
		case !q.newest:
			at, err = p.skipPeeled(next)
		}
		if err != nil || q.newest && at <= p.first || !q.newest && at >= len(p.text) {
			return nil, nil, err
		}
		if q.newest {
			at = p.recordBefore(at)
		}
		part := at / forgetAfter
		if walked >= 0 && part != walked {
			p.file.Forget()
		}
		walked = part
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
	if answer, ok := p.said.Load(question); ok {
		return answer.([]string), nil
	}
	answer, err := find()
	if err == nil {
		p.said.Store(question, answer)
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
		if err != nil || at >= len(p.text) {
			return found, err
		}
		_, name, _, err := p.readRecord(at)
		if err != nil || !strings.HasPrefix(string(name), TrackingRoot) {
			return found, err
		}
		next = string(name) + "\x00"
		if remote, record, ok := parseTracking(string(name)); ok {
			found = append(found, remote)
			next = afterPrefix(rootOf(remote) + string(record.Kind) + "/")
		} else if remote, ok := parseTrackingArchive(string(name)); ok {
			found = append(found, remote)
		}
	}
}

// copyBelow copies the lines of the records whose names begin with a prefix, which ends in a slash, and leaves
// room for more bytes behind them. What it has copied it lets go of in memory.
func (p *packedRefs) copyBelow(prefix string, text *strings.Builder, room int) error {
	from, err := p.searchName(prefix)
	if err != nil || from >= len(p.text) {
		return err
	}
	to, err := p.searchName(afterPrefix(prefix))
	if err != nil {
		return err
	}
	text.Grow(max(0, to-from) + room)
	for part := range slices.Chunk(p.text[from:max(from, to)], forgetAfter) {
		_, _ = text.Write(part) // It takes everything.
		if len(p.text) > forgetAfter {
			p.file.Forget()
		}
	}
	return nil
}

// afterPrefix is the first name behind all that begin with prefix, which ends in a slash.
func afterPrefix(prefix string) string {
	return prefix[:len(prefix)-1] + "0"
}

// packedCache keeps a packed-refs file open between searches. Git replaces the file and never changes one, so
// that what was read holds as long as the path names the file that is open, with the size and the time that it
// had: each search looks for that first, after the loose refs were looked at.
type packedCache struct {
	path      string
	oidLength int

	mu   sync.Mutex
	open *packedRefs // what was opened last, or nil
}

// useFile returns the file that the path names now, which whoever uses it holds. One that is not there holds no
// refs.
func (c *packedCache) useFile() (*packedRefs, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	info, err := os.Stat(c.path)
	if err == nil && (c.open == nil || !c.open.file.Is(info)) {
		c.open, err = openPacked(c.path, c.oidLength)
	}
	if err != nil {
		c.open = nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &packedRefs{}, nil
	}
	return c.open, err
}
