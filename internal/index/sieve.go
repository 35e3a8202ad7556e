package index

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sort"
	"strings"

	"github.com/git-ltm/git-ltm/internal/deadend"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The sieve is a file beside the database: the stamp of a list of refs, and the rare traits of the rules of all its records. An
// action that has none of them meets no rule as long as the refs have that stamp, and that is known without the database. It may
// be trusted because a stamp stands for one list, a list for one set of rules, and each rule has a rare trait of every action that
// meets it. What is not as it was written, to its sum, says nothing.

// sieveSuffix is what the name of the sieve has behind that of the database.
const sieveSuffix = ".sieve"

// maxSieve is how many bytes of a sieve are read.
const maxSieve = 64 << 20

func (x *Index) sieve() local.File { return x.place.With(sieveSuffix) }

// sieveHead is the first line of a sieve.
func sieveHead(stamp string, sums []byte) string {
	return fmt.Sprintf("git-ltm sieve %d %s %08x\n", version, stamp, crc32.ChecksumIEEE(sums))
}

// MayRule reports whether an action with some traits may meet a rule of the records that refs with this stamp name. It says no only
// where that is known.
func (x *Index) MayRule(stamp string, traits deadend.Traits) bool {
	if x.path == "" || stamp == "" {
		return true
	}
	text, err := x.sieve().Read(maxSieve)
	if err != nil {
		return true
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	sums := []byte(rest)
	if !strings.HasPrefix(string(text), sieveHead(stamp, sums)) || len(sums)%traitBytes != 0 {
		return true
	}
	for _, trait := range traits.All() {
		at := func(i int) uint32 { return binary.BigEndian.Uint32(sums[i*traitBytes:]) }
		i := sort.Search(len(sums)/traitBytes, func(i int) bool { return at(i) >= uint32(trait) })
		if i*traitBytes < len(sums) && at(i) == uint32(trait) {
			return true
		}
	}
	return false
}

// traitBytes is how many bytes a trait has in a sieve.
const traitBytes = 4

// sift writes the sieve of what the database holds. Where that fails, there is none.
func (x *Index) sift(ctx context.Context, w *writer, stamp string) {
	var sums []byte
	err := each(ctx, w.db, func(scan func(...any) error) error {
		var sum uint32
		err := scan(&sum)
		sums = binary.BigEndian.AppendUint32(sums, sum)
		return err
	}, "SELECT DISTINCT sum FROM trait ORDER BY sum")
	if err == nil {
		err = x.sieve().Replace([]byte(sieveHead(stamp, sums)+string(sums)), local.Unsynced)
	}
	if err != nil {
		_ = x.dropSieve()
	}
}

// sifted reports whether there is a sieve of refs with a stamp.
func (x *Index) sifted(stamp string) bool {
	text, err := x.sieve().Read(maxSieve)
	return err == nil && strings.HasPrefix(string(text), fmt.Sprintf("git-ltm sieve %d %s ", version, stamp))
}

// dropSieve takes the sieve away: what is taken out of the database leaves nothing beside it.
func (x *Index) dropSieve() error { return x.sieve().Remove() }
