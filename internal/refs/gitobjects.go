package refs

import (
	"context"
	"errors"
	"sync"

	"github.com/git-ltm/git-ltm/internal/git"
)

// gitObjects asks the git program, which understands every repository.
type gitObjects struct {
	repo  *git.Repo
	mu    sync.Mutex
	batch *git.Batch
}

// open starts the reading process when it is needed first. It outlives the call that started it.
func (o *gitObjects) open(ctx context.Context) (*git.Batch, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.batch != nil {
		return o.batch, nil
	}
	batch, err := o.repo.Objects(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	o.batch = batch
	return batch, nil
}

// drop lets go of a process that has failed, so that the next question starts another.
func (o *gitObjects) drop(batch *git.Batch, err error) {
	_, large := errors.AsType[*TooLargeError](err)
	if err == nil || large || errors.Is(err, ErrMissing) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.batch == batch {
		o.batch = nil
		_ = batch.Close()
	}
}

// info implements objects.
func (o *gitObjects) info(ctx context.Context, oid string) (typ string, size int64, err error) {
	batch, err := o.open(ctx)
	if err != nil {
		return "", 0, err
	}
	defer func() { o.drop(batch, err) }()
	return batch.Info(oid)
}

// read implements objects.
func (o *gitObjects) read(ctx context.Context, oid string, limit int64) (typ string, data []byte, err error) {
	batch, err := o.open(ctx)
	if err != nil {
		return "", nil, err
	}
	defer func() { o.drop(batch, err) }()
	return batch.Read(oid, limit)
}

// write implements objects.
func (o *gitObjects) write(ctx context.Context, typ string, data []byte) (string, error) {
	return o.repo.WriteObject(ctx, typ, data)
}

// close implements objects.
func (o *gitObjects) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.batch == nil {
		return nil
	}
	err := o.batch.Close()
	o.batch = nil
	return err
}
