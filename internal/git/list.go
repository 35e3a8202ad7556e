package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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

// steps are what may stand behind a name: a walk to parents, or through tags. What searches texts or logs may
// not.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var steps = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([~^][0-9]*|\^\{(commit|tree|tag|object)?\})*$`)
})

// resolveStrictly returns the object that a revision names, with the steps behind it, in a form that git
// takes for nothing else. Git itself lets a tag go before a branch of the same short name, so that whoever
// may push the tag would decide what the name means. Here a name is a whole id, a full name, or one that fits
// exactly one ref.
func (r *Repo) resolveStrictly(ctx context.Context, revision string) (string, error) {
	name, behind := revision, ""
	if i := strings.IndexAny(revision, "~^"); i >= 0 {
		name, behind = revision[:i], revision[i:]
	}
	if name == "" || strings.ContainsAny(name, "*?[\\: ") || strings.Contains(name, "@{") ||
		strings.Contains(name, "..") || !steps().MatchString(behind) {
		return "", fmt.Errorf(
			"%q names no revision that always means the same; write the full name of a ref, or a whole id",
			revision)
	}
	if isObjectID(name) && len(name) == r.idLength() {
		return revision, nil
	}
	object, err := r.readRef(ctx, name)
	return object + behind, err
}

// idLength is how many digits the id of an object has.
func (r *Repo) idLength() int {
	if r.ObjectFormat == "sha256" {
		return 64
	}
	return 40
}

// PlainHeadError is a ref refs/remotes/X/HEAD that points to no branch of X. A fetch makes a plain ref of
// that name out of a branch HEAD of the remote, which anybody who may push can make.
type PlainHeadError struct {
	Ref    string
	Remote string
}

func (e *PlainHeadError) Error() string {
	return fmt.Sprintf("%s is no symbolic ref to a branch of %s: a branch called HEAD on the remote "+
		"decides nothing", e.Ref, e.Remote)
}

// DefaultBranch returns what refs/remotes/X/HEAD points to, by its full name; any other name is returned as
// it is.
func (r *Repo) DefaultBranch(ctx context.Context, name string) (string, error) {
	folder, isHead := strings.CutSuffix(name, "/HEAD")
	remote, isTracked := strings.CutPrefix(folder, "refs/remotes/")
	if !isHead || !isTracked {
		return name, nil
	}
	out, err := r.run.readOutput(ctx, nil, "symbolic-ref", "--quiet", "--", name)
	if err != nil && exitCode(err) < 0 {
		return "", err
	}
	branch := strings.TrimSuffix(string(out), "\n")
	if strings.HasPrefix(branch, folder+"/") {
		return branch, nil
	}
	refs, err := r.Refs(ctx, []string{name}, ListOptions{NamesOnly: true})
	if err == nil && len(refs) == 0 && branch == "" {
		err = ErrMissing
	}
	if err == nil {
		err = &PlainHeadError{Ref: name, Remote: remote}
	}
	return "", err
}

// readRef returns what a ref holds.
func (r *Repo) readRef(ctx context.Context, name string) (string, error) {
	if name == "HEAD" || strings.HasPrefix(name, "refs/") {
		name, err := r.DefaultBranch(ctx, name)
		if err != nil {
			return "", err
		}
		out, err := r.run.readOutput(ctx, nil, "show-ref", "--verify", "--hash", "--", name)
		if exitCode(err) > 0 {
			return "", ErrMissing
		}
		return strings.TrimSuffix(string(out), "\n"), err
	}
	// The places in which git looks for a short name.
	places := []string{
		"refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name,
		"refs/remotes/" + name + "/HEAD",
	}
	refs, err := r.Refs(ctx, places, ListOptions{NamesOnly: true})
	if err != nil {
		return "", err
	}
	refs = slices.DeleteFunc(refs, func(ref Ref) bool { return !slices.Contains(places, ref.Name) })
	switch len(refs) {
	case 0:
		return "", ErrMissing
	case 1:
		return r.readRef(ctx, refs[0].Name)
	}
	var all []string
	for _, ref := range refs {
		all = append(all, ref.Name)
	}
	return "", fmt.Errorf("%q may mean %s; write the full name of the one that is meant", name,
		strings.Join(all, " or "))
}

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
	if !isObjectID(oid) {
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
