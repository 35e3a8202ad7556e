package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// Ref is a ref and what it points to.
type Ref struct {
	Name   string // Name is the full name.
	Object string // Object is what the ref holds.
	Peeled string // Peeled is the object behind a tag object, "" for anything else.
	Type   string // Type is the type of Object, "" where it was not asked for or the object is missing.
	Symref string // Symref is the ref that this one stands for, "" for an ordinary ref.
}

// ListOptions narrow a listing.
type ListOptions struct {
	Newest    bool // Newest lists in falling order of the names.
	Limit     int  // Limit is how many refs are listed at most; 0 is all.
	NamesOnly bool // NamesOnly leaves Peeled and Type empty and opens no object.

	// Parts are names of which one stands between slashes, or behind the last one, below a prefix that ends
	// in a slash. They hold letters and digits alone. Nil lists any.
	Parts []string
}

const (
	nameFormat = "--format=%(refname)%00%(objectname)%00%(symref)"
	fullFormat = nameFormat + "%00%(objecttype)%00%(*objectname)"
)

// Refs lists the refs that are one of the prefixes or lie below one. A ref whose object is missing has no
// Type; a broken ref is left out.
func (r *Repo) Refs(ctx context.Context, prefixes []string, opts ListOptions) ([]Ref, error) {
	args := []string{"for-each-ref", fullFormat}
	if opts.NamesOnly {
		args[1] = nameFormat
	}
	if opts.Newest {
		args = append(args, "--sort=-refname")
	}
	if opts.Limit > 0 {
		args = append(args, "--count="+strconv.Itoa(opts.Limit))
	}
	if opts.Parts != nil {
		// These are those of git for the refs below prefixes with one of some parts.
		all := make([]string, 0, 2*len(prefixes)*len(opts.Parts))
		for _, prefix := range prefixes {
			for _, part := range opts.Parts {
				all = append(all, prefix+"**/"+part, prefix+"**/"+part+"/**")
			}
		}
		prefixes = all
	}
	args = append(args, "--")
	out, err := r.run.readOutput(ctx, nil, append(args, prefixes...)...)
	if err != nil && !opts.NamesOnly && exitCode(err) > 0 {
		return r.refsOneByOne(ctx, prefixes, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	return parseRefs(string(out)), nil
}

// parseRefs reads one ref a line; a name cannot hold a line break.
func parseRefs(text string) []Ref {
	var refs []Ref
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) < 3 {
			continue
		}
		ref := Ref{Name: fields[0], Object: fields[1], Symref: fields[2]}
		if len(fields) == 5 {
			ref.Type, ref.Peeled = fields[3], fields[4]
		}
		refs = append(refs, ref)
	}
	trace.Refs.Add(len(refs))
	return refs
}

// refsOneByOne asks for each object on its own, because git gives up a listing at the first missing object.
func (r *Repo) refsOneByOne(ctx context.Context, prefixes []string,
	opts ListOptions,
) (refs []Ref, err error) {
	opts.NamesOnly = true
	if refs, err = r.Refs(ctx, prefixes, opts); err != nil {
		return nil, err
	}
	var ask strings.Builder
	for _, ref := range refs {
		fmt.Fprintf(&ask, "%s\n%s^{}\n", ref.Object, ref.Object)
	}
	out, err := r.run.readOutput(ctx, strings.NewReader(ask.String()), "cat-file",
		"--batch-check=%(objectname) %(objecttype)")
	if err != nil {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	answers := strings.Split(string(out), "\n")
	for i := range refs {
		if len(answers) <= 2*i+1 {
			break
		}
		refs[i].Type, refs[i].Peeled = typeAndPeeled(answers[2*i], answers[2*i+1])
	}
	return refs, nil
}

// typeAndPeeled reads the answers about an object and about what is behind it.
func typeAndPeeled(object, behind string) (typ, peeled string) {
	name, typ, _ := strings.Cut(object, " ")
	if !isObjectID(name) || typ == "missing" {
		return "", ""
	}
	target, kind, _ := strings.Cut(behind, " ")
	if typ != "tag" || !isObjectID(target) || kind == "missing" {
		return typ, ""
	}
	return typ, target
}

// Remotes returns the names of the configured remotes.
func (r *Repo) Remotes(ctx context.Context) ([]string, error) {
	out, err := r.run.readOutput(ctx, nil, "remote")
	if err != nil {
		return nil, fmt.Errorf("list remotes: %w", err)
	}
	return strings.Fields(string(out)), nil
}

// RemoteList is the answer of a remote that was asked for its refs.
type RemoteList struct {
	text   string
	prefix string // of the names that count
}

// LsRemote lists the refs of a remote as [RemoteList.Refs] does.
func (r *Repo) LsRemote(ctx context.Context, remote, pattern string) ([]Ref, error) {
	list, err := r.ListRemote(ctx, remote, pattern)
	return list.Refs(), err
}

// ListRemote asks a remote for its refs that match the pattern, and changes nothing. A remote that cannot be
// asked is an error; only one that answered is empty.
func (r *Repo) ListRemote(ctx context.Context, remote, pattern string) (RemoteList, error) {
	run, args := r.remoteRunner(), []string{"ls-remote", "--quiet", "--", remote, pattern}
	out, err := run.readOutput(ctx, nil, args...)
	if err == nil && len(out) == 0 {
		// For git an answer over http that was cut within its head is an empty one. So nothing is believed
		// only twice.
		out, err = run.readOutput(ctx, nil, args...)
	}
	if err != nil {
		return RemoteList{}, fmt.Errorf("list refs of remote %q: %w", remote, err)
	}
	list := RemoteList{text: string(out)}
	if strings.HasPrefix(pattern, "refs/") {
		list.prefix = pattern[:globAt(pattern)]
	}
	return list, nil
}

// Sum tells lists from each other: that of equal answers is the same.
func (l RemoteList) Sum() string {
	sum := sha256.Sum256([]byte(l.text))
	return hex.EncodeToString(sum[:])
}

// Refs are the refs of the list. Names with characters that no ref may have are left out, and so are names in
// which the pattern, where it begins with refs/, fits an end only.
func (l RemoteList) Refs() []Ref {
	refs := make([]Ref, 0, strings.Count(l.text, "\n"))
	for line := range strings.Lines(l.text) {
		oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || !isObjectID(oid) || !strings.HasPrefix(name, l.prefix) {
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
	return refs
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
	out, err := r.run.readOutput(ctx, nil, "remote", "get-url", "--", remote)
	if err != nil {
		return "", fmt.Errorf("find the address of remote %q: %w", remote, err)
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return first, nil
}

// Places returns every address that a remote has, rewritten as git rewrites it: the one that a fetch would
// use, and those that a push would go to. Each stands there once.
func (r *Repo) Places(ctx context.Context, remote string) ([]string, error) {
	fetched, err := r.RemoteURL(ctx, remote)
	if err != nil {
		return nil, err
	}
	out, err := r.run.readOutput(ctx, nil, "remote", "get-url", "--push", "--all", "--", remote)
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
