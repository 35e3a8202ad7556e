// Package sign says who signed some bytes.
//
// A signed record is an annotated tag object that points at the record's blob and is signed as `git tag -s`
// signs. This package knows the exact form of that tag, what binds it to a record, and how its signature is
// judged by the keys that a [Trust] vouches for. It promises that a tag which does not fit the record in
// every binding is never called anything but bad, and that what is called good was signed, byte by byte, by a
// key of the [Trust]. It is pure: it starts no process, reads no file and no clock, and never holds a private
// key.
package sign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Standing is what can be said of who vouches for a record.
type Standing string

// The standings, from the best to the worst.
const (
	Good     Standing = "good"     // signed by a trusted key
	Local    Standing = "local"    // made in this clone
	Expired  Standing = "expired"  // good when it was signed
	Unknown  Standing = "unknown"  // signed, and nothing here says whether the key is trusted
	Unsigned Standing = "unsigned" // nobody vouches for it
	Foreign  Standing = "foreign"  // signed for another store
	Revoked  Standing = "revoked"  // signed by a key that was taken back
	Bad      Standing = "bad"      // the signature does not fit the record
)

// Vouched tells whether somebody that counts here vouches for a record of this standing.
func (s Standing) Vouched() bool { return s == Good || s == Local || s == Expired }

// Withheld tells whether a record of this standing must never reach an agent.
// A standing that is not known is withheld too.
func (s Standing) Withheld() bool {
	return !slices.Contains([]Standing{Good, Local, Expired, Unknown, Unsigned, Foreign}, s)
}

// Verdict is a standing and its reason.
type Verdict struct {
	Standing Standing `json:"standing"`
	// who holds the key, as a source of trust says: a principal or a user id; empty where no key is trusted
	By string `json:"by,omitempty"`
	// fingerprint of the key: "SHA256:..." of SSH, hexadecimal of OpenPGP and x509; empty where there is none
	Key string `json:"key,omitempty"`
	Why string `json:"why"` // one sentence for a person
	// from then on the verdict may be another; the zero time is never
	Until time.Time `json:"-"`
}

// ErrUndecided is in the chain of the error of a signature that this package cannot judge: one of x509, an
// algorithm that it refuses, a security key without the mark of a touch, a revocation that it cannot read.
// Git has to be asked.
var ErrUndecided = errors.New("the signature cannot be judged here")

// A Source is one place that says whose keys count.
type Source struct {
	Name    string         // for a person, such as "your git configuration"
	Signers AllowedSigners // SSH keys that it vouches for
	Keyring Keyring        // OpenPGP keys that it vouches for
	Revoked Revocations    // keys that it takes back
}

// Trust is what signatures are judged by. A key counts that one source vouches for, and none counts that one
// source takes back.
type Trust struct {
	Sources []Source
	Known   Keyring // OpenPGP keys that are here, and that nobody vouches for
}

// A Problem is a line of a file that cannot be used and was left out.
type Problem struct {
	Line int
	Text string // own words, nothing of the line
}

// Verify judges the signature of a tag over its payload. It consults nothing that binds the tag to a record:
// that is [Tag.Bind]. The standing is good, expired, unknown, revoked or bad. With an error that is
// [ErrUndecided] the verdict is what holds if nobody else can be asked.
func (t Trust) Verify(tag Tag, now time.Time) (Verdict, error) {
	var v Verdict
	var err error
	switch tag.Form() {
	case FormSSH:
		v, err = t.judgeSSH(tag, now)
	case FormOpenPGP:
		v, err = t.judgeOpenPGP(tag, now)
	case FormX509:
		v, err = askElsewhere(Verdict{}, "it is an x509 signature")
	default:
		v = badVerdict("the signature is of no known form")
	}
	if !tag.commit && !tag.Formed() && (v.Standing == Good || v.Standing == Expired) {
		v.Standing, v.By = Unknown, ""
		v.Why = "the signature is fine, but the tag does not say what a record's tag says, so it was not " +
			"made for this"
	}
	return v, err
}

func badVerdict(why string) Verdict { return Verdict{Standing: Bad, Why: why} }

// judgeUnreadable is the answer to a signature that cannot be parsed, by an error that is [ErrUndecided] or
// not.
func judgeUnreadable(err error) (Verdict, error) {
	if errors.Is(err, ErrUndecided) {
		return askElsewhere(Verdict{}, "it is made by an algorithm that is not known")
	}
	return badVerdict("the signature is malformed, or is not exactly one"), nil
}

// askElsewhere is the answer where another program has to be asked.
func askElsewhere(v Verdict, reason string) (Verdict, error) {
	v.Standing, v.By = Unknown, ""
	v.Why = "nothing here can judge the signature: " + reason
	return v, fmt.Errorf("%w: %s", ErrUndecided, reason)
}

// A claim is what one entry of one source says of a signature.
type claim struct {
	standing  Standing
	by        string
	why       string
	undecided bool        // the standing is not final: why tells what could not be judged
	turns     []time.Time // moments at which the claim may change
	obscure   bool        // OpenPGP: the key bears a revocation that cannot be read
	key       string      // OpenPGP: fingerprint of the primary key
	names     []string    // OpenPGP: fingerprints under which the key may be taken back
}

// bestClaim returns the strongest claim and the first moment after now at which any of the claims may change.
func bestClaim(claims []claim, now time.Time) (claim, time.Time) {
	top := claims[0]
	var until time.Time
	for _, c := range claims {
		if c.claimRank() < top.claimRank() {
			top = c
		}
		for _, turn := range c.turns {
			if turn.After(now) && (until.IsZero() || turn.Before(until)) {
				until = turn
			}
		}
	}
	return top, until
}

// claimRank orders claims: a source that vouches outweighs one that does not, and what cannot be judged outweighs
// a no.
func (c claim) claimRank() int {
	if c.undecided {
		return 2
	}
	ranks := map[Standing]int{Good: 0, Expired: 1, Revoked: 3, Unknown: 4}
	if rank, ok := ranks[c.standing]; ok {
		return rank
	}
	return 5
}

// maxStore bounds the id of a store, in bytes.
const maxStore = 64

// IsStore reports whether text can be the id of a store, as it stands in the trailer of a tag: letters,
// digits, dots, dashes and underscores.
func IsStore(text string) bool {
	odd := func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') &&
			!strings.ContainsRune("._-", r)
	}
	return text != "" && len(text) <= maxStore && strings.IndexFunc(text, odd) < 0
}
