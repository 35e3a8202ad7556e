package git

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The bounds of a look for changes in a work tree.
const (
	mostTracked   = 5000                   // files of a work tree that is looked at
	mostIndex     = 4 << 20                // bytes of its index
	dirtyPatience = 500 * time.Millisecond // how long git may take
)

// Dirty reports whether tracked files differ from HEAD, whose tree is given. Where the index shows that
// nothing does, no process is started. It is not known of a large work tree, and of one with which git takes
// long. The index is never written.
func (r *Repo) Dirty(ctx context.Context, tree string) (changed, known bool) {
	if r.WorkTree == "" {
		return false, false
	}
	path := filepath.Join(r.GitDir, "index")
	if info, err := os.Stat(path); err == nil {
		text, err := local.ReadFile(path, mostIndex)
		if err != nil {
			return false, false
		}
		x := indexFile{text: text, written: info.ModTime(), id: r.idLength() / 2}
		if x.entryCount() > mostTracked {
			return false, false
		}
		if x.isClean(r.WorkTree, tree) {
			return false, true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, dirtyPatience)
	defer cancel()
	out, err := r.run.readOutput(ctx, nil, "--no-optional-locks", "status", "--porcelain", "-z",
		"--untracked-files=no", "--ignore-submodules=dirty", "--no-renames")
	return len(out) > 0, err == nil
}

// indexFile is the index of a work tree, in the form that gitformat-index(5) describes.
type indexFile struct {
	text    []byte
	written time.Time
	id      int // how many bytes the id of an object has
}

const (
	indexHead  = 12 // bytes: signature, version, count
	indexStat  = 40 // bytes of an entry before the id
	indexFlags = 2  // bytes behind the id, of which all but the length of the name are zero in a plain entry
)

// entryCount returns how many entries the index has, or 0 where it is not of a form that is read here.
func (x indexFile) entryCount() int {
	if len(x.text) < indexHead || string(x.text[:4]) != "DIRC" || binary.BigEndian.Uint32(x.text[4:]) > 3 {
		return 0
	}
	return int(binary.BigEndian.Uint32(x.text[8:]))
}

// isClean reports whether the index is that of a tree, and all files are as they were when they were compared
// with it. It says no where that is not certain.
func (x indexFile) isClean(top, tree string) bool {
	at, n := indexHead, x.entryCount()
	for range n {
		name := at + indexStat + x.id + indexFlags
		if len(x.text) < name || binary.BigEndian.Uint16(x.text[name-indexFlags:])&0xf000 != 0 {
			return false
		}
		length := bytes.IndexByte(x.text[name:], 0)
		if length < 0 || !x.isUntouched(x.text[at:],
			filepath.Join(top, filepath.FromSlash(string(x.text[name:name+length])))) {
			return false
		}
		at += (name - at + length + 8) / 8 * 8
	}
	for len(x.text) > at+8+x.id {
		kind, size := string(x.text[at:at+4]), int(binary.BigEndian.Uint32(x.text[at+4:]))
		at += 8
		if kind[0] >= 'a' || size > len(x.text)-at {
			return false // It changes what the entries mean.
		}
		root := fmt.Appendf(nil, "\x00%d ", n)
		if _, id, ok := bytes.Cut(x.text[at:at+size], []byte("\n")); kind == "TREE" &&
			bytes.HasPrefix(x.text[at:], root) && ok && len(id) >= x.id {
			return hex.EncodeToString(id[:x.id]) == tree
		}
		at += size
	}
	return false
}

// isUntouched reports whether a file has the time and the size that an entry says, and the time tells it from
// any later change.
func (x indexFile) isUntouched(entry []byte, path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(entry[at:]) }
	const modes, executable, link = 24, 0o111, 0o120000
	mode, then := word(modes), time.Unix(int64(word(8)), int64(word(12)))
	kind := info.Mode().Type()
	switch {
	case mode == link && kind == fs.ModeSymlink:
	case mode&^executable == 0o100644 && kind == 0 && (mode&executable != 0) == (info.Mode()&0o100 != 0):
	default:
		return false
	}
	return uint32(info.Size()) == word(36) && info.ModTime().Equal(then) &&
		then.Before(x.written) //nolint:gosec // Git cuts it too.
}
