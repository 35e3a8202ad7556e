package refs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// crowdedIndex is an index in which all names begin with the same byte; the n-th object is at the offset 10
// n.
func crowdedIndex(names []plumbing.Hash) []byte {
	var index bytes.Buffer
	index.Write([]byte{0xff, 't', 'O', 'c', 0, 0, 0, 2})
	for b := range 256 {
		count := uint32(0)
		if b >= int(names[0][0]) {
			count = uint32(len(names))
		}
		_ = binary.Write(&index, binary.BigEndian, count)
	}
	for _, name := range names {
		index.Write(name[:])
	}
	index.Write(make([]byte, 4*len(names)))
	for n := range names {
		_ = binary.Write(&index, binary.BigEndian, uint32(10*n))
	}
	index.Write(make([]byte, idxTrailer))
	return index.Bytes()
}

func TestPackIndex_crowdedBucket(t *testing.T) {
	t.Parallel()
	var names []plumbing.Hash
	for n := range 6007 {
		names = append(names, plumbing.NewHash(fmt.Sprintf("7f%038x", 2*n+1)))
	}
	path := filepath.Join(t.TempDir(), "pack-x.idx")
	if err := os.WriteFile(path, crowdedIndex(names), 0o600); err != nil {
		t.Fatal(err)
	}
	index, err := openIndex(path)
	if err != nil {
		t.Fatal(err)
	}
	for n, name := range names {
		if offset, err := index.FindOffset(name); offset != int64(10*n) || err != nil {
			t.Fatalf("object %d is at %d, %v, want %d", n, offset, err, 10*n)
		}
		near := plumbing.NewHash(fmt.Sprintf("7f%038x", 2*n))
		if offset, err := index.FindOffset(near); !errors.Is(err, plumbing.ErrObjectNotFound) {
			t.Fatalf("found an object that is not there at %d, %v", offset, err)
		}
	}
	runtime.KeepAlive(index)
}

func TestOpenIndex_damaged(t *testing.T) {
	t.Parallel()
	whole := crowdedIndex([]plumbing.Hash{plumbing.NewHash("7f00"), plumbing.NewHash("7f01")})
	wrongOrder := bytes.Clone(whole)
	wrongOrder[idxHeader+254*4] = 0xff
	for _, content := range [][]byte{
		nil, whole[:6], whole[:500], whole[:len(whole)-idxTrailer-9],
		append([]byte{0}, whole...), wrongOrder,
	} {
		path := filepath.Join(t.TempDir(), "pack-x.idx")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := openIndex(path); !errors.Is(err, errIndex) {
			t.Errorf("open %d bytes: %v, want errIndex", len(content), err)
		}
	}
}
