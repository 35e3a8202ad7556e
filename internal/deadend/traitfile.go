package deadend

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"os"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// TraitFile is a file with the rare traits of all rules of a memory, and the stamp of the refs that hold these. An action that has
// none of the traits meets no rule as long as the refs have that stamp, which is known without reading a record. It may be
// believed because a stamp stands for one list of records, a list for one set of rules, and each rule has a rare trait of every
// action that meets it. What is not as it was written, to its sum, says nothing.
//
// The file begins with a line that names the stamp, the number of blocks and the sum of the table that follows. The table has a
// line for each block: where it ends, in traits, and the sum of its bytes. The traits follow, sorted, and a block holds those that
// begin with the same bits. Whoever asks for some traits reads the table and the blocks of these, however many rules there are.
type TraitFile struct{ File local.File }

// TraitsIn is the file of a memory that keeps what is its own in a folder.
func TraitsIn(dir *local.Dir) TraitFile { return TraitFile{dir.File("index.db.traits")} }

// The sizes of the parts of the file, in bytes.
const (
	traitBytes = 4
	entryBytes = 8        // of the table
	maxHead    = 256      // of the first line
	perBlock   = 256      // traits, about
	maxBlocks  = 1 << 16  // which is for 16 million traits
	maxTraits  = 64 << 20 // in a file
)

// traitHead is the first line of the file without the sum of its table.
func traitHead(stamp string) string { return "git-ltm traits 1 " + stamp + " " }

// Replace writes the traits of all rules of the records that refs with a stamp name. They are sorted, and each stands there once.
func (t TraitFile) Replace(stamp string, traits []Trait) error {
	blocks := 1 << bits.Len(uint(len(traits)/perBlock))
	table := make([]byte, 0, blocks*entryBytes)
	body := make([]byte, 0, len(traits)*traitBytes)
	for block, at := 0, 0; block < blocks; block++ {
		begin := len(body)
		for ; at < len(traits) && blockOf(traits[at], blocks) == block; at++ {
			body = binary.BigEndian.AppendUint32(body, uint32(traits[at]))
		}
		table = binary.BigEndian.AppendUint32(table, uint32(at)) //nolint:gosec // A memory has no billions of rules.
		table = binary.BigEndian.AppendUint32(table, crc32.ChecksumIEEE(body[begin:]))
	}
	head := fmt.Sprintf("%s%d %08x\n", traitHead(stamp), blocks, crc32.ChecksumIEEE(table))
	return t.File.Replace(slices.Concat([]byte(head), table, body), local.Unsynced)
}

// blockOf is the block of a trait, where their number is a power of two.
func blockOf(trait Trait, blocks int) int { return int(uint64(trait) * uint64(blocks) >> 32) } //nolint:gosec // It is below blocks.

// Speaks reports whether the file speaks of refs with a stamp.
func (t TraitFile) Speaks(stamp string) bool {
	f, err := t.File.Open(os.O_RDONLY)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	_, _, ok := readTable(f, stamp)
	return ok
}

// MayMeet reports whether an action may meet a rule of the records that refs with a stamp name. It says no only where that is
// known.
func (t TraitFile) MayMeet(stamp string, traits Traits) bool {
	f, err := t.File.Open(os.O_RDONLY)
	if stamp == "" || err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	table, start, ok := readTable(f, stamp)
	if !ok {
		return true
	}
	blocks := len(table) / entryBytes
	var block []byte
	read := -1
	for _, trait := range traits.All() {
		if at := blockOf(trait, blocks); at != read {
			if block, ok = readBlock(f, table, start, at); !ok {
				return true
			}
			read = at
		}
		for i := 0; i < len(block); i += traitBytes {
			if Trait(binary.BigEndian.Uint32(block[i:])) == trait {
				return true
			}
		}
	}
	return false
}

// readTable reads the table of blocks and says where the traits begin. It is not ok where the file speaks of another stamp.
func readTable(f io.ReaderAt, stamp string) (table []byte, start int64, ok bool) {
	buffer := make([]byte, maxHead)
	n, _ := f.ReadAt(buffer, 0) // What was not read has no line end.
	line, _, whole := strings.Cut(string(buffer[:n]), "\n")
	rest, ours := strings.CutPrefix(line, traitHead(stamp))
	var blocks int
	var sum uint32
	if _, err := fmt.Sscanf(rest, "%d %08x", &blocks, &sum); err != nil || !whole || !ours || blocks < 1 || blocks > maxBlocks {
		return nil, 0, false
	}
	table = make([]byte, blocks*entryBytes)
	if _, err := f.ReadAt(table, int64(len(line)+1)); err != nil && err != io.EOF || crc32.ChecksumIEEE(table) != sum {
		return nil, 0, false
	}
	return table, int64(len(line) + 1 + len(table)), true
}

// readBlock reads the traits of one block.
func readBlock(f io.ReaderAt, table []byte, start int64, at int) (block []byte, ok bool) {
	begin, entry := uint32(0), table[at*entryBytes:]
	if at > 0 {
		begin = binary.BigEndian.Uint32(table[(at-1)*entryBytes:])
	}
	end, sum := binary.BigEndian.Uint32(entry), binary.BigEndian.Uint32(entry[traitBytes:])
	if end < begin || end > maxTraits {
		return nil, false
	}
	block = make([]byte, (end-begin)*traitBytes)
	if n, _ := f.ReadAt(block, start+int64(begin)*traitBytes); n < len(block) {
		return nil, false
	}
	return block, crc32.ChecksumIEEE(block) == sum
}
