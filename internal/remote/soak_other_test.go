//go:build !linux

package remote_test

import (
	"os"
	"testing"
)

// smallDisk is a file system of its own, which nothing mounts here.
type smallDisk struct{}

func mountSmall(*testing.T, string) *smallDisk { return nil }

func (d *smallDisk) isFull() bool { return false }

func (d *smallDisk) fill() error { return nil }

func (d *smallDisk) free() error { return nil }

// memoryOf is unknown here.
func memoryOf(*os.ProcessState) int64 { return 0 }
