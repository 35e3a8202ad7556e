package git

import (
	"context"
	"fmt"
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

	// Parts are names of which one stands between slashes, or behind the last one, below a prefix that ends in a slash. They hold
	// letters and digits alone. Nil lists any.
	Parts []string
}

const (
	nameFormat = "--format=%(refname)%00%(objectname)%00%(symref)"
	fullFormat = nameFormat + "%00%(objecttype)%00%(*objectname)"
)

// Refs lists the refs that are one of the prefixes or lie below one. A ref whose object is missing has no Type; a
// broken ref is left out.
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
		prefixes = patterns(prefixes, opts.Parts)
	}
	args = append(args, "--")
	out, err := r.run.output(ctx, nil, append(args, prefixes...)...)
	if err != nil && !opts.NamesOnly && exitCode(err) > 0 {
		return r.refsOneByOne(ctx, prefixes, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	return parseRefs(string(out)), nil
}

// patterns are those of git for the refs below prefixes with one of some parts.
func patterns(prefixes, parts []string) []string {
	all := make([]string, 0, 2*len(prefixes)*len(parts))
	for _, prefix := range prefixes {
		for _, part := range parts {
			all = append(all, prefix+"**/"+part, prefix+"**/"+part+"/**")
		}
	}
	return all
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
func (r *Repo) refsOneByOne(ctx context.Context, prefixes []string, opts ListOptions) (refs []Ref, err error) {
	opts.NamesOnly = true
	if refs, err = r.Refs(ctx, prefixes, opts); err != nil {
		return nil, err
	}
	var ask strings.Builder
	for _, ref := range refs {
		fmt.Fprintf(&ask, "%s\n%s^{}\n", ref.Object, ref.Object)
	}
	out, err := r.run.output(ctx, strings.NewReader(ask.String()), "cat-file", "--batch-check=%(objectname) %(objecttype)")
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
