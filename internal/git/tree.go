package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// CommitOf returns the commit that a revision names, of the forms that [Repo.File] takes. One that is not here is ErrMissing.
func (r *Repo) CommitOf(ctx context.Context, revision string) (string, error) {
	base, err := r.strictly(ctx, revision)
	if err != nil {
		return "", fmt.Errorf("find revision %q: %w", revision, err)
	}
	out, err := r.run.output(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", base+"^{commit}")
	oid := strings.TrimSuffix(string(out), "\n")
	if exitCode(err) > 0 || err == nil && !isObjectID(oid) {
		return "", fmt.Errorf("find revision %q: %w", revision, ErrMissing)
	}
	if err != nil {
		return "", fmt.Errorf("find revision %q: %w", revision, err)
	}
	return oid, nil
}

// Files returns those of the named files that lie directly in a folder of a commit, by their names: each of at most limit
// bytes. The commit is a whole id. Links and folders are left out; no such folder is no file.
func (r *Repo) Files(ctx context.Context, commit, folder string, limit int64, names ...string) (files map[string][]byte, err error) {
	subject := commit + ":" + folder
	if !isObjectID(commit) || len(names) == 0 {
		return nil, fmt.Errorf("read %q: %w", subject, ErrMissing)
	}
	args := []string{"ls-tree", "-z", "--full-tree", commit, "--"}
	for _, name := range names {
		args = append(args, folder+"/"+name)
	}
	out, err := r.run.output(ctx, nil, args...)
	if exitCode(err) > 0 {
		return nil, fmt.Errorf("read %q: %w", subject, ErrMissing)
	}
	if err != nil || len(out) == 0 {
		return nil, err
	}
	objects, err := r.Objects(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", subject, err)
	}
	defer func() { err = errors.Join(err, objects.Close()) }()
	files = map[string][]byte{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		about, path, _ := strings.Cut(line, "\t")
		fields := strings.Fields(about)
		if len(fields) != 3 || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		_, data, err := objects.Read(fields[2], limit)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", commit+":"+path, err)
		}
		files[strings.TrimPrefix(path, folder+"/")] = data
	}
	return files, nil
}

// Changes returns the commits that changed something in a folder between two commits, oldest first, along the first
// parents. Both are whole ids, and the older has to be an ancestor of the newer.
func (r *Repo) Changes(ctx context.Context, older, newer, folder string) ([]string, error) {
	if !isObjectID(older) || !isObjectID(newer) {
		return nil, fmt.Errorf("list changes of %q: %w", folder, ErrMissing)
	}
	out, err := r.run.output(ctx, nil, "rev-list", "--first-parent", "--reverse", older+".."+newer, "--", ":(top)"+folder)
	if err != nil {
		return nil, fmt.Errorf("list changes of %q: %w", folder, err)
	}
	return strings.Fields(string(out)), nil
}

// Parent returns the first parent of a commit, or nothing where it has none.
func (r *Repo) Parent(ctx context.Context, commit string) (string, error) {
	if !isObjectID(commit) {
		return "", fmt.Errorf("find parent of %q: %w", commit, ErrMissing)
	}
	out, err := r.run.output(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", commit+"^1")
	if exitCode(err) > 0 {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
