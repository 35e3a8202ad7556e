package git

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// TreeEntry is an entry of a tree object.
type TreeEntry struct {
	Mode string // as git writes it: "40000" for a tree
	Name string // as hostile as it may be
	OID  string // in hexadecimal
}

// TreeEntries yields the entries of a tree object, in its order: a mode, a blank, a name, a zero byte, and the bytes of the object's
// name, which are so many. One that does not end is an error, and the last that is yielded.
func TreeEntries(data []byte, oidBytes int) iter.Seq2[TreeEntry, error] {
	return func(yield func(TreeEntry, error) bool) {
		for len(data) > 0 {
			head, rest, ok := bytes.Cut(data, []byte{0})
			mode, name, named := strings.Cut(string(head), " ")
			if !ok || !named || len(rest) < oidBytes {
				yield(TreeEntry{}, fmt.Errorf("entry %s does not end", strconv.Quote(name)))
				return
			}
			if !yield(TreeEntry{mode, name, hex.EncodeToString(rest[:oidBytes])}, nil) {
				return
			}
			data = rest[oidBytes:]
		}
	}
}
