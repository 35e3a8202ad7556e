// Package upstream keeps what a person agreed to at setup: which remote the memory of a clone is exchanged with,
// and under which settings of the repository git may go there in the background.
//
// It is fixed by name and by address. No branch, no pull request and no other setting of the repository
// changes it; where the address of that name is another one now, nothing is exchanged in the background and
// nothing is trusted for it, until the person fixes it anew. It is a file of this clone, which no checkout
// and no remote can write; that it was fixed for a repository at this place is noted outside of that.
//
// The settings are those under which git, on its way to a remote, runs a program or goes somewhere else than the
// address says. They may have come with the repository, so that nothing is done in the background under them before
// a person said yes. What was accepted is bound to where the repository lies, and to every name and value. The
// package starts no process, and it keeps no value.
package upstream

import (
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
)

// file is where it is kept, below the folder ltm of the git directory.
const file = "upstream.json"

// Trust is how far records that the upstream delivered are believed.
type Trust string

// The values of ltm.trust.
const (
	Signed Trust = "signed" // only what was made here or a trusted key signed is shown automatically
	// unsigned records that the upstream delivered are too, labelled, where their author is known there
	Remote Trust = "remote"
)

// Said is why a person's own choice is made.
const Said = "you said so"

// Upstream is the remote that the memory of a clone is exchanged with. The zero value is none.
type Upstream struct {
	Remote string `json:"remote"` // its name
	// the address that git fetches from, after url.*.insteadOf, as [Address] has it
	URL string `json:"url"`
	// those that it pushes to, where they are others, with a blank between them
	PushURL string `json:"push_url,omitempty"`
	Trust   Trust  `json:"trust,omitempty"`    // what setup chose or the person said; "" is Signed
	Why     string `json:"why,omitempty"`      // why, or [Said]
	Share   bool   `json:"share,omitempty"`    // memory travels by itself
	NoShare bool   `json:"no_share,omitempty"` // the person said that it does not
	// the person said that it may go where everybody can read it
	Public bool   `json:"public,omitempty"`
	Store  string `json:"store,omitempty"` // the id of the store, as it was first seen there
	// another one that a trusted key signed for since, and that nobody accepted
	Other string `json:"other,omitempty"`
	// under which the person commits, for agents whose shell hides the settings of the user
	Name  string    `json:"name,omitempty"`
	Fixed time.Time `json:"fixed"`
}

// Of returns the upstream of a clone; not ok where nobody fixed one.
func Of(repo *git.Repo) (u Upstream, ok bool, err error) {
	ok, err = repo.Local().File(file).ReadState(&u)
	return u, ok && u.Remote != "", err
}

// Fix notes that the person fixed an upstream for a repository at the place where that lies, and keeps it.
func (u Upstream) Fix(repo *git.Repo) error {
	return errors.Join(keepAgreement(repo, ofUpstream, []git.Line{{Value: u.Places()}}), u.Keep(repo))
}

// IsFixed reports whether the person did so. A repository that somebody unpacked, or a copied file, says that of
// itself, and not here.
func (u Upstream) IsFixed(repo *git.Repo) bool {
	return isAgreed(repo, ofUpstream, []git.Line{{Value: u.Places()}})
}

// Keep writes an upstream, in the place of the one before, and notes nothing of where it was fixed.
func (u Upstream) Keep(repo *git.Repo) error { return repo.Local().File(file).WriteState(u) }

// Forget lets a clone have none.
func Forget(repo *git.Repo) error { return repo.Local().File(file).Remove() }
