package remote_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
)

// smallDisk is a file system of its own, which can be filled.
type smallDisk struct {
	dir  string
	full atomic.Bool
}

// smallDiskSize is the size of a small disk: room for what a soak stores.
const smallDiskSize = "192m"

// mountSmall mounts a small disk, or returns nil where that is not allowed.
func mountSmall(t *testing.T, dir string) *smallDisk {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("soak", dir, "tmpfs", 0, "size="+smallDiskSize); err != nil {
		t.Logf("no small disk: %v", err)
		return nil
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return &smallDisk{dir: dir}
}

func (d *smallDisk) isFull() bool { return d.full.Load() }

func (d *smallDisk) filler() string { return filepath.Join(d.dir, ".git", "filler") }

// fill writes until no room is left.
func (d *smallDisk) fill() error {
	file, err := os.Create(d.filler())
	if err != nil {
		return err
	}
	for size := 1 << 20; size > 0; size /= 2 {
		for err == nil {
			_, err = file.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			return errors.Join(err, io.ErrShortWrite, file.Close())
		}
		err = nil
	}
	d.full.Store(true)
	return file.Close()
}

// free gives the room back.
func (d *smallDisk) free() error {
	d.full.Store(false)
	return os.Remove(d.filler())
}

// memoryOf is the most memory that a process had, in KB.
func memoryOf(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss
	}
	return 0
}
