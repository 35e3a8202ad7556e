package git

import (
	"context"
	"fmt"
	"strings"
)

// Remotes returns the names of the configured remotes.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.run.output(ctx, nil, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// LsRemote lists the refs of a remote that match the pattern. It asks the remote for its refs and changes nothing.
func (r *Repo) LsRemote(ctx context.Context, remote, pattern string) ([]Ref, error) {
	out, err := r.run.output(ctx, nil, "ls-remote", "-q", "--", remote, pattern)
	if err != nil {
		return nil, fmt.Errorf("list refs of remote %q: %w", remote, err)
	}
	var refs []Ref
	for line := range strings.Lines(string(out)) {
		oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || !isObjectID(oid) {
			return nil, fmt.Errorf("list refs of remote %q: git answered %q", remote, line)
		}
		tagged, isPeeled := strings.CutSuffix(name, "^{}")
		if last := len(refs) - 1; isPeeled && last >= 0 && refs[last].Name == tagged {
			refs[last].Peeled = oid
			continue
		}
		refs = append(refs, Ref{Name: name, Object: oid})
	}
	return refs, nil
}
