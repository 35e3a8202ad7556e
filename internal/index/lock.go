package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// errLocked says that another process writes the index.
var errLocked = errors.New("another process writes the index")

// lock takes the lock of all who write: a transaction on an empty database beside the index. It ends with the process that
// holds it, on every system.
func (x *Index) lock(ctx context.Context, patience time.Duration) (release func() error, err error) {
	path := x.path + ".lock"
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, err
	}
	db, err := dial(path, readWrite)
	if err != nil {
		return nil, err
	}
	for _, step := range []string{fmt.Sprintf("PRAGMA busy_timeout = %d", patience.Milliseconds()), "BEGIN EXCLUSIVE"} {
		if _, err := db.ExecContext(ctx, step); err != nil {
			return nil, errors.Join(busy(err), db.Close())
		}
	}
	return db.Close, nil
}

// busy tells by its kind that a lock is held.
func busy(err error) error {
	if fault, ok := errors.AsType[*sqlite.Error](err); ok && fault.Code()&0xff == codes.SQLITE_BUSY {
		return errLocked
	}
	return err
}
