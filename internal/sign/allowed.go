package sign

import (
	"bytes"
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// namespace is what git signs under; a signature made for another purpose is never one of a record.
const namespace = "git"

const blank = " \t\r\n"

// AllowedSigners are the entries of a file in the format that ssh-keygen(1) calls ALLOWED SIGNERS.
type AllowedSigners struct{ entries []Entry }

// An Entry is one line of the file: who may sign with which key.
type Entry struct {
	Principals  string    // patterns set apart by commas, without the quotes of the file
	Fingerprint string    // of the key, "SHA256:..."
	Authority   bool      // the key signs certificates, not records
	Namespaces  string    // patterns set apart by commas; empty is every purpose, unless the line says so
	After       time.Time // the first moment of the entry; zero is always
	Before      time.Time // the last moment of the entry; zero is never

	limited bool // the line has a list of namespaces
	wire    []byte
}

// ParseAllowedSigners reads the file as ssh-keygen reads it. A line that cannot be used is a problem and
// counts for nothing. A time without Z is one of the local zone.
func ParseAllowedSigners(text []byte) (AllowedSigners, []Problem) {
	var a AllowedSigners
	problems := readLines(text, func(line string) error {
		entry, err := parseEntry(line)
		if err == nil {
			a.entries = append(a.entries, entry)
		}
		return err
	})
	return a, problems
}

// readLines reads the lines that say something, and tells which cannot be used.
func readLines(text []byte, read func(line string) error) (problems []Problem) {
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.Trim(line, blank)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := read(line); err != nil {
			problems = append(problems, Problem{Line: i + 1, Text: err.Error()})
		}
	}
	return problems
}

// Entries returns the usable lines in the order of the file.
func (a AllowedSigners) Entries() []Entry { return slices.Clone(a.entries) }

// claimFor tells what the entry says of a signature by a key. It is false where the entry speaks of another key.
func (s Entry) claimFor(signer sshSigner, source string, signed, now time.Time) (claim, bool) {
	if s.Authority {
		return s.claimCertificate(signer, source, signed, now)
	}
	if signer.certificate != nil || !bytes.Equal(s.wire, signer.key.Marshal()) {
		return claim{}, false
	}
	if !s.ForGit() {
		return claim{standing: Unknown, why: notForGit}, true
	}
	// A name that the list of patterns takes: the first of its own patterns that the whole list takes.
	patterns := strings.Split(s.Principals, ",")
	i := slices.IndexFunc(patterns, func(pattern string) bool {
		return pattern != "" && !strings.HasPrefix(pattern, "!") && matchList(s.Principals, pattern)
	})
	if i < 0 {
		return claim{standing: Unknown, why: "the key is listed for nobody"}, true
	}
	return claimWithin(patterns[i], source+" trusts the key", signed, now, s.listedTerm()), true
}

// listedTerm is the time for which the key is listed.
func (s Entry) listedTerm() term {
	return term{
		window:  window{s.After, s.Before},
		never:   "the key is listed, but not for the time at which this was signed",
		pending: "the key is listed for a time that has not begun",
		ended:   "the time for which the key is listed has ended since",
	}
}

// ForGit tells whether the entry is for signatures of git.
func (s Entry) ForGit() bool { return !s.limited || matchList(s.Namespaces, namespace) }

const notForGit = "the key is listed, but not for signatures of git"

// parseEntry reads "principals [options] type base64 [comment]".
func parseEntry(line string) (Entry, error) {
	if strings.IndexByte(line, 0) >= 0 {
		return Entry{}, errors.New("the line holds a zero byte")
	}
	principals, rest, ok := cutPrincipals(line)
	if !ok {
		return Entry{}, errors.New("a quote is not closed, or no key follows the principals")
	}
	var s Entry
	key, ok := readKey(rest)
	if !ok {
		options, tail, closed := cutOptions(rest)
		if !closed {
			return Entry{}, errors.New("a quote is not closed")
		}
		if key, ok = readKey(tail); !ok {
			return Entry{}, errors.New("no key of a known type stands behind principals and options")
		}
		var err error
		if s, err = parseOptions(options); err != nil {
			return Entry{}, err
		}
	}
	if _, ok := key.(*ssh.Certificate); ok {
		return Entry{}, errors.New("it lists a certificate instead of a key")
	}
	s.Principals, s.Fingerprint, s.wire = principals, ssh.FingerprintSHA256(key), key.Marshal()
	return s, nil
}

// cutPrincipals cuts the first field off a line. A quote may begin anywhere in the field, and ends it.
func cutPrincipals(line string) (field, rest string, ok bool) {
	i := strings.IndexAny(line, blank+`"`)
	if i < 0 {
		return "", "", false
	}
	field, rest = line[:i], line[i+1:]
	if line[i] == '"' {
		quoted, tail, closed := strings.Cut(rest, `"`)
		if !closed {
			return "", "", false
		}
		field, rest = field+quoted, tail
	}
	return field, strings.TrimLeft(rest, blank), true
}

// cutOptions cuts at the first blank that stands in no quotes.
func cutOptions(s string) (options, rest string, closed bool) {
	quoted := false
	i := 0
	for ; i < len(s) && (quoted || s[i] != ' ' && s[i] != '\t'); i++ {
		switch {
		case strings.HasPrefix(s[i:], `\"`):
			i++
		case s[i] == '"':
			quoted = !quoted
		}
	}
	return s[:i], strings.TrimLeft(s[i:], " \t"), !quoted
}

// readKey reads a public key at the start of a text: its type, its bytes in base64, and whatever follows a
// blank.
func readKey(s string) (ssh.PublicKey, bool) {
	kind, rest := cutBlank(s)
	text, _ := cutBlank(rest)
	wire, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || text == "" {
		return nil, false
	}
	key, err := ssh.ParsePublicKey(wire)
	if err != nil || key.Type() != kind || !bytes.Equal(key.Marshal(), wire) {
		return nil, false
	}
	return key, true
}

func cutBlank(s string) (head, rest string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], " \t")
}

// authorizedLine returns a key as a line of an authorized_keys file, without a comment and without the line
// break.
func authorizedLine(key ssh.PublicKey) string {
	return key.Type() + " " + base64.StdEncoding.EncodeToString(key.Marshal())
}

// parseOptions reads options set apart by commas. An option that is not known makes the line unusable.
func parseOptions(options string) (Entry, error) {
	var s Entry
	for options != "" {
		rest, err := parseOption(&s, options)
		if err != nil {
			return Entry{}, err
		}
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return Entry{}, errors.New("an option is not known")
		}
		if options = rest[1:]; options == "" {
			return Entry{}, errors.New("an option is missing behind the last comma")
		}
	}
	if !s.After.IsZero() && !s.Before.IsZero() && !s.Before.After(s.After) {
		return Entry{}, errors.New("valid-before is not later than valid-after")
	}
	return s, nil
}

// parseOption reads one option where one stands, and returns what follows.
func parseOption(s *Entry, text string) (rest string, err error) {
	if rest, ok := cutPrefixFold(text, "cert-authority"); ok {
		s.Authority = true
		return rest, nil
	}
	if rest, ok := cutPrefixFold(text, "namespaces="); ok {
		if s.limited {
			return "", errors.New("namespaces stands twice")
		}
		s.limited = true
		s.Namespaces, rest, err = cutQuoted(rest)
		return rest, err
	}
	for _, limit := range []struct {
		name string
		dst  *time.Time
	}{{"valid-after=", &s.After}, {"valid-before=", &s.Before}} {
		rest, ok := cutPrefixFold(text, limit.name)
		if !ok {
			continue
		}
		if !limit.dst.IsZero() {
			return "", errors.New(limit.name + " stands twice")
		}
		value, rest, err := cutQuoted(rest)
		if err != nil {
			return "", err
		}
		*limit.dst, err = parseTime(value, time.Local)
		return rest, err
	}
	return text, nil
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// cutQuoted reads a value in quotes, in which \" is a quote.
func cutQuoted(s string) (value, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", errors.New("the value of an option does not stand in quotes")
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case strings.HasPrefix(s[i:], `\"`):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", errors.New("a quote is not closed")
}

// matchList tells whether a list of patterns, set apart by commas, takes a name. A pattern behind ! that
// takes the name decides against it, wherever it stands.
func matchList(list, name string) bool {
	matched := false
	for pattern := range strings.SplitSeq(list, ",") {
		pattern, negated := strings.CutPrefix(pattern, "!")
		if !matchPattern(pattern, name) {
			continue
		}
		if negated {
			return false
		}
		matched = true
	}
	return matched && list != ""
}

// matchPattern tells whether a pattern takes the whole of a name: * is any bytes, ? is one byte. It goes
// back to the last star only, so that its time is at most the product of both lengths.
func matchPattern(pattern, name string) bool {
	star, from := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// krlMagic begins a binary key revocation list of OpenSSH.
const krlMagic = "SSHKRL\n\x00"

// Revocations is a set of keys that were taken back, whatever the time of a signature.
type Revocations struct {
	fingerprints map[string]bool // "SHA256:..." of SSH, upper-case hexadecimal of OpenPGP
	opaque       bool
}

// ParseRevocations reads one key a line: an SSH public key, the SHA256 fingerprint of one, or the fingerprint
// of an OpenPGP key or subkey; # begins a comment. A line that cannot be read is a problem. A binary
// revocation list of OpenSSH is not read here: the result is opaque.
func ParseRevocations(text []byte) (Revocations, []Problem) {
	if bytes.HasPrefix(text, []byte(krlMagic)) {
		return Revocations{opaque: true}, nil
	}
	r := Revocations{fingerprints: map[string]bool{}}
	return r, readLines(text, r.addLine)
}

func (r Revocations) addLine(line string) error {
	if key, ok := readKey(line); ok {
		if cert, ok := key.(*ssh.Certificate); ok {
			key = cert.Key // as ssh-keygen shows it
		}
		r.fingerprints[ssh.FingerprintSHA256(key)] = true
		return nil
	}
	line, _, _ = strings.Cut(line, "#")
	if fields := strings.Fields(line); len(fields) > 0 && isSSHFingerprint(fields[0]) {
		r.fingerprints[fields[0]] = true
		return nil
	}
	hex := strings.ToUpper(strings.Join(strings.Fields(line), ""))
	hex = strings.TrimPrefix(hex, "0X")
	if !isHex(hex, 40) && !isHex(hex, 64) {
		return errors.New("it is neither a key nor a fingerprint")
	}
	r.fingerprints[hex] = true
	return nil
}

func isSSHFingerprint(s string) bool {
	text, ok := strings.CutPrefix(s, "SHA256:")
	sum, err := base64.RawStdEncoding.Strict().DecodeString(text)
	return ok && err == nil && len(sum) == 32
}

func isHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789ABCDEF") == ""
}

// Opaque tells that the file is one that only OpenSSH can read, so that no SSH signature can be judged here.
func (r Revocations) Opaque() bool { return r.opaque }

// Lines returns the fingerprints in order.
func (r Revocations) Lines() []string {
	return slices.Sorted(maps.Keys(r.fingerprints))
}

// Holds tells whether a fingerprint is listed, of an SSH key as "SHA256:...", of an OpenPGP key in upper-case
// hexadecimal.
func (r Revocations) Holds(fingerprint string) bool {
	return r.fingerprints[fingerprint]
}
