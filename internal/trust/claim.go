package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// claims are what lets unsigned records of others be shown automatically: the upstream that delivered them,
// and the names under which people committed there.
type claims struct {
	upstream upstream.Upstream
	shown    bool                // what it delivers is shown automatically, where the rest holds
	authors  map[string][]string // the addresses of those who committed, by their names
	shallow  bool                // this clone has the newest commits alone
	// looks of the principals of all lists of keys, and of the names under which these committed
	signing map[string]bool
	words   map[string]string // the names, by their words; nil until they are asked for
}

// readClaims reads what lets unsigned records be shown, once.
func (j *Judge) readClaims(ctx context.Context) (*claims, error) {
	if j.claims != nil {
		return j.claims, nil
	}
	c := &claims{}
	var fixed bool
	var err error
	if c.upstream, fixed, err = upstream.Of(j.repo); err != nil || !fixed {
		j.claims = c
		return c, err
	}
	p, err := j.Policy(ctx)
	if err != nil {
		return nil, err
	}
	trusted := c.upstream.Trust
	if j.repo.Settings().MaybeSet(UpstreamKey) { // Where nothing is said of it, no process is started.
		config, err := j.config(ctx)
		if err != nil {
			return nil, err
		}
		if trusted, err = OfUpstream(config, c.upstream); err != nil {
			return nil, err
		}
	}
	if c.shown = trusted == upstream.Remote && p == (Policy{}); c.shown {
		config, sure := j.repo.Settings().PlainAddresses()
		if !sure {
			config, err = j.config(ctx)
		}
		// What it delivered before came from elsewhere, and a file that says all this may have come with a
		// folder.
		c.shown = c.upstream.Changed(config) == nil && c.upstream.IsFixed(j.repo)
	}
	if err != nil {
		return nil, err
	}
	if j.claims = c; !c.shown {
		return c, nil
	}
	known, err := readAuthors(j.repo, c.upstream.Remote)
	if err != nil {
		return nil, err
	}
	c.authors, c.shallow = known.Addresses, known.Shallow
	if _, err := j.mutedLooks(); err != nil || !hasLists(j.repo) {
		return c, err
	}
	t, err := j.Trust(ctx)
	if err != nil {
		return nil, err
	}
	c.signing = map[string]bool{}
	listed := map[string]bool{}
	for _, l := range t.Lists() {
		if l.Name == KeyList {
			continue // Many have a key for commits alone, and leave what they save unsigned.
		}
		for _, k := range l.Keys() {
			for principal := range strings.FieldsFuncSeq(strings.ToLower(k.Principals), func(r rune) bool {
				return strings.ContainsRune(",<>", r)
			}) {
				principal = strings.TrimSpace(principal)
				listed[principal], c.signing[Look(principal)] = true, true
			}
		}
	}
	for name, addresses := range c.authors {
		if slices.ContainsFunc(addresses, func(a string) bool { return listed[strings.ToLower(a)] }) {
			c.signing[Look(name)] = true
		}
	}
	return c, nil
}

// mutedLooks are the looks of the names that the user muted, which are read once.
func (j *Judge) mutedLooks() (map[string]bool, error) {
	if j.muted != nil {
		return j.muted, nil
	}
	names, err := Muted(j.repo)
	if err != nil {
		return nil, err
	}
	j.muted = map[string]bool{}
	for _, name := range names {
		j.muted[Look(name)] = true
	}
	return j.muted, nil
}

// IsMuted tells whether the user muted a name, or one that looks like it.
func (j *Judge) IsMuted(name string) (bool, error) {
	looks, err := j.mutedLooks()
	return looks[Look(name)], err
}

// IsAuthor tells whether somebody committed to the default branch of the upstream under a name, or one that
// looks like it. Where no remote is fixed nobody looked, and it is taken for true.
func (j *Judge) IsAuthor(name string) (bool, error) {
	u, fixed, err := upstream.Of(j.repo)
	if err != nil || !fixed {
		return true, err
	}
	known, err := readAuthors(j.repo, u.Remote)
	for n := range known.Addresses {
		if Look(n) == Look(name) {
			return true, err
		}
	}
	return false, err
}

// Upstream names the remote that delivered something by an address, where it is the one that the memory of
// this clone is exchanged with; "" for any other.
func (j *Judge) Upstream(ctx context.Context, address string) (name string, err error) {
	c, err := j.readClaims(ctx)
	if err != nil || address == "" || c.upstream.URL != address {
		return "", err
	}
	return c.upstream.Remote, nil
}

// A Claimant is who says to have written a record that nobody vouches for.
type Claimant struct {
	Address string            // by which a remote delivered the record; "" where nobody knows
	By      packet.Provenance // what the record states
	Verdict sign.Verdict
	Why     string                 // why it is kept from them as policy alone says
	Signs   func(name string) bool // whether this clone saw good signatures of that name
}

// Unheard says why a record that nobody vouches for is kept from those who did not ask for it, or nothing:
// the upstream delivered it, and what it states as its author is the name of somebody who committed there,
// and who does not sign.
func (j *Judge) Unheard(ctx context.Context, by Claimant) (why string, err error) {
	c, err := j.readClaims(ctx)
	if err != nil {
		return "", err
	}
	weak := by.Verdict.Standing == sign.Unsigned || by.Verdict.Standing == sign.Unknown
	switch {
	case !c.shown || !weak || by.Address == "":
		return by.Why, nil
	case by.Address != c.upstream.URL:
		return otherRemote + c.upstream.Remote, nil
	}
	return j.whyDoubted(clean.Line(by.By.AuthorHuman), by.Signs), nil
}

// noCommit begins the reason of a name that is not known.
const noCommit = "nobody of this name has committed to the default branch"

// The ends of that reason where this clone has nothing of the branch, or not all.
const (
	noBranch  = ", of which this clone has nothing"
	cutBranch = ", of which this shallow clone has the newest commits alone"
)

// otherRemote begins the reason of what did not come from the upstream.
const otherRemote = "it came from another remote than "

// Learning says of a reason why something is kept from those who did not ask for it, how this clone comes to hear
// who wrote it, or nothing where that is not why.
func Learning(why string) string {
	pushed, sign := "once they have pushed a commit there: git fetch, then git ltm sync", "; or they sign: git ltm sign"
	switch {
	case strings.HasPrefix(why, otherRemote):
		return "if memory is to be exchanged with that one: git ltm setup --remote NAME" + sign
	case !strings.HasPrefix(why, noCommit):
		return ""
	case strings.HasSuffix(why, cutBranch):
		pushed = "git fetch --unshallow, then git ltm sync"
	case strings.HasSuffix(why, noBranch):
		pushed += "; a bare clone, or one of a single branch, does not fetch it before git config remote.NAME.fetch " +
			"'+refs/heads/*:refs/remotes/NAME/*'"
	}
	return pushed + sign
}

// signsHere is the reason of a name whose holder signs.
const signsHere = "it is unsigned, and somebody of this name signs here"

// IsOfSigner tells of a reason why something is kept from those who did not ask for it, whether it is that
// somebody of the name that it states signs.
func IsOfSigner(why string) bool { return why == signsHere }

// Believed returns the upstream whose unsigned records are shown automatically, "" for none, and the names
// for which that holds.
func (j *Judge) Believed(ctx context.Context,
	signs func(name string) bool,
) (remote string, names []string, err error) {
	c, err := j.readClaims(ctx)
	if err != nil || !c.shown {
		return "", nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.authors)) {
		if j.whyDoubted(name, signs) == "" {
			names = append(names, name)
		}
	}
	return c.upstream.Remote, names, nil
}

// whyDoubted says why a name does not count, or nothing. The claims have been read.
func (j *Judge) whyDoubted(name string, signs func(string) bool) string {
	c := j.claims
	_, known := c.authors[name]
	switch {
	case j.muted[Look(name)]:
		return "you muted this name: git ltm trust unmute"
	case !known:
		end := ", as this clone last fetched it"
		if c.shallow {
			end = cutBranch
		} else if len(c.authors) == 0 {
			end = noBranch
		}
		return noCommit + " of " + clean.Line(c.upstream.Remote) + end
	case c.signing[Look(name)] || signs(name):
		return signsHere
	default:
		return ""
	}
}

// AuthorWord is a word for the author whom a record states that a remote delivered by an address. It says
// nothing of whether that is true, and is the same for all records of that name from there.
func AuthorWord(address string, by packet.Provenance) string {
	sum := sha256.Sum256([]byte(address + "\x00" + clean.Line(by.AuthorHuman)))
	return hex.EncodeToString(sum[:8])
}

// AuthorOf is the name for which a word stands, of those who committed to the default branch of the upstream;
// "" for any other.
func (j *Judge) AuthorOf(ctx context.Context, word string) (name string, err error) {
	c, err := j.readClaims(ctx)
	if err != nil || !c.shown {
		return "", err
	}
	if c.words == nil {
		c.words = map[string]string{}
		for name := range c.authors {
			c.words[AuthorWord(c.upstream.URL, packet.Provenance{AuthorHuman: name})] = name
		}
	}
	return c.words[word], nil
}

// IsHeard tells whether the word is one of an author whose unsigned records are shown automatically.
func (j *Judge) IsHeard(ctx context.Context, word string, signs func(name string) bool) (bool, error) {
	name, err := j.AuthorOf(ctx, word)
	return err == nil && name != "" && j.whyDoubted(name, signs) == "", err
}
