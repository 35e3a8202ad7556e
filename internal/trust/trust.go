// Package trust says whose keys count in a repository, who vouches for a record with them, and to whom policy lets
// what nobody vouches for be shown.
//
// Three lists are asked: what the user told git (its allowed signers, its revocations and the keyring of
// gpg), what the user told git ltm alone, and what the team keeps in the repository. The team's list is read
// from one commit that somebody here has accepted, never from the work tree and never from the tip of a
// branch, so that nobody can admit a key by pushing it. The key that user.signingKey names counts where none
// of them names it. One list is enough to admit a key, and one is enough to take it back. A list that cannot
// be read is an error: nothing is called good then. A signature is judged over the bytes that were read, each time.
package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// PolicyError is a policy that cannot be read. Nothing can be judged then.
type PolicyError struct{ Err error }

func (e *PolicyError) Error() string { return "trust: " + e.Err.Error() }

func (e *PolicyError) Unwrap() error { return e.Err }

// The errors that a caller must tell apart.
var (
	// ErrNoList says that there is no team's list where one was asked for.
	ErrNoList = errors.New("there is no list of the team")
	// ErrNotHere says that the commit of a team's list is not in this clone.
	ErrNotHere = errors.New("it is not in this clone")
	// ErrNoRef says that the ref from which a team's list is read is not in this clone.
	ErrNoRef = errors.New("the protected branch is not in this clone")
)

// Trust is whose keys count here. It is safe for concurrent use.
type Trust struct {
	repo     *git.Repo
	settings *settings
	now      time.Time
	lists    []*List
	stores   []string
	gpg      gpg
	digest   string // of all that verdicts hang on

	mu    sync.Mutex
	known map[string]sign.Verdict // by tag object, of this process
	kept  journal.Notebook        // the cache
	asked int                     // how often git was asked
}

// Load reads the lists that count in a repository.
func Load(ctx context.Context, repo *git.Repo, config git.Config, now time.Time) (*Trust, error) {
	return loadTrust(ctx, repo, config, now, func(*settings) {})
}

// LoadApart reads the lists but for the team's, so that another can be accepted in the place of one that
// cannot be read. It is not for judging: what that list takes back would count.
func LoadApart(ctx context.Context, repo *git.Repo, config git.Config, now time.Time) (*Trust, error) {
	return loadTrust(ctx, repo, config, now, func(s *settings) { s.pin = "" })
}

func loadTrust(ctx context.Context, repo *git.Repo, config git.Config, now time.Time,
	change func(*settings),
) (*Trust, error) {
	s, err := settingsOf(ctx, repo, config)
	if err != nil {
		return nil, &PolicyError{err}
	}
	change(s)
	t := &Trust{
		repo: repo, settings: s, now: now, known: map[string]sign.Verdict{},
		gpg: gpg{rings: map[string]ring{}},
	}
	if t.lists, err = t.readLists(ctx); err != nil {
		return nil, &PolicyError{err}
	}
	for _, l := range t.lists { // Those of the team's list first, for which signatures are made.
		t.stores = append(t.stores, l.linesOf(storeFile)...)
	}
	for _, id := range t.settings.stores {
		if !slices.Contains(t.stores, id) {
			t.stores = append(t.stores, id)
		}
	}
	if i := slices.IndexFunc(t.stores, func(id string) bool { return !sign.IsStore(id) }); i >= 0 {
		return nil, &PolicyError{fmt.Errorf("%q is no id of a store: %s", t.stores[i], storeForm)}
	}
	t.kept = journal.OpenNotebook(repo.Local().OwnFile("verdicts"))
	// Is the digest of all that a verdict hangs on, but for the time.
	h := sha256.New()
	// A hash takes whatever comes.
	put := func(text string) { _, _ = fmt.Fprintf(h, "%d:%s", len(text), text) }
	put(cacheVersion)
	for _, l := range t.lists {
		put(l.Name)
		for _, file := range []string{signersFile, keyringFile, revocationsFile} {
			put(string(l.texts[file]))
		}
		for _, e := range l.Signers.Entries() { // A time without a zone is one of the zone here.
			put(e.After.UTC().String() + e.Before.UTC().String())
		}
	}
	put(t.settings.gpg)
	put(t.settings.gpgKey)
	put(strconv.Itoa(t.settings.level))
	for _, name := range []string{
		"pubring.kbx", "pubring.gpg", "trustdb.gpg", "public-keys.d/pubring.db", "gpg.conf",
	} {
		if info, err := os.Stat(filepath.Join(t.settings.gpgHome, name)); err == nil {
			put(fmt.Sprintf("%s %d %d", name, info.Size(), info.ModTime().UnixNano()))
		}
	}
	t.digest = hex.EncodeToString(h.Sum(nil)[:8])
	return t, nil
}

// Lists returns the lists that count, in the order in which they are asked.
func (t *Trust) Lists() []*List { return t.lists }

// Stores returns the ids of the store that this repository is: those of ltm.store and of the team's list.
func (t *Trust) Stores() []string { return t.stores }

// Warnings tells which lists, and which lines of them, do not count, and why.
func (t *Trust) Warnings() []string {
	all := slices.Clone(t.settings.warnings)
	for _, l := range t.lists {
		for _, p := range l.Problems {
			all = append(all, fmt.Sprintf("%s: %s", l.Name, p))
		}
	}
	return all
}
