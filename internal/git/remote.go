package git

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// Remotes returns the names of the configured remotes.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.run.output(ctx, nil, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// LsRemote lists the refs of a remote that match the pattern. It asks the remote for its refs and changes nothing. A remote
// that cannot be asked is an error; only one that answered is empty. Names with characters that no ref may have are left
// out, and so are names in which the pattern, where it begins with refs/, fits an end only.
func (r *Repo) LsRemote(ctx context.Context, remote, pattern string) ([]Ref, error) {
	run, args := r.outward(), []string{"ls-remote", "--quiet", "--", remote, pattern}
	out, err := run.output(ctx, nil, args...)
	if err == nil && len(out) == 0 {
		// For git an answer over http that was cut within its head is an empty one. So nothing is believed only twice.
		out, err = run.output(ctx, nil, args...)
	}
	if err != nil {
		return nil, fmt.Errorf("list refs of remote %q: %w", remote, err)
	}
	prefix := ""
	if strings.HasPrefix(pattern, "refs/") {
		prefix = pattern[:globAt(pattern)]
	}
	refs := make([]Ref, 0, bytes.Count(out, []byte("\n")))
	for line := range strings.Lines(string(out)) {
		oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || !isObjectID(oid) || !strings.HasPrefix(name, prefix) {
			continue
		}
		tagged, isPeeled := strings.CutSuffix(name, "^{}")
		if last := len(refs) - 1; isPeeled && last >= 0 && refs[last].Name == tagged {
			refs[last].Peeled = oid
		} else if name == "HEAD" || fullName(name) {
			refs = append(refs, Ref{Name: name, Object: oid})
		}
	}
	trace.Refs.Add(len(refs))
	return refs, nil
}

// globAt returns where a pattern stops being a plain name.
func globAt(pattern string) int {
	if at := strings.IndexAny(pattern, "*?[\\"); at >= 0 {
		return at
	}
	return len(pattern)
}

// RemoteURL returns the address that a fetch from a remote would use, rewritten as git rewrites it.
func (r *Repo) RemoteURL(ctx context.Context, remote string) (string, error) {
	out, err := r.run.output(ctx, nil, "remote", "get-url", "--", remote)
	if err != nil {
		return "", fmt.Errorf("find the address of remote %q: %w", remote, err)
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return first, nil
}

// Places returns every address that a remote has, rewritten as git rewrites it: the one that a fetch would use, and those that
// a push would go to. Each stands there once.
func (r *Repo) Places(ctx context.Context, remote string) ([]string, error) {
	fetched, err := r.RemoteURL(ctx, remote)
	if err != nil {
		return nil, err
	}
	out, err := r.run.output(ctx, nil, "remote", "get-url", "--push", "--all", "--", remote)
	if err != nil {
		return nil, fmt.Errorf("find the addresses of remote %q: %w", remote, err)
	}
	places := []string{fetched}
	for line := range strings.Lines(string(out)) {
		if place := strings.TrimSuffix(line, "\n"); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places, nil
}
