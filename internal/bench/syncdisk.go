package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// manyLoose is the most records that are weighed as loose objects.
const manyLoose = 10000

// weigh prints what a push of a branch hears of the remote, and what a record takes on the disk.
func (s *syncing) weigh(ctx context.Context, out io.Writer, compacted string) error {
	s.kind = "weighed"
	empty, refs, archives := s.place("empty"), s.place("loose"), s.place("archived")
	if err := s.without(ctx, empty); err != nil {
		return err
	}
	if err := s.bare(ctx, s.dir, refs); err != nil {
		return err
	}
	if err := s.bare(ctx, compacted, archives); err != nil {
		return err
	}
	if err := s.heard(ctx, out, empty, refs, archives); err != nil {
		return err
	}
	base, err := blocks(empty)
	if err != nil {
		return err
	}
	for _, of := range []struct {
		name, dir string
		weigh     func(context.Context, string) error
	}{
		{"loose", refs, s.loosen},
		{"refs, after gc", refs, s.collect},
		{"archives", archives, s.leave},
		{"archives, after gc", archives, s.collect},
		{"clone: archives", compacted, s.leave},
		{"clone: archives, after gc", compacted, s.collect},
	} {
		if of.name == "loose" && s.n > manyLoose {
			continue
		}
		if err := of.weigh(ctx, of.dir); err != nil {
			return err
		}
		size, err := blocks(of.dir)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "disk %8d  %-26s %6.0f bytes a record\n", s.n, of.name, float64(size-base)/float64(s.n)); err != nil {
			return err
		}
	}
	return nil
}

// without makes a bare repository that holds the branch and no records.
func (s *syncing) without(ctx context.Context, dir string) error {
	_, err := s.git(ctx, nil, s.bin, "clone", "-q", "--bare", "file://"+s.dir, dir)
	return err
}

// heard prints how many bytes a remote sends to a push of whatever ref before it takes anything.
func (s *syncing) heard(ctx context.Context, out io.Writer, empty, refs, archives string) error {
	var sizes []int
	for _, dir := range []string{empty, refs, archives} {
		said, err := s.git(ctx, nil, dir, "receive-pack", "--advertise-refs", ".")
		if err != nil {
			return err
		}
		sizes = append(sizes, len(said))
	}
	_, err := fmt.Fprintf(out, "push %8d  a remote without records sends %d bytes, with refs %d, with archives %d: %d more than without\n",
		s.n, sizes[0], sizes[1], sizes[2], sizes[2]-sizes[0])
	return err
}

// leave weighs what is there as it is.
func (s *syncing) leave(context.Context, string) error { return nil }

// collect packs everything, and lets go of what nobody names.
func (s *syncing) collect(ctx context.Context, dir string) error {
	_, err := s.git(ctx, nil, dir, "gc", "-q", "--prune=now")
	return err
}

// loosen takes the objects out of their packs, and the refs out of their file, as single saves leave them.
func (s *syncing) loosen(ctx context.Context, dir string) error {
	packs, err := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack"))
	if err != nil {
		return err
	}
	for _, pack := range packs {
		aside := filepath.Join(dir, filepath.Base(pack))
		if err := os.Rename(pack, aside); err != nil {
			return err
		}
		// Writes the objects of a pack that lies aside as single files, and removes it.
		file, err := os.Open(aside)
		if err != nil {
			return err
		}
		_, err = s.git(ctx, file, dir, "unpack-objects", "-q")
		if err := errors.Join(err, file.Close(), os.Remove(aside)); err != nil {
			return err
		}
		if err := os.Remove(pack[:len(pack)-len(".pack")] + ".idx"); err != nil {
			return err
		}
	}
	text, err := s.git(ctx, nil, dir, "for-each-ref", "--format=%(objectname)%00%(refname)", "refs/ltm")
	if err != nil {
		return err
	}
	// Writes refs as single files in the place of the file of packed refs.
	for line := range strings.Lines(string(text)) {
		oid, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\x00")
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(oid+"\n"), 0o600); err != nil {
			return err
		}
	}
	return os.Remove(filepath.Join(dir, "packed-refs"))
}

// blocks is what the files below a folder take on the disk.
func blocks(dir string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return errors.New("this system does not tell what a file takes")
		}
		sum += stat.Blocks * 512
		return nil
	})
	return sum, err
}
