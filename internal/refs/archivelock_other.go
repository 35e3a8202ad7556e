//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package refs

import (
	"errors"
	"os"
)

// tryLock makes a file that must not be there. One that is older than an hour was left by a process that died.
func tryLock(path string) (release func() error, err error) {
	file, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	return func() error { return errors.Join(file.Close(), os.Remove(path)) }, nil
}
