// Package index finds items of records by their words.
//
// It keeps an SQLite database beside a repository, with one row of a full-text table for each item of a record, and beside
// it what ranking and filters need. The package promises that a search gives the same hits in the same order whatever the
// order in which records came in, that no text is an error as a query, that what is taken out leaves no byte in the
// database or beside it, and that a database that is damaged or was written by another version is made anew: all it holds
// comes from the records. It never decides whether a record may be shown, never reads a record itself and never changes
// one.
package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
)

// The errors that a caller has to tell apart.
var (
	// ErrUnusable says that the database can be neither read nor made. What Memory returns works without it.
	ErrUnusable = errors.New("index cannot be used here")
	// ErrDamaged says that the database was damaged, and that it has been taken away. After a Sync it is whole again.
	ErrDamaged = errors.New("index was damaged")
	// ErrReadOnly says that the database can be read and not written.
	ErrReadOnly = errors.New("index cannot be written")
)

// Options say where an index lies.
type Options struct {
	File local.File // File is required: the database, by its full path. A lock is kept beside it.
	// Patience is how long a Sync waits for that of another process; one second where it is not given.
	Patience time.Duration
}

// Index is one database. It may be used by several goroutines.
type Index struct {
	place    local.File
	path     string // path is "" for one in memory.
	patience time.Duration
	readOnly bool

	mu   sync.Mutex  // mu guards what follows.
	db   *sql.DB     // db is nil after the file was taken away.
	file fs.FileInfo // file tells whether the path still names the file that is open.
}

// Open opens the index, and makes an empty one where there is none, or one that is damaged or of another version. Where there is a
// file of traits, that waits until the database is asked.
func Open(ctx context.Context, o Options) (*Index, error) {
	path := o.File.Path()
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("open index %q: not a full path", path)
	}
	x := &Index{place: o.File, path: path, patience: o.Patience}
	if x.patience <= 0 {
		x.patience = time.Second
	}
	if x.traits().File.Exists() {
		return x, nil
	}
	if _, err := x.open(ctx); err != nil {
		return nil, fmt.Errorf("open index %q: %w", path, err)
	}
	return x, nil
}

// ReadOnly tells that the index can be searched and not brought up to date.
func (x *Index) ReadOnly() bool { return x.readOnly }

// Close closes the database. Whoever uses the index afterwards opens it again, unless it lies in memory.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.shut()
}

// shut closes what is open. The caller holds mu.
func (x *Index) shut() error {
	if x.db == nil {
		return nil
	}
	db := x.db
	x.db = nil
	return db.Close()
}

// open returns the database, opened again where another process has put another file in its place.
func (x *Index) open(ctx context.Context) (*sql.DB, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.db != nil && x.inPlace() {
		return x.db, nil
	}
	if x.path == "" {
		return nil, ErrUnusable // One in memory is gone when it is closed.
	}
	if err := x.shut(); err != nil {
		return nil, err
	}
	err := x.connect(ctx)
	if errors.Is(err, errUnfit) {
		err = x.renew(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, x.shut())
	}
	return x.db, nil
}

// inPlace reports whether the path names the file that is open.
func (x *Index) inPlace() bool {
	if x.path == "" {
		return true
	}
	info, err := os.Lstat(x.path)
	return err == nil && os.SameFile(info, x.file)
}

// do runs something that reads, as of one moment, and takes a damaged database away.
func (x *Index) do(ctx context.Context, step string, read func(*sql.Conn) error) error {
	db, err := x.open(ctx)
	if err == nil {
		err = atOnce(ctx, db, read)
	}
	if damaged(err) {
		err = errors.Join(ErrDamaged, err, x.discard(ctx))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", step, err)
	}
	return nil
}

// atOnce reads in one transaction: what others take out meanwhile is there until its end.
func atOnce(ctx context.Context, db *sql.DB, read func(*sql.Conn) error) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	err = read(conn)
	_, ended := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	return errors.Join(err, ended)
}

// Stamp is the stamp of the refs that the index was last brought up to, "" where it never was.
func (x *Index) Stamp(ctx context.Context) string {
	var stamp string
	err := x.do(ctx, "read stamp of index", func(db *sql.Conn) error {
		return db.QueryRowContext(ctx, "SELECT stamp FROM state").Scan(&stamp)
	})
	if err != nil {
		return ""
	}
	return stamp
}
