package refs

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// gitReader asks the git program for refs.
type gitReader struct {
	repo *git.Repo
}

// firstPage and pageGrowth bound what is listed in vain when only the first few refs are wanted.
const (
	firstPage  = 64
	pageGrowth = 64
)

// list implements reader. It asks for a few refs first and for more when they are wanted.
func (r *gitReader) list(ctx context.Context, prefix string, newest bool) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		last, loose := "", r.repo.RefFormat == "files" // Git does not say which are.
		for limit := firstPage; ; limit *= pageGrowth {
			refs, err := r.repo.Refs(ctx, []string{prefix}, git.ListOptions{Newest: newest, Limit: limit, NamesOnly: true})
			if err != nil {
				yield(entry{}, wrap("list refs below", prefix, err))
				return
			}
			full := len(refs) == limit
			for _, ref := range refs {
				seen := isListed(ref.Name, last, newest)
				if seen || ref.Symref != "" {
					continue
				}
				last = ref.Name
				if !yield(entry{ref: ref.Name, oid: ref.Object, loose: loose}, nil) {
					return
				}
			}
			if !full {
				return
			}
		}
	}
}

// isListed reports whether name stands at or before the last one that was listed; before the first there is no last.
func isListed(name, last string, newest bool) bool {
	return last != "" && (name == last || (name > last) == newest)
}

// archives implements reader.
func (r *gitReader) archives(ctx context.Context, remotes []string) ([]Archive, error) {
	prefixes := make([]string, len(remotes))
	for i, remote := range remotes {
		prefixes[i] = archivePrefix(remote)
	}
	refs, err := r.repo.Refs(ctx, prefixes, git.ListOptions{NamesOnly: true})
	if err != nil {
		return nil, wrap("list archives below", Root, err)
	}
	var found []Archive
	for i, remote := range remotes {
		first := len(found)
		for _, ref := range refs {
			if !strings.HasPrefix(ref.Name, prefixes[i]) || ref.Symref != "" {
				continue
			}
			if a, ok := archiveOf(entry{ref: ref.Name, oid: ref.Object}, remote); ok && len(found)-first < mostArchives {
				found = append(found, a)
			}
		}
	}
	return found, nil
}

// names implements reader.
func (r *gitReader) names(ctx context.Context, prefix, from string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		refs, err := r.repo.Refs(ctx, []string{prefix}, git.ListOptions{NamesOnly: true})
		if err != nil {
			yield("", wrap("list refs below", prefix, err))
			return
		}
		for _, ref := range refs {
			if ref.Name >= from && !yield(ref.Name, nil) {
				return
			}
		}
	}
}

// resolve implements reader.
func (r *gitReader) resolve(ctx context.Context, ref string) (string, error) {
	refs, err := r.repo.Refs(ctx, []string{ref}, git.ListOptions{NamesOnly: true})
	if err != nil {
		return "", wrap("read ref", ref, err)
	}
	for _, found := range refs {
		if found.Name == ref && found.Symref != "" {
			return "", wrap("read ref", ref, ErrCorrupt)
		}
		if found.Name == ref {
			return found.Object, nil
		}
	}
	return "", nil
}

// remotes implements reader.
func (r *gitReader) remotes(ctx context.Context) ([]string, error) {
	var found []string
	for name, err := range r.names(ctx, TrackingRoot, "") {
		if err != nil {
			return nil, err
		}
		remote, _, ok := ParseTracking(name)
		if !ok {
			remote, ok = parseTrackingArchive(name)
		}
		if ok && !slices.Contains(found, remote) {
			found = append(found, remote)
		}
	}
	slices.Sort(found)
	return found, nil
}
