package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrBundle says that a remote is a file, to which git cannot push.
var ErrBundle = errors.New("it is a bundle file, which takes nothing")

// takesNothing says why a push failed, where the remote is a bundle file.
func (x *exchange) takesNothing(ctx context.Context, failed error) error {
	address, err := x.repo.RemoteURL(ctx, x.request.Remote)
	if err != nil {
		return failed
	}
	if !filepath.IsAbs(address) {
		address = filepath.Join(x.repo.WorkTree, address) // Git looks from there; with no work tree, from where it was called.
	}
	if info, err := os.Stat(address); err != nil || !info.Mode().IsRegular() {
		return failed
	}
	return fmt.Errorf("push to %q: %w", x.request.Remote, ErrBundle)
}
