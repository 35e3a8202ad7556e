package refs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"
)

// The bounds of what is kept of a packed-refs file that is open.
const (
	blockSize  = 16 * 1024
	mostBlocks = 64
)

// packedCache keeps a packed-refs file open between searches, with the parts of it that were read. Git replaces the file and never
// changes one, so that what was read holds as long as the path names the file that is open, with the size and the time that it had:
// each search looks for that first, after the loose refs were looked at.
type packedCache struct {
	path string

	mu   sync.Mutex
	open *blocks // nil where nothing is open
}

// use returns the file that the path names now, to be given back. There may be none.
func (p *packedCache) use() (*blocks, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	info, err := os.Stat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // No file is an answer.
	}
	if err != nil {
		return nil, err
	}
	if p.open == nil || !p.open.is(info) {
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

// back gives a file back, which is closed when it is no longer the one in place.
func (p *packedCache) back(b *blocks) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.users--; b.users > 0 {
		return nil
	}
	if b == p.open {
		if !mayStayOpen() {
			return p.close()
		}
		return nil
	}
	return b.file.Close()
}

// mayStayOpen tells whether git can replace a file that is open here.
func mayStayOpen() bool { return runtime.GOOS != "windows" }

// end closes what is open.
func (p *packedCache) end() error {
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

// blocks are the parts of an open file that were read.
type blocks struct {
	file  *os.File
	info  fs.FileInfo
	users int

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

// is reports whether the file is still as it was opened.
func (b *blocks) is(info fs.FileInfo) bool {
	return os.SameFile(b.info, info) && b.info.Size() == info.Size() && b.info.ModTime().Equal(info.ModTime())
}

// ReadAt implements io.ReaderAt.
func (b *blocks) ReadAt(out []byte, at int64) (n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for n < len(out) {
		block, err := b.block((at + int64(n)) / blockSize)
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

// part returns one part, as block does.
func (b *blocks) part(number int64) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.block(number)
}

// block reads one part, which is shorter at the end of the file. The caller holds mu.
func (b *blocks) block(number int64) ([]byte, error) {
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
