package refs

import (
	"context"
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

// info implements objects.
func (o *gitObjects) info(ctx context.Context, oid string) (string, int64, error) {
	batch, err := o.open(ctx)
	if err != nil {
		return "", 0, err
	}
	return batch.Info(oid)
}

// read implements objects.
func (o *gitObjects) read(ctx context.Context, oid string, limit int64) (string, []byte, error) {
	batch, err := o.open(ctx)
	if err != nil {
		return "", nil, err
	}
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
