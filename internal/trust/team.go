package trust

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// teamAt reads the list of the team as it is in a commit.
func (t *Trust) teamAt(ctx context.Context, commit string) (*List, error) {
	files, err := t.repo.Files(ctx, commit, TeamFolder, maxFile, signersFile, keyringFile, revocationsFile, storeFile)
	if errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("the team's list of commit %s: %w: %w", commit, ErrNotHere, err)
	}
	if err != nil {
		return nil, err
	}
	l, err := parse(TeamList, commit+":"+TeamFolder, files)
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
	By       string   // who signed every change with a key of the list before it; empty where somebody here has to decide
	Why      string   // why somebody has to decide

	same bool // the files are the same
}

// Same tells whether nothing would change but the commit. What a person is shown of the keys does not tell that: an option of
// a line, or a revocation inside a key, may be all that differs.
func (p *Proposal) Same() bool { return p.same }

// A Key is a key of a list, for a person.
type Key struct {
	List        string
	Principals  string // for whom it stands: principals or a user id
	Fingerprint string
	Detail      string // options, windows, expiry
}

// Propose looks at the protected ref. Where there is no list of a team, the error is ErrNoList.
func (t *Trust) Propose(ctx context.Context, ref string) (*Proposal, error) {
	if ref == "" {
		ref = t.settings.trustRef
	}
	p := &Proposal{Pinned: t.settings.pin}
	var err error
	if p.Ref, p.Commit, err = t.protected(ctx, ref); err != nil {
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
	p.Added, p.Removed = without(now, old), without(old, now)
	p.Revoked = without(p.List.lines(revocationsFile), before.lines(revocationsFile))
	p.Restored = without(before.lines(revocationsFile), p.List.lines(revocationsFile))
	p.Stores = without(p.List.lines(storeFile), before.lines(storeFile))
	p.Dropped = without(before.lines(storeFile), p.List.lines(storeFile))
	p.same = before.same(p.List)
	p.Hidden = p.Pinned != "" && !p.same && len(p.Added)+len(p.Removed)+len(p.Revoked)+len(p.Restored)+len(p.Stores)+len(p.Dropped) == 0
	if p.Pinned != "" && p.Pinned != p.Commit && !p.Same() {
		p.By, p.Why, err = t.authorised(ctx, p.Pinned, p.Commit)
	}
	return p, err
}

// protected returns the ref that the team's list is read from, and the commit that it names. Where nobody names one, it is the
// branch that the HEAD of the remote points to here; no branch is taken for it by its name, because where main or master is
// not the default branch, anybody may push it.
func (t *Trust) protected(ctx context.Context, ref string) (name, commit string, err error) {
	candidates := []string{ref}
	if ref == "" {
		remotes, err := t.repo.Remotes(ctx)
		if err != nil {
			return "", "", err
		}
		candidates = heads(t.repo, remotes)
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

// heads are the refs of which the first that is there is protected, where nobody names one.
func heads(repo *git.Repo, remotes []string) []string {
	all := []string{"refs/remotes/origin/HEAD"}
	if len(remotes) == 1 {
		all = append(all, "refs/remotes/"+remotes[0]+"/HEAD")
	}
	if repo.Bare {
		all = append(all, "HEAD")
	}
	return slices.Compact(all)
}

// Heads returns the refs of which the first that is there is protected, and the commit of the team's list that is accepted here, if
// any. It is not sure where somebody names a ref, or accepted several.
func Heads(repo *git.Repo, config git.Config) (all []string, pin string, sure bool) {
	_, named := config.Get(refKey)
	pins := config.All(pinKey)
	if len(pins) == 1 {
		pin = pins[0]
	}
	return heads(repo, config.Remotes()), pin, !named && len(pins) <= 1
}

// without returns what does not stand in other. A list may have thousands of lines.
func without[T comparable](list, other []T) []T {
	held := make(map[T]bool, len(other))
	for _, x := range other {
		held[x] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return held[x] })
}

// Accept makes a proposal count in this clone. The new commit is added before the others go, so that some list counts
// whenever this process dies.
func (t *Trust) Accept(ctx context.Context, p *Proposal) error {
	if !slices.Contains(t.settings.pins, p.Commit) {
		if err := t.repo.AddConfig(ctx, pinKey, p.Commit); err != nil {
			return err
		}
	}
	for _, old := range t.settings.pins {
		if old == p.Commit {
			continue
		}
		if err := t.repo.UnsetConfig(ctx, git.Local, pinKey, old); err != nil {
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
		if err := repo.UnsetConfig(ctx, git.Local, pinKey, old); err != nil {
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
		all = append(all, Key{List: l.Name, Principals: e.Principals, Fingerprint: e.Fingerprint, Detail: detailOf(e)})
	}
	for _, k := range l.Keyring.Keys() {
		detail := "OpenPGP"
		if k.Revoked {
			detail += ", revoked by its holder"
		}
		if !k.Expires.IsZero() {
			detail += ", until " + k.Expires.UTC().Format("2006-01-02")
		}
		all = append(all, Key{List: l.Name, Principals: k.UserID, Fingerprint: k.Fingerprint, Detail: detail})
	}
	return all
}

// detailOf says what restricts an allowed signer.
func detailOf(e sign.Entry) string {
	parts := []string{"SSH"}
	if e.Authority {
		parts = append(parts, "signs certificates")
	}
	if !e.ForGit() {
		parts = append(parts, "not for git")
	}
	if !e.After.IsZero() {
		parts = append(parts, "from "+e.After.UTC().Format("2006-01-02"))
	}
	if !e.Before.IsZero() {
		parts = append(parts, "until "+e.Before.UTC().Format("2006-01-02"))
	}
	return strings.Join(parts, ", ")
}
