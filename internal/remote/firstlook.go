package remote

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/consent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

const (
	lookAge   = 24 * time.Hour   // lookAge is how long a remote is left alone once it was asked, whatever came of it.
	lookLimit = 60 * time.Second // lookLimit is how long it may take to ask.
)

// FirstLook is what a clone that holds no memory, and tracks none, knows of what a remote holds.
type FirstLook struct {
	Held   int      // records that the remote held when it was last asked; an archive counts as one
	Due    bool     // it may be asked now, without anybody waiting
	Barred []string // settings of the repository that nobody accepted, so that it is not asked
}

// looked is the file that says when a remote was last asked.
type looked struct {
	Asked time.Time `json:"asked"` // before anything went out
	Ended time.Time `json:"ended,omitzero"`
	Held  int       `json:"held"`
}

// lookFile is where it is kept when a remote was asked.
func lookFile(remote string) string { return "contact-" + url.PathEscape(remote) }

// LookFirst tells a clone that holds no memory what is known of a remote. It asks nobody. A clone
// that holds or tracks memory, or in which memory is silenced, is told nothing.
func LookFirst(ctx context.Context, repo *git.Repo, config git.Config, remote string, now time.Time) (FirstLook, error) {
	silenced, _ := repo.Env("GIT_LTM_DISABLE")
	known := refs.SafeRemote(remote) && slices.Contains(config.Remotes(), remote)
	if silenced != "" && silenced != "0" || !known {
		return FirstLook{}, nil
	}
	store, err := refs.Open(ctx, repo)
	if err != nil {
		return FirstLook{}, err
	}
	defer func() { _ = store.Close() }() // It only read.
	if some, err := store.CountRefs(ctx, 1); some > 0 || err != nil {
		return FirstLook{}, err
	}
	if seen, err := store.HeldBy(ctx, remote); len(seen) > 0 || err != nil {
		return FirstLook{}, err
	}
	last, err := lastLook(repo, remote)
	if err != nil {
		return FirstLook{}, err
	}
	look := FirstLook{Held: last.Held, Barred: keys(consent.Missing(repo, config))}
	look.Due = len(look.Barred) == 0 && last.isOver(now)
	return look, nil
}

// isOver reports whether a remote may be asked again. What was noted by a clock that ran ahead does
// not count.
func (l looked) isOver(now time.Time) bool {
	age := now.Sub(l.Asked)
	return age < 0 || age >= lookAge
}

func lastLook(repo *git.Repo, remote string) (looked, error) {
	var last looked
	_, err := repo.Local().File(lookFile(remote)).ReadState(&last)
	return last, err
}

// keys are the names of settings, each once.
func keys(lines []git.Line) []string {
	var names []string
	for _, line := range lines {
		if !slices.Contains(names, line.Key) {
			names = append(names, line.Key)
		}
	}
	return names
}

// ClaimLook notes that a remote is asked now, and reports whether it is for the caller to do so.
// Where that cannot be noted, or somebody else does it, it is not.
func ClaimLook(repo *git.Repo, remote string, now time.Time) bool {
	release, err := repo.Local().File("contact.lock").TryLock()
	if err != nil {
		return false
	}
	defer func() { _ = release() }()
	last, err := lastLook(repo, remote)
	if err != nil || !last.isOver(now) {
		return false
	}
	return repo.Local().File(lookFile(remote)).WriteState(looked{Asked: now, Held: last.Held}) == nil
}

// Ask asks a remote how many records it holds, in a process for which nobody waits, and keeps the
// answer for whoever comes next. It asks no person for anything. A remote that does not answer is
// as one that holds nothing.
func Ask(ctx context.Context, repo *git.Repo, config git.Config, remote string, now func() time.Time) error {
	if err := allowed(repo, config, remote); err != nil {
		return err
	}
	last, err := lastLook(repo, remote)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	theirs, failure := repo.Unattended(config).LsRemote(ctx, remote, "refs/ltm/*")
	last.Held, last.Ended = 0, now()
	for _, ref := range theirs {
		_, record := refs.ParseName(ref.Name)
		if record || strings.HasPrefix(ref.Name, "refs/ltm/archive/") {
			last.Held++
		}
	}
	return errors.Join(failure, repo.Local().File(lookFile(remote)).WriteState(last))
}

// HeldBackError is what is not done in the background because of settings of the repository that
// nobody accepted.
type HeldBackError struct{ Settings []string }

func (e *HeldBackError) Error() string {
	return fmt.Sprintf("nobody has accepted %s of this repository: git ltm setup", strings.Join(e.Settings, ", "))
}

// allowed refuses to go to a remote in the background under settings that nobody accepted, and to
// one of which git would read in files of an older form, which nobody is shown.
func allowed(repo *git.Repo, config git.Config, remote string) error {
	if !slices.Contains(config.Remotes(), remote) {
		return fmt.Errorf("remote %q has no address in the configuration, and nobody who could be asked about it", remote)
	}
	if missing := consent.Missing(repo, config); len(missing) > 0 {
		return &HeldBackError{keys(missing)}
	}
	return nil
}
