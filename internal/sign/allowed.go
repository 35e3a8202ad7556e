package sign

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// namespace is what git signs under; a signature made for another purpose is never one of a record.
const namespace = "git"

const blank = " \t\r\n"

// AllowedSigners are the entries of a file in the format that ssh-keygen(1) calls ALLOWED SIGNERS.
type AllowedSigners struct{ entries []Entry }

// An Entry is one line of the file: who may sign with which key.
type Entry struct {
	Line        int
	Principals  string    // patterns set apart by commas, without the quotes of the file
	Fingerprint string    // of the key, "SHA256:..."
	Authorized  string    // the key as its type and its bytes in base64
	Authority   bool      // the key signs certificates, not records
	Namespaces  string    // patterns set apart by commas; empty is every purpose, unless the line says so
	After       time.Time // the first moment of the entry; zero is always
	Before      time.Time // the last moment of the entry; zero is never

	limited bool // the line has a list of namespaces
	wire    []byte
}

// ParseAllowedSigners reads the file as ssh-keygen reads it. A line that cannot be used is a problem and counts for
// nothing. A time without Z is one of the local zone.
func ParseAllowedSigners(text []byte) (AllowedSigners, []Problem) {
	var a AllowedSigners
	var problems []Problem
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.Trim(line, blank)
		if line == "" || line[0] == '#' {
			continue
		}
		entry, err := parseEntry(line)
		if err != nil {
			problems = append(problems, Problem{Line: i + 1, Text: err.Error()})
			continue
		}
		entry.Line = i + 1
		a.entries = append(a.entries, entry)
	}
	return a, problems
}

// Entries returns the usable lines in the order of the file.
func (a AllowedSigners) Entries() []Entry { return slices.Clone(a.entries) }

// claim tells what the entry says of a signature by a key. It is false where the entry speaks of another key.
func (s Entry) claim(signer sshSigner, source string, signed, now time.Time) (claim, bool) {
	if s.Authority {
		return s.claimCertificate(signer, source, signed, now)
	}
	if signer.certificate != nil || !bytes.Equal(s.wire, signer.key.Marshal()) {
		return claim{}, false
	}
	if c, refused := s.refusal(); refused {
		return c, true
	}
	by, ok := firstName(s.Principals)
	if !ok {
		return claim{standing: Unknown, why: "the key is listed for nobody"}, true
	}
	return within(by, source+" vouches for the key", signed, now, s.term()), true
}

// term is the time for which the key is listed.
func (s Entry) term() term {
	return term{
		window:  window{s.After, s.Before},
		never:   "the key is listed, but not for the time at which this was signed",
		pending: "the key is listed for a time that has not begun",
		ended:   "the time for which the key is listed has ended since",
	}
}

// ForGit tells whether the entry is for signatures of git.
func (s Entry) ForGit() bool { return !s.limited || matchList(s.Namespaces, namespace) }

// refusal tells whether the entry is not for signatures of git.
func (s Entry) refusal() (claim, bool) {
	if s.ForGit() {
		return claim{}, false
	}
	return claim{standing: Unknown, why: "the key is listed, but not for signatures of git"}, true
}
