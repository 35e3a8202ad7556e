package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// Ref is a ref and what it points to.
type Ref struct {
	Name   string // Name is the full name.
	Object string // Object is what the ref holds.
	Peeled string // Peeled is the object behind a tag object of a remote, "" for anything else.
	Symref string // Symref is the ref that this one stands for, "" for an ordinary ref.
}

// Refs lists the refs that one of some patterns names, in rising order of the names: a name, what lies below
// one, or a glob. No object is opened; a broken ref is left out.
func (r *Repo) Refs(ctx context.Context, patterns ...string) ([]Ref, error) {
	out, err := r.run.readOutput(ctx, nil, append([]string{
		"for-each-ref", "--format=%(refname)%00%(objectname)%00%(symref)", "--",
	}, patterns...)...)
	if err != nil {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	var refs []Ref
	for line := range strings.Lines(string(out)) { // A name cannot hold a line break.
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) == 3 {
			refs = append(refs, Ref{Name: fields[0], Object: fields[1], Symref: fields[2]})
		}
	}
	trace.Refs.Add(len(refs))
	return refs, nil
}

// RemoteList is the answer of a remote that was asked for its refs.
type RemoteList struct {
	Sum    string // that of equal answers is the same
	text   string
	prefix string // of the names that count
}

// LsRemote lists the refs of a remote as [RemoteList.Refs] does.
func (r *Repo) LsRemote(ctx context.Context, remote, pattern string) ([]Ref, error) {
	answer, err := r.ListRemote(ctx, remote, pattern, 0)
	list := answer.Refs()
	refs := make([]Ref, 0, list.Len())
	for name, object := range list.All() {
		refs = append(refs, Ref{Name: name, Object: object, Peeled: list.Peeled(name)})
	}
	return refs, err
}

// ListRemote asks a remote for its refs that match the pattern, and changes nothing. A remote that cannot be
// asked is an error; only one that answered is empty. About is how many bytes may be expected.
func (r *Repo) ListRemote(ctx context.Context, remote, pattern string, about int) (RemoteList, error) {
	var text strings.Builder
	text.Grow(about)
	sum := sha256.New()
	args := []string{"ls-remote", "--quiet", "--", remote, pattern}
	err := r.remoteRunner().runInto(ctx, io.MultiWriter(sum, &text), args...)
	if err == nil && text.Len() == 0 {
		// For git an answer over http that was cut within its head is an empty one. So nothing is believed
		// only twice.
		err = r.remoteRunner().runInto(ctx, io.MultiWriter(sum, &text), args...)
	}
	if err != nil {
		return RemoteList{}, fmt.Errorf("list refs of remote %q: %w", remote, err)
	}
	list := RemoteList{Sum: hex.EncodeToString(sum.Sum(nil)), text: text.String()}
	if strings.HasPrefix(pattern, "refs/") {
		list.prefix = pattern
		if at := strings.IndexAny(pattern, "*?[\\"); at >= 0 {
			list.prefix = pattern[:at]
		}
	}
	return list, nil
}

// Refs are the refs of the list. Names with characters that no ref may have are left out, and so are names in
// which the pattern, where it begins with refs/, fits an end only.
func (l RemoteList) Refs() RefList {
	list := ReadRefList(l.text, func(name, _ string) bool {
		return strings.HasPrefix(name, l.prefix) && (name == "HEAD" || fullName(name))
	})
	trace.Refs.Add(list.Len())
	return list
}
