package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// teamAt reads the list of the team as it is in a commit.
func (t *Trust) teamAt(ctx context.Context, commit string) (*List, error) {
	files, err := t.repo.Files(ctx, commit, TeamFolder, maxFile, signersFile, keyringFile, revocationsFile,
		storeFile)
	if errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("the team's list of commit %s: %w: %w", commit, ErrNotHere, err)
	}
	if err != nil {
		return nil, err
	}
	l, err := parseList(TeamList, commit+":"+TeamFolder, files)
	if err != nil {
		return nil, err
	}
	l.Team = true
	return l, nil
}

// A Proposal is a state of the team's list that could be accepted here.
type Proposal struct {
	Ref      string // where it comes from
	Commit   string // what the ref names now
	Pinned   string // the commit that is accepted now; empty for none
	List     *List
	Added    []Key // keys that would count from then on
	Removed  []Key // keys that would not count any more
	Revoked  []string
	Restored []string // taken back until now, and not any more
	Stores   []string // ids of the store that would count
	Dropped  []string // ids of the store that would not count any more
	Hidden   bool     // the files differ, and none of these shows it
	// who signed every change with a key of the list before it; empty where somebody here has to decide
	By  string
	Why string // why somebody has to decide

	same bool // the files are the same
}

// Same tells whether nothing would change but the commit. What a person is shown of the keys does not tell
// that: an option of a line, or a revocation inside a key, may be all that differs.
func (p *Proposal) Same() bool { return p.same }

// A Key is a key of a list, for a person.
type Key struct {
	Principals  string `json:"for"` // for whom it stands: principals or a user id
	Fingerprint string `json:"fingerprint"`
	Detail      string `json:"detail"` // options, windows, expiry
}

// Propose looks at the protected ref. Where there is no list of a team, the error is ErrNoList.
func (t *Trust) Propose(ctx context.Context, ref string) (*Proposal, error) {
	if ref == "" {
		ref = t.settings.trustRef
	}
	p := &Proposal{Pinned: t.settings.pin}
	var err error
	if p.Ref, p.Commit, err = t.protectedRef(ctx, ref); err != nil {
		return p, err
	}
	if p.List, err = t.teamAt(ctx, p.Commit); err != nil {
		return p, &PolicyError{err}
	}
	if len(p.List.texts) == 0 {
		return p, fmt.Errorf("%s holds no folder %s: %w", p.Ref, TeamFolder, ErrNoList)
	}
	before := new(List)
	if i := slices.IndexFunc(t.lists, func(l *List) bool { return l.Team }); i >= 0 {
		before = t.lists[i]
	}
	old, now := before.Keys(), p.List.Keys()
	p.Added, p.Removed = listWithout(now, old), listWithout(old, now)
	p.Revoked = listWithout(p.List.linesOf(revocationsFile), before.linesOf(revocationsFile))
	p.Restored = listWithout(before.linesOf(revocationsFile), p.List.linesOf(revocationsFile))
	p.Stores = listWithout(p.List.linesOf(storeFile), before.linesOf(storeFile))
	p.Dropped = listWithout(before.linesOf(storeFile), p.List.linesOf(storeFile))
	p.same = before.sameFiles(p.List)
	p.Hidden = p.Pinned != "" && !p.same &&
		len(p.Added)+len(p.Removed)+len(p.Revoked)+len(p.Restored)+len(p.Stores)+len(p.Dropped) == 0
	if p.Pinned != "" && p.Pinned != p.Commit && !p.Same() {
		p.By, p.Why, err = t.authorisedBy(ctx, p.Pinned, p.Commit)
	}
	return p, err
}

// protectedRef returns the ref that the team's list is read from, and the commit that it names. Where nobody
// names one, it is the branch that the HEAD of the remote points to here; no branch is taken for it by its
// name, because where main or master is not the default branch, anybody may push it.
func (t *Trust) protectedRef(ctx context.Context, ref string) (name, commit string, err error) {
	candidates := []string{ref}
	if ref == "" {
		candidates = headRefs(t.repo, t.settings.remotes)
	}
	for _, c := range candidates {
		name, err := t.repo.DefaultBranch(ctx, c)
		if err == nil {
			commit, err = t.repo.CommitOf(ctx, name)
		}
		if err == nil {
			return name, commit, nil
		}
		if !errors.Is(err, git.ErrMissing) {
			return "", "", err
		}
	}
	return "", "", fmt.Errorf("none of the refs %s: %w", strings.Join(candidates, ", "), ErrNoRef)
}

// headRefs are the refs of which the first that is there is protected, where nobody names one.
func headRefs(repo *git.Repo, remotes []string) []string {
	all := []string{"refs/remotes/origin/HEAD"}
	if len(remotes) == 1 {
		all = append(all, "refs/remotes/"+remotes[0]+"/HEAD")
	}
	if repo.Bare {
		all = append(all, "HEAD")
	}
	return slices.Compact(all)
}

// listWithout returns what does not stand in other. A list may have thousands of lines.
func listWithout[T comparable](list, other []T) []T {
	held := make(map[T]bool, len(other))
	for _, x := range other {
		held[x] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return held[x] })
}

// Accept makes a proposal count in this clone. The new commit is added before the others go, so that some
// list counts whenever this process dies.
func (t *Trust) Accept(ctx context.Context, p *Proposal) error {
	if !slices.Contains(t.settings.pins, p.Commit) {
		if err := t.repo.Settings().Add(ctx, pinKey, p.Commit); err != nil {
			return err
		}
	}
	for _, old := range t.settings.pins {
		if old == p.Commit {
			continue
		}
		if err := t.repo.Settings().Unset(ctx, git.Local, pinKey, old); err != nil {
			return err
		}
	}
	return nil
}

// Forget makes the team's list of a repository count no longer.
func Forget(ctx context.Context, repo *git.Repo) error {
	config, err := repo.Config(ctx)
	if err != nil {
		return err
	}
	for _, old := range config.All(pinKey) {
		if err := repo.Settings().Unset(ctx, git.Local, pinKey, old); err != nil {
			return err
		}
	}
	return nil
}

// RevokedBy returns the name of the list that takes a key back, or nothing.
func (t *Trust) RevokedBy(fingerprint string) string {
	for _, l := range t.lists {
		if l.Revoked.Holds(fingerprint) {
			return l.Name
		}
	}
	return ""
}

// Keys returns the keys of a list, for a person.
func (l *List) Keys() []Key {
	var all []Key
	for _, e := range l.Signers.Entries() {
		detail := "SSH"
		if e.Authority {
			detail += ", signs certificates"
		}
		if !e.ForGit() {
			detail += ", not for git"
		}
		if !e.After.IsZero() {
			detail += ", from " + e.After.UTC().Format(time.DateOnly)
		}
		if !e.Before.IsZero() {
			detail += ", until " + e.Before.UTC().Format(time.DateOnly)
		}
		all = append(all, Key{Principals: e.Principals, Fingerprint: e.Fingerprint, Detail: detail})
	}
	for _, k := range l.Keyring.Keys() {
		detail := "OpenPGP"
		if k.Revoked {
			detail += ", revoked by its holder"
		}
		if !k.Expires.IsZero() {
			detail += ", until " + k.Expires.UTC().Format(time.DateOnly)
		}
		all = append(all, Key{Principals: k.UserID, Fingerprint: k.Fingerprint, Detail: detail})
	}
	return all
}

// mostChanges is how many changes of the list are followed without asking.
const mostChanges = 100

// maxObject bounds a commit that changes the list, and a tag, in bytes.
const maxObject = 1 << 20

// authorisedBy follows the commits that changed the team's list. Each has to be signed by a key that the list
// before it names, as the policies of package repositories do it, and its list before has to be the one that
// counted until then: else a key that is no longer in the list could come back by a branch from the time at
// which it was. It returns who signed the last one, or why somebody has to decide.
func (t *Trust) authorisedBy(ctx context.Context, pinned, tip string) (by, why string, err error) {
	ahead, err := t.repo.History().IsAncestor(ctx, pinned, tip)
	if err != nil {
		return "", "", err
	}
	if !ahead {
		return "", "the accepted commit is not a part of this history", nil
	}
	changes, err := t.repo.History().Changes(ctx, pinned, tip, TeamFolder)
	if err != nil {
		return "", "", err
	}
	if len(changes) > mostChanges {
		return "", fmt.Sprintf("the list changed in %d commits", len(changes)), nil
	}
	counted, err := t.teamAt(ctx, pinned)
	if err != nil {
		return "", "", err
	}
	for _, commit := range changes {
		parent, err := t.repo.History().Parent(ctx, commit)
		if err != nil {
			return "", "", err
		}
		before := new(List)
		if parent != "" {
			if before, err = t.teamAt(ctx, parent); err != nil {
				return "", "", err
			}
		}
		if !before.sameFiles(counted) {
			why = fmt.Sprintf("commit %s changes another list than the one that counted before it", commit)
			return "", why, nil
		}
		v, err := t.judgeCommit(ctx, commit, counted)
		if err == nil && v.Standing != sign.Good {
			why = fmt.Sprintf("commit %s is not signed by a key of the list before it: %s", commit, v.Why)
		}
		if err == nil && why == "" {
			why, err = t.takenIn(ctx, pinned, commit, tip, counted)
		}
		if err != nil || why != "" {
			return "", why, err
		}
		by = v.By
		if counted, err = t.teamAt(ctx, commit); err != nil {
			return "", "", err
		}
	}
	final, err := t.teamAt(ctx, tip)
	if err == nil && !counted.sameFiles(final) {
		return "", "a merge changed the list", nil
	}
	return by, "", err
}

// takenIn says why a change need not have been taken into the protected branch, or nothing. Whoever merges
// can put a proposal first that somebody of the list signed, and the branch second, so a merge of the change
// with history that has the accepted commit and not the change has to be signed by a key of the list that
// counted before. A branch that left before the accepted commit cannot be the protected one. A fast-forward
// to a signed commit looks as if its signer had pushed it, and counts.
func (t *Trust) takenIn(ctx context.Context, pinned, change, tip string,
	counted *List,
) (why string, err error) {
	merges, err := t.repo.History().MergesBeside(ctx, pinned, change, tip)
	if err != nil {
		return "", err
	}
	if len(merges) > mostChanges {
		return fmt.Sprintf("%d merges behind commit %s could have put it before the protected branch",
			len(merges), change), nil
	}
	for _, merge := range merges {
		v, err := t.judgeCommit(ctx, merge, counted)
		if err != nil {
			return "", err
		}
		if v.Standing != sign.Good {
			return fmt.Sprintf("merge %s is not signed by a key of the list before it, and what it brings "+
				"together with commit %s "+
				"may be the protected branch: %s", merge, change, v.Why), nil
		}
	}
	return "", nil
}

// sameFiles tells whether two lists are the same files.
func (l *List) sameFiles(other *List) bool { return maps.EqualFunc(l.texts, other.texts, bytes.Equal) }

// judgeCommit verifies the signature of a commit by the keys of one list. The revocations of every list
// count.
func (t *Trust) judgeCommit(ctx context.Context, commit string, by *List) (sign.Verdict, error) {
	raw, err := t.readObject(ctx, commit)
	if err != nil {
		return sign.Verdict{}, err
	}
	signed, err := sign.ParseCommit(raw)
	if err != nil {
		return sign.Verdict{Standing: sign.Unsigned, Why: err.Error()},
			nil //nolint:nilerr // It is not signed in a form that counts.
	}
	trust := sign.Trust{Sources: []sign.Source{by.Source}}
	for _, l := range t.lists {
		trust.Sources = append(trust.Sources, sign.Source{Name: l.Name, Revoked: l.Revoked})
	}
	v, err := trust.Verify(signed, t.now)
	if err != nil {
		return sign.Verdict{Standing: sign.Unknown, Why: err.Error()},
			nil //nolint:nilerr // What cannot be judged is not authorised.
	}
	return v, nil
}

// readObject reads the bytes of an object.
func (t *Trust) readObject(ctx context.Context, oid string) (raw []byte, err error) {
	objects, err := t.repo.Objects(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := objects.Close(); err == nil {
			err = closing
		}
	}()
	_, raw, err = objects.Read(oid, maxObject)
	return raw, err
}
