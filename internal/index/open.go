package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/git-ltm/git-ltm/internal/local"
)

// errUnfit says that the file is missing, empty, damaged or of another version, so that it has to be made.
var errUnfit = errors.New("not an index of this version")

// errDecode says that what the database holds cannot be read as what it ought to be.
var errDecode = errors.New("a row does not have its form")

// wait is how long a statement waits for the commit of another process, in milliseconds.
const wait = "3000"

// memoryName is the name under which SQLite keeps a database in memory.
const memoryName = ":memory:"

// connect opens the file as it is. The caller holds mu.
func (x *Index) connect(ctx context.Context) error {
	if err := x.shut(); err != nil {
		return err
	}
	info, err := os.Lstat(x.path)
	if errors.Is(err, fs.ErrNotExist) {
		return errUnfit
	}
	if err != nil {
		return errors.Join(ErrUnusable, err)
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return errUnfit
	}
	mode := readWrite
	if x.readOnly = !writable(x.path); x.readOnly {
		mode = readOnly
	}
	x.file = info
	x.db, err = dial(x.path, mode)
	if err != nil {
		return errors.Join(ErrUnusable, err)
	}
	var found int
	err = x.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&found)
	switch {
	case err == nil && found == version:
		return nil
	case err == nil || damaged(err):
		return errUnfit
	default:
		return errors.Join(ErrUnusable, err)
	}
}

// writable reports whether the file and its directory can be written: SQLite keeps a journal beside the file.
func writable(path string) bool {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	if file.Close() != nil {
		return false
	}
	return writableDir(filepath.Dir(path))
}

// access is what a database is opened for.
type access string

const (
	readWrite access = "rw"
	readOnly  access = "ro"
)

// dial names a database to the driver. Nothing is read before the first statement.
func dial(path string, mode access) (*sql.DB, error) {
	db, err := sql.Open("sqlite", address(path, mode))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// address is the name of a database for the driver. A journal that is deleted after each commit suits many short
// processes that only read, and a disk that cannot be written.
func address(path string, mode access) string {
	if path == memoryName {
		return memoryName + "?_pragma=temp_store(2)"
	}
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	query := "mode=" + string(mode) + "&_busy_timeout=" + wait + "&_pragma=temp_store(2)&_pragma=secure_delete(1)&_pragma=synchronous(1)"
	return (&url.URL{Scheme: "file", Path: name, RawQuery: query}).String()
}

// renew makes an empty database in the place of an unfit one. The caller holds mu.
func (x *Index) renew(ctx context.Context) error {
	for range makingTries {
		release, err := x.place.With(".lock").Lock(ctx, makingWait)
		// Another process may have made it meanwhile, and be writing it now.
		if fit := x.connect(ctx); !errors.Is(fit, errUnfit) {
			return errors.Join(fit, released(release))
		}
		if errors.Is(err, local.ErrLocked) {
			continue
		}
		if err == nil {
			err = errors.Join(x.shut(), x.remove())
		}
		if err == nil {
			err = x.create(ctx)
		}
		if err != nil {
			err = errors.Join(ErrUnusable, err)
		}
		return errors.Join(err, released(release))
	}
	return errors.Join(ErrUnusable, local.ErrLocked)
}

// An empty database that another process makes is waited for in short steps, each with a look at what is there.
const (
	makingTries = 50
	makingWait  = 100 * time.Millisecond
)

// longPatience is how long the lock is waited for by who takes a damaged database away.
const longPatience = 5 * time.Second

// released gives a lock back that may not be held.
func released(release func() error) error {
	if release == nil {
		return nil
	}
	return release()
}

// create makes an empty database where there is no file. The caller holds the lock.
func (x *Index) create(ctx context.Context) error {
	file, err := x.place.Open(os.O_CREATE | os.O_RDWR)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return errors.Join(ErrUnusable, err)
	}
	db, err := dial(x.path, readWrite)
	if err == nil {
		err = errors.Join(build(ctx, db), db.Close())
	}
	if err != nil {
		return errors.Join(ErrUnusable, err)
	}
	return x.connect(ctx)
}

// build makes the tables in one transaction.
func build(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("BEGIN IMMEDIATE;%sPRAGMA user_version = %d;COMMIT;", schema, version))
	if err != nil {
		return fmt.Errorf("make tables: %w", err)
	}
	return nil
}

// discard takes a damaged database away, unless another process has done so.
func (x *Index) discard(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.path == "" || x.readOnly {
		return ErrUnusable
	}
	release, err := x.place.With(".lock").Lock(ctx, longPatience)
	if err != nil {
		return err
	}
	defer func() { _ = release() }() // The lock ends with the process at the latest.
	return x.drop()
}

// drop removes the file that is open, where it is still in its place. The caller holds mu and the lock.
func (x *Index) drop() error {
	mine := x.inPlace()
	if err := x.shut(); err != nil || !mine {
		return err
	}
	return x.remove()
}

// remove takes the database away with its journal: the journal of one file must never be played back into another.
func (x *Index) remove() error {
	for _, path := range []string{x.path, x.path + "-journal", x.path + "-wal", x.path + "-shm", x.traits().File.Path()} {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// damaged reports whether an error says that the file is not a sound database of ours.
func damaged(err error) bool {
	for _, sign := range []error{errDecode, sql.ErrNoRows, strconv.ErrSyntax, strconv.ErrRange} {
		if errors.Is(err, sign) {
			return true
		}
	}
	fault, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch fault.Code() & 0xff {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_ERROR, codes.SQLITE_CONSTRAINT, codes.SQLITE_MISMATCH, codes.SQLITE_FORMAT:
		return true
	default:
		return false
	}
}

// noRoom reports whether an error says that a disk takes no more. The database is then what it was
// before.
func noRoom(err error) bool {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return true
	}
	fault, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch fault.Code() & 0xff {
	case codes.SQLITE_FULL, codes.SQLITE_IOERR, codes.SQLITE_CANTOPEN, codes.SQLITE_READONLY:
		return true
	default:
		return false
	}
}
