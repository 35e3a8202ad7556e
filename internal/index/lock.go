package index

import (
	"errors"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/git-ltm/git-ltm/internal/local"
)

// busy tells by its kind that a lock is held.
func busy(err error) error {
	if fault, ok := errors.AsType[*sqlite.Error](err); ok && fault.Code()&0xff == codes.SQLITE_BUSY {
		return local.ErrLocked
	}
	return err
}
