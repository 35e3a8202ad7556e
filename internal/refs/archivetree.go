package refs

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The bounds of an archive. What others put into one is hostile.
const (
	maxArchiveCommit = 1024
	maxArchiveTree   = 2 * 1024 * 1024
	mostArchived     = 8_000 // mostArchived is how many entries of one kind an archive may hold.
	mergedArchive    = 4_000 // mergedArchive is how many entries an archive gets that others are merged into.
	smallArchive     = 2_000 // smallArchive is up to how many entries an archive is merged into a larger one.
)

// The modes that an archive's trees may hold.
const (
	modeFolder = "40000"
	modeFile   = "100644"
)

// The ends of the names of files in an archive.
const (
	recordSuffix = ".json"
	tagSuffix    = ".tag"
)

// treeEntry is one line of a tree object.
type treeEntry struct {
	mode, name, oid string
}

// parseTree reads a tree object. One whose names do not rise, so that two could be the same, is
// refused, and so is an empty one: what an archive holds has one encoding.
func parseTree(data []byte, oidLength int) ([]treeEntry, error) {
	if len(data) == 0 {
		return nil, fmt.Errorf("tree: it is empty: %w", ErrArchive)
	}
	var entries []treeEntry
	last := ""
	for e, err := range git.TreeEntries(data, oidLength/2) {
		if err != nil {
			return nil, fmt.Errorf("tree: %w: %w", err, ErrArchive)
		}
		if e.Name <= last {
			return nil, fmt.Errorf("tree: %q stands twice or in the wrong place: %w", e.Name, ErrArchive)
		}
		last = e.Name
		entries = append(entries, treeEntry{mode: e.Mode, name: e.Name, oid: e.OID})
	}
	return entries, nil
}

// encodeTree writes a tree object. The names of an archive's trees are in the order of git when they are in that of bytes,
// because no tree holds both files and folders, and no name begins with another one.
func encodeTree(entries []treeEntry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b treeEntry) int { return strings.Compare(a.name, b.name) })
	var tree bytes.Buffer
	for _, e := range entries {
		oid, err := hex.DecodeString(e.oid)
		if err != nil {
			return nil, fmt.Errorf("tree entry %q: %w", e.name, err)
		}
		tree.WriteString(e.mode + " " + e.name + "\x00")
		tree.Write(oid)
	}
	return tree.Bytes(), nil
}

// archiveCommit writes the commit of an archive. Of an archive of a quarter it is a function of
// that and the tree: its time is when the quarter begins. So clones that archive the same records
// make the same commit.
func archiveCommit(tree, about string, at time.Time) []byte {
	person := "git-ltm <git-ltm@localhost> " + strconv.FormatInt(at.Unix(), 10) + " +0000"
	return fmt.Appendf(nil, "tree %s\nauthor %s\ncommitter %s\n\nltm archive %s\n", tree, person, person, about)
}

// parseArchiveCommit reads the commit of an archive and returns its tree. A commit that archiveCommit would not write is
// refused: parents would keep alive what was purged.
func parseArchiveCommit(data []byte, about string) (tree string, err error) {
	tree, rest, ok := strings.Cut(strings.TrimPrefix(string(data), "tree "), "\n")
	if !ok || !isHex([]byte(tree)) {
		return "", fmt.Errorf("commit: %w", ErrArchive)
	}
	at, fixed := beginOf(about)
	if !fixed { // The first archives had the time of their newest record.
		stamp, _, _ := strings.Cut(strings.TrimPrefix(rest, "author git-ltm <git-ltm@localhost> "), " ")
		seconds, err := strconv.ParseInt(stamp, 10, 64)
		if err != nil {
			return "", fmt.Errorf("commit: %w", ErrArchive)
		}
		at = time.Unix(seconds, 0)
	}
	if !bytes.Equal(data, archiveCommit(tree, about, at)) {
		return "", fmt.Errorf("commit: it is not in the form of one of an archive: %w", ErrArchive)
	}
	return tree, nil
}

// archived is a record or a later signature in an archive.
type archived struct {
	name Name
	blob string // blob is the record; a later signature has none here.
	tag  string // tag is the blob that holds the bytes of the tag object, "" for a record without one.
}

// archivedName reads the name of a file in a folder of an archive: "<ULID>.json", "<ULID>.tag" or "<ULID>.<key>.tag".
func archivedName(kind Kind, folder, file string) (name Name, suffix string, ok bool) {
	suffix = recordSuffix
	stem, ok := strings.CutSuffix(file, suffix)
	if !ok {
		suffix = tagSuffix
		stem, ok = strings.CutSuffix(file, suffix)
	}
	if ok && kind == endorsements {
		name, ok = parseEndorsement(endorsements + "/" + strings.Replace(stem, ".", "/", 1))
		ok = ok && suffix == tagSuffix
	} else if ok {
		name, ok = parseTail(string(kind) + "/" + stem)
	}
	return name, suffix, ok && archiveFolder(name.ID) == folder
}

// file is the name of a file of the entry.
func (a archived) file(suffix string) string {
	if a.name.Key != "" {
		return string(a.name.ID) + "." + a.name.Key + suffix
	}
	return string(a.name.ID) + suffix
}

// archiveFolder is the folder of an ID inside a kind. IDs begin with their time, so that the newest lie together.
func archiveFolder(id packet.ID) string { return string(id)[:5] }

// parseFolder reads what one folder of an archive holds, in the order of the names. A tag beside no record is refused.
func parseFolder(kind Kind, folder string, entries []treeEntry) ([]archived, error) {
	found := make([]archived, 0, len(entries))
	for _, e := range entries {
		name, suffix, ok := archivedName(kind, folder, e.name)
		if !ok || e.mode != modeFile {
			return nil, fmt.Errorf("folder %q: %s %q is not a file of an archive: %w", folder, e.mode, e.name, ErrArchive)
		}
		switch last := len(found) - 1; {
		case suffix == recordSuffix:
			found = append(found, archived{name: name, blob: e.oid})
		case kind == endorsements:
			found = append(found, archived{name: name, tag: e.oid})
		case last >= 0 && found[last].name == name:
			found[last].tag = e.oid
		default:
			return nil, fmt.Errorf("folder %q: %q stands beside no record: %w", folder, e.name, ErrArchive)
		}
	}
	return found, nil
}

// isFolder reports whether text can be the name of a folder inside a kind.
func isFolder(text string) bool {
	_, err := packet.ParseID(text + "000000000000000000000")
	return len(text) == 5 && err == nil
}
