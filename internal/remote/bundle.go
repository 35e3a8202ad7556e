package remote

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// bundlePrefix is what the names of remotes begin with that are bundles for as long as one import.
const bundlePrefix = "bundle-"

// IsBundle tells whether a file is one that git bundle wrote.
func IsBundle(path string) (is bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	head := make([]byte, len("# v2 git bundle\n"))
	if _, err := io.ReadFull(file, head); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		return false, err
	}
	return string(head) == "# v2 git bundle\n" || string(head) == "# v3 git bundle\n", nil
}

// Bundle is a bundle that git knows as a remote while it is imported.
type Bundle struct {
	Name string   // the remote
	Env  []string // the environment in which git knows it, for the memory that imports it
}

// NewBundle names a bundle at an absolute path. The nonce is random.
func NewBundle(env []string, path, nonce string) Bundle {
	name := bundlePrefix + nonce
	return Bundle{Name: name, Env: git.WithRemote(env, name, path)}
}

// Import takes what a bundle holds, as a pull does. The memory was opened in its environment.
func (b Bundle) Import(ctx context.Context, m *memory.Memory, request Request) (Outcome, error) {
	request.Remote, request.Way = b.Name, Pull
	return Sync(ctx, m, request)
}
