package git

import (
	"context"
	"errors"
	"fmt"
)

// Verified is what git says of the signature of a tag object.
type Verified struct {
	OK     bool   // git accepts it: the exit code is 0
	Status string // the end of what git printed: for OpenPGP and x509 the lines of --status-fd
}

// statusLimit is more than a program says of one signature. What is cut could be the line that takes a key
// back.
const statusLimit = 64 << 10

// VerifyTag asks git whether the signature of a tag object is good. Where signers is not empty, that file of
// allowed signers counts instead of the configured one. A tag that git does not accept is no error, and
// neither is one that is not here.
func (r *Repo) VerifyTag(ctx context.Context, oid, signers string) (Verified, error) {
	if !IsObjectID(oid) {
		return Verified{}, fmt.Errorf("verify tag %q: %w", oid, ErrMissing)
	}
	args := []string{"verify-tag", "--raw", oid}
	if signers != "" {
		args = append([]string{"-c", "gpg.ssh.allowedSignersFile=" + signers}, args...)
	}
	cmd := r.run.newCommand(args...)
	cmd.Tail = statusLimit
	done, err := cmd.Run(ctx)
	err = runError(args, err)
	// The program that verifies may be missing, or end before it has read the tag; then a signal ends git.
	exit, ended := errors.AsType[*ExitError](err)
	if err != nil && (!ended || exit.Code != 1 && exit.Code != -1) {
		return Verified{}, fmt.Errorf("verify tag %q: %w", oid, err)
	}
	return Verified{OK: err == nil, Status: done.Stderr}, nil
}
