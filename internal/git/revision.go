package git

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

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
	if IsObjectID(name) && len(name) == r.idLength() {
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
	refs, err := r.Refs(ctx, name)
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
	refs, err := r.Refs(ctx, places...)
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

// CommitOf returns the commit that a revision names, of the forms that [Repo.File] takes. One that is not
// here is ErrMissing.
func (r *Repo) CommitOf(ctx context.Context, revision string) (string, error) {
	base, err := r.resolveStrictly(ctx, revision)
	if err == nil {
		base, err = r.findObject(ctx, base+"^{commit}")
	}
	if err != nil {
		return "", fmt.Errorf("find revision %q: %w", revision, err)
	}
	return base, nil
}

// findObject returns the id of the object that a revision names. One that is not here is ErrMissing.
func (r *Repo) findObject(ctx context.Context, revision string) (string, error) {
	out, err := r.run.readOutput(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", revision)
	oid := strings.TrimSuffix(string(out), "\n")
	if exitCode(err) > 0 || err == nil && !IsObjectID(oid) {
		err = ErrMissing
	}
	if err != nil {
		return "", err
	}
	return oid, nil
}

// resolveCommit returns the id of the commit that a revision names.
func (r *Repo) resolveCommit(ctx context.Context, revision string) (string, error) {
	if strings.HasPrefix(revision, "-") {
		return "", fmt.Errorf("find commit %q: %w", revision, ErrMissing)
	}
	commit, err := r.findObject(ctx, revision+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("find commit %q: %w", revision, err)
	}
	return commit, nil
}
