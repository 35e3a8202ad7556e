package sign

import (
	"errors"
	"time"
)

// ErrUndecided says that this package cannot judge a signature, and that git has to be asked.
var ErrUndecided = errors.New("the signature cannot be judged here")

// A Source is one place that says whose keys count.
type Source struct {
	Name    string         // for a person, such as "your git configuration"
	Signers AllowedSigners // SSH keys that it vouches for
	Keyring Keyring        // OpenPGP keys that it vouches for
	Revoked Revocations    // keys that it takes back
}

// Trust is what signatures are judged by. A key counts that one source vouches for, and none counts that one source takes
// back.
type Trust struct {
	Sources []Source
	Known   Keyring // OpenPGP keys that are here, and that nobody vouches for
}

// AllowedSigners are the entries of a file in the format that ssh-keygen(1) calls ALLOWED SIGNERS.
type AllowedSigners struct{}

// Keyring is a set of OpenPGP keys.
type Keyring struct{}

// Revocations is a set of keys that were taken back.
type Revocations struct{}

// A Problem is a line that cannot be used.
type Problem struct {
	Line int
	Text string
}

// ParseAllowedSigners reads the file.
func ParseAllowedSigners([]byte) (AllowedSigners, []Problem) { return AllowedSigners{}, nil }

// ParseKeyring reads OpenPGP keys.
func ParseKeyring([]byte) (Keyring, error) { return Keyring{}, nil }

// ParseRevocations reads keys that were taken back.
func ParseRevocations([]byte) (Revocations, []Problem) { return Revocations{}, nil }

// Verify judges the signature of a tag.
func (Trust) Verify(Tag, time.Time) (Verdict, error) { return Verdict{}, ErrUndecided }
