// Package sign says who vouches for some bytes.
//
// A signed record is an annotated tag object that points at the record's blob and is signed as `git tag -s` signs.
// This package knows the exact form of that tag, what binds it to a record, and how its signature is judged by the keys
// that a [Trust] vouches for. It promises that a tag which does not fit the record in every binding is never called
// anything but bad, and that what is called good was signed, byte by byte, by a key of the [Trust]. It is pure: it starts
// no process, reads no file and no clock, and never holds a private key.
package sign

import "time"

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
	switch s {
	case Good, Local, Expired, Unknown, Unsigned, Foreign:
		return false
	case Revoked, Bad:
		return true
	default:
		return true
	}
}

// Verdict is a standing and its reason.
type Verdict struct {
	Standing Standing
	By       string    // who holds the key, as a source of trust says: a principal or a user id; empty where no key is trusted
	Key      string    // fingerprint of the key: "SHA256:..." of SSH, hexadecimal of OpenPGP and x509; empty where there is none
	Why      string    // one sentence for a person
	Until    time.Time // from then on the verdict may be another; the zero time is never
}
