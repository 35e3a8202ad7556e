package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// CommitTime returns when the commit was made that a revision names. One that is not here is ErrMissing.
func (r *Repo) CommitTime(ctx context.Context, revision string) (time.Time, error) {
	out, err := r.run.output(ctx, nil, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	if exitCode(err) > 0 || strings.HasPrefix(revision, "-") {
		return time.Time{}, fmt.Errorf("find commit %q: %w", revision, ErrMissing)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("find commit %q: %w", revision, err)
	}
	commit := strings.TrimSuffix(string(out), "\n")
	out, err = r.run.output(ctx, nil, "show", "--no-patch", "--format=%ct", commit, "--")
	if err != nil {
		return time.Time{}, fmt.Errorf("read time of commit %s: %w", commit, err)
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read time of commit %s: git answered %q", commit, out)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
