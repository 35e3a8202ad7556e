package remote

import (
	"errors"
	"io"
	"os"

	"github.com/git-ltm/git-ltm/internal/git"
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
	head, err := io.ReadAll(io.LimitReader(file, int64(len("# v2 git bundle\n"))))
	return string(head) == "# v2 git bundle\n" || string(head) == "# v3 git bundle\n", err
}

// WithBundle returns an environment in which git knows a bundle at an absolute path as a remote, and how that is
// called. The nonce is random.
func WithBundle(env []string, path, nonce string) (name string, with []string) {
	name = bundlePrefix + nonce
	return name, git.WithRemote(env, name, path)
}
