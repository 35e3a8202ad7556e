package git

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
)

// ancestryLimit is how many commits Ancestry looks at.
const ancestryLimit = 5000

// IsAncestor reports whether old is tip or lies in the history of tip. A commit that is not here is ErrMissing.
func (r *Repo) IsAncestor(ctx context.Context, old, tip string) (bool, error) {
	if !isObjectID(old) || !isObjectID(tip) {
		return false, fmt.Errorf("compare commits %q and %q: %w", old, tip, ErrMissing)
	}
	_, err := r.run.output(ctx, nil, "merge-base", "--is-ancestor", old, tip)
	switch exitCode(err) {
	case 0:
		return true, nil
	case 1:
		return false, nil
	case -1:
		return false, fmt.Errorf("compare commits: %w", err)
	}
	return false, fmt.Errorf("compare commits: %w: %w", ErrMissing, err)
}

// Ancestry returns, for each of the commits in the history of HEAD, how many steps from child to parent lie between
// them on the shortest way. It looks at the newest 5,000 commits only; commits that are further away, on other
// branches or not here at all are not in the answer.
func (r *Repo) Ancestry(ctx context.Context, commits []string) (map[string]int, error) {
	found := map[string]int{}
	wanted := map[string]bool{}
	for _, commit := range commits {
		if isObjectID(commit) {
			wanted[commit] = true
		}
	}
	if len(wanted) == 0 {
		return found, nil
	}
	head, err := r.Resolve(ctx)
	if err != nil || head.Commit == "" {
		return found, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := []string{"rev-list", "--parents", fmt.Sprintf("--max-count=%d", ancestryLimit), head.Commit, "--"}
	process, err := r.run.command(args...).Start(ctx, program.Stdout)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", runError(args, err))
	}
	if measure(process.Stdout, head.Commit, wanted, found) {
		cancel() // Everything is known, so git need not go on.
		_ = process.Wait()
		return found, nil
	}
	if err := runError(args, process.Wait()); err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return found, nil
}

// measure reads commits and their parents, children first, and notes the distances of those that are wanted. It
// reports whether all of them were seen.
func measure(history io.Reader, head string, wanted map[string]bool, found map[string]int) bool {
	distance := map[string]int{head: 0}
	lines := bufio.NewScanner(history)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		steps := distance[fields[0]]
		if wanted[fields[0]] {
			found[fields[0]] = steps
		}
		if len(found) == len(wanted) {
			return true
		}
		for _, parent := range fields[1:] {
			if known, ok := distance[parent]; !ok || steps+1 < known {
				distance[parent] = steps + 1
			}
		}
	}
	return false
}

// ChangedSince tells which of the paths (relative to the top of the work tree) differ between the commit and the
// work tree, or HEAD where there is no work tree. A commit that is not here is ErrMissing.
func (r *Repo) ChangedSince(ctx context.Context, commit string, paths []string) (map[string]bool, error) {
	changed := make(map[string]bool, len(paths))
	if !isObjectID(commit) {
		return nil, fmt.Errorf("compare with commit %q: %w", commit, ErrMissing)
	}
	if len(paths) == 0 {
		return changed, nil
	}
	args := []string{
		"--no-optional-locks", "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--ignore-submodules=dirty", commit,
	}
	if r.WorkTree == "" {
		args = append(args, "HEAD")
	}
	args = append(args, "--")
	for _, path := range paths {
		args = append(args, ":(top,literal)"+path)
	}
	out, err := r.run.output(ctx, nil, args...)
	if err != nil {
		if _, known := r.run.output(ctx, nil, "cat-file", "-e", commit+"^{commit}"); exitCode(known) > 0 {
			err = fmt.Errorf("%w: %w", ErrMissing, err)
		}
		return nil, fmt.Errorf("compare with commit %s: %w", commit, err)
	}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		noteChange(changed, paths, string(name))
	}
	return changed, nil
}

// noteChange marks the paths that are name or a directory above it.
func noteChange(changed map[string]bool, paths []string, name string) {
	for _, path := range paths {
		if name != "" && (name == path || strings.HasPrefix(name, strings.TrimSuffix(path, "/")+"/")) {
			changed[path] = true
		}
	}
}
