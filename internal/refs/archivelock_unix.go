//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package refs

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock of a file, which the system gives back when this process ends, however it ends.
func tryLock(path string) (release func() error, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return file.Close, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		err = errLocked
	}
	return nil, errors.Join(err, file.Close())
}
