package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1" //nolint:gosec // It is the check that git puts at the end of a pack, no protection.
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
)

// keepMark is what stands in the files that keep our packs.
const keepMark = "git-ltm"

// RawObject is an object that shall be stored.
type RawObject struct {
	Type string // Type is blob, tree, commit or tag.
	Data []byte
}

// PackKept stores objects as one pack that no garbage collection takes apart or removes, durably, and returns
// the path of the file that keeps it. Objects that are here already go along: that keeps them from a
// collection that has not seen yet who needs them now.
//
// The pack is made here and not by git, which would want the objects to lie in the repository before: a
// collection that runs could take them away in between.
func (r *Repo) PackKept(ctx context.Context, objects []RawObject) (keep string, err error) {
	if len(objects) == 0 {
		return "", errors.New("pack objects: there are none")
	}
	pack, err := r.encodePack(objects)
	if err != nil {
		return "", fmt.Errorf("pack objects: %w", err)
	}
	out, err := r.run.readOutput(ctx, bytes.NewReader(pack), "-c", "core.fsync=pack,pack-metadata", "-c",
		"core.fsyncMethod=fsync",
		"index-pack", "--stdin", "--keep="+keepMark)
	if err != nil {
		return "", fmt.Errorf("store pack: %w", err)
	}
	_, name, ok := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\t")
	if !ok || !IsObjectID(name) {
		return "", fmt.Errorf("store pack: git answered %q", out)
	}
	keep = filepath.Join(r.packFolder(), "pack-"+name+".keep")
	// Git leaves one alone that an earlier call made for the same objects, so that it is made as new here.
	now := time.Now() //nolint:forbidigo // It is compared with times of files.
	if err := os.Chtimes(keep, now, now); err != nil {
		return "", fmt.Errorf("keep pack: %w", err)
	}
	if err := local.SyncPath(r.packFolder()); err != nil {
		return "", fmt.Errorf("keep pack: %w", err)
	}
	return keep, nil
}

// packFolder is where the packs of this repository lie.
func (r *Repo) packFolder() string {
	if dir, _ := r.Env("GIT_OBJECT_DIRECTORY"); dir != "" {
		return filepath.Join(dir, "pack")
	}
	return filepath.Join(r.CommonDir, "objects", "pack")
}

// ReleasePacks gives the packs that PackKept made longer ago than that back to garbage collection. The
// objects stay.
func (r *Repo) ReleasePacks(ctx context.Context, olderThan time.Duration) error {
	files, err := os.ReadDir(r.packFolder())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("release packs: %w", err)
	}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !strings.HasSuffix(file.Name(), ".keep") {
			continue
		}
		if err := removeKeep(filepath.Join(r.packFolder(), file.Name()), olderThan); err != nil {
			return fmt.Errorf("release packs: %w", err)
		}
	}
	return nil
}

// removeKeep removes a file that keeps a pack, if it is ours and old enough.
func removeKeep(keep string, olderThan time.Duration) error {
	info, err := os.Lstat(keep)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > 2*int64(len(keepMark)) ||
		time.Since(info.ModTime()) < olderThan) {
		return nil
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(keep)
	}
	if err == nil && strings.TrimSpace(string(text)) == keepMark {
		err = os.Remove(keep)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// encodePack writes objects in the form of a pack, each of them whole.
func (r *Repo) encodePack(objects []RawObject) ([]byte, error) {
	pack := []byte("PACK\x00\x00\x00\x02")
	pack = binary.BigEndian.AppendUint32(pack,
		uint32(len(objects))) //nolint:gosec // There are never so many in memory.
	for _, object := range objects {
		// Writes the type and the size of an object: four bits of the size beside the type, then seven a
		// byte.
		var kind byte
		switch object.Type {
		case "commit":
			kind = 1
		case "tree":
			kind = 2
		case "blob":
			kind = 3
		case "tag":
			kind = 4
		default:
			return nil, fmt.Errorf("unknown type %q", object.Type)
		}
		size := len(object.Data)
		head := []byte{kind<<4 | byte(size&15)}
		for size >>= 4; size > 0; size >>= 7 {
			head[len(head)-1] |= 0x80
			head = append(head, byte(size&127))
		}
		var compressed bytes.Buffer
		w := zlib.NewWriter(&compressed)
		if _, err := w.Write(object.Data); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		pack = append(append(pack, head...), compressed.Bytes()...)
	}
	if r.ObjectFormat == "sha256" {
		sum := sha256.Sum256(pack)
		return append(pack, sum[:]...), nil
	}
	sum := sha1.Sum(pack) //nolint:gosec // See the import.
	return append(pack, sum[:]...), nil
}

// Collect drops every object that nothing in the repository refers to, of any age. It must not run beside
// other programs that write objects.
func (r *Repo) Collect(ctx context.Context) error {
	return r.run.runStep(ctx, nil, "collect garbage", "gc", "--quiet", "--prune=now")
}

// Uncollected is what no collection reaches.
type Uncollected struct {
	Lenders  []string // object directories that this repository borrows from
	Promised bool     // a partial clone has packs of its remote, of which git drops nothing
}

// Uncollected tells where objects lie that [Repo.Collect] does not drop, although nothing refers to them.
func (r *Repo) Uncollected() (Uncollected, error) {
	objects := filepath.Join(r.CommonDir, "objects")
	list, err := os.ReadFile(filepath.Join(objects, "info", "alternates"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Uncollected{}, fmt.Errorf("find what is borrowed: %w", err)
	}
	var u Uncollected
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			u.Lenders = append(u.Lenders, line)
		}
	}
	packs, err := os.ReadDir(filepath.Join(objects, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return u, fmt.Errorf("find what a remote promised: %w", err)
	}
	for _, pack := range packs {
		u.Promised = u.Promised || strings.HasSuffix(pack.Name(), ".promisor")
	}
	return u, nil
}

// errNoRefs says that a call names no ref.
var errNoRefs = errors.New("no ref is named")

// CreateBundle writes refs, by their full names, and all their objects into a file that git can fetch from. A
// file of that name is replaced. A relative name counts from where the repository was opened.
func (r *Repo) CreateBundle(ctx context.Context, file string, refs []string) error {
	if len(refs) == 0 {
		return fmt.Errorf("write bundle %q: %w", file, errNoRefs)
	}
	var lines strings.Builder
	for _, ref := range refs {
		if !fullName(ref) {
			return fmt.Errorf("write bundle %q: ref %q: not a full name", file, ref)
		}
		lines.WriteString(ref + "\n")
	}
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Dir, path)
	}
	args := append(exchangeOptions(), "bundle", "create", "--quiet", path, "--stdin")
	return r.run.runStep(ctx, strings.NewReader(lines.String()), fmt.Sprintf("write bundle %q", file),
		args...)
}
