package refs_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// A small record that is a delta onto a huge base is refused by the size of its base: making it would take
// that much memory. SPEC.
func TestStore_Read_deltaOntoHugeBase(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	const base = 2 << 20
	r.Feed(bombPack(base, 1000), "index-pack", "--stdin", "--fix-thin")
	small := r.Feed(strings.Repeat("\x00", 1000), "hash-object", "--stdin")
	r.Git("update-ref", "refs/ltm/packets/"+string(id(1)), small)
	store := open(t, r)
	ref, err := store.Lookup(t.Context(), name(1))
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Read(t.Context(), ref)
	if large, ok := errors.AsType[*refs.TooLargeError](err); !ok || large.Size != base {
		t.Errorf("Read = %v, want a TooLargeError of %d bytes", err, base)
	}
}

// bombPack is a pack of a blob of zeros and a delta that takes its beginning.
func bombPack(base, result int) string {
	var pack bytes.Buffer
	pack.WriteString("PACK")
	for _, n := range []uint32{2, 2} { // The version, and the number of objects.
		_ = binary.Write(&pack, binary.BigEndian, n)
	}
	first := pack.Len()
	packed(&pack, 3, make([]byte, base), nil)
	delta := append(varint(base), varint(result)...)
	delta = append(delta, 0xb0, byte(result), byte(result>>8)) // Copy from 0, with a size of two bytes.
	packed(&pack, 6, delta, distance(pack.Len()-first))
	sum := sha1.Sum(pack.Bytes())
	return pack.String() + string(sum[:])
}

// packed appends an object: its type and size, where its base lies, and its bytes.
func packed(pack *bytes.Buffer, kind byte, data, base []byte) {
	size := len(data)
	head := kind<<4 | byte(size&0x0f)
	for size >>= 4; size > 0; size >>= 7 {
		pack.WriteByte(head | 0x80)
		head = byte(size & 0x7f)
	}
	pack.WriteByte(head)
	pack.Write(base)
	w := zlib.NewWriter(pack)
	_, _ = w.Write(data)
	_ = w.Close()
}

// varint writes seven bits a byte, the lowest first.
func varint(n int) []byte {
	var out []byte
	for ; n > 0x7f; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

// distance writes how far before a delta its base lies.
func distance(n int) []byte {
	out := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		out = append([]byte{byte(n&0x7f) | 0x80}, out...)
	}
	return out
}
