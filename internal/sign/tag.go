package sign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxTag bounds a tag object, in bytes.
const MaxTag = 65536

// ErrTag is in the chain of every error about a tag that is not of the one
// accepted form, or does not fit its record.
var ErrTag = errors.New("not a valid signature tag")

// Tag is a signed tag object in its parts.
type Tag struct {
	Object    string // object id of the blob
	Name      string // the last part of the ref
	Tagger    string // free text; nobody checks it
	Digest    string // hex SHA-256 of the blob's bytes, from the trailer
	Store     string // id of the store, from the trailer; may be empty
	Payload   []byte // the signed bytes
	Signature []byte // armored

	commit bool // it was read from a commit, which has another form
}

// Statement is what a signer vouches for.
type Statement struct {
	Object string // required: object id of the blob
	Name   string // required: ULID of the record
	Tagger string // required: "Name <mail> seconds zone", as git writes it
	Data   []byte // required: the bytes of the blob
	Store  string // id of the store
}

// Payload returns the bytes to sign: a tag object without its signature.
func (s Statement) Payload() []byte {
	t := Tag{Object: s.Object, Name: s.Name, Tagger: s.Tagger, Digest: digestOf(s.Data), Store: s.Store}
	return t.payloadOf()
}

// payloadOf returns the one payload that says what the tag's parts say.
func (t Tag) payloadOf() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "object %s\ntype blob\ntag %s\ntagger %s\n\n", t.Object, t.Name, t.Tagger)
	fmt.Fprintf(&b, "ltm record %s\n\nLtm-Format: 1\nLtm-Digest: sha256:%s\n", t.Name, t.Digest)
	if t.Store != "" {
		fmt.Fprintf(&b, "Ltm-Store: %s\n", t.Store)
	}
	return b.Bytes()
}

// ParseTag reads a tag object strictly: four headers in git's order, one
// message in UTF-8 in which no trailer stands twice, exactly one signature,
// and nothing behind it. The message may be another than that of a record:
// that is [Tag.Formed].
func ParseTag(raw []byte) (Tag, error) {
	if len(raw) > MaxTag || !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		return Tag{}, fmt.Errorf("%w: too large or not text", ErrTag)
	}
	payload, signature, err := splitSignature(raw)
	if err != nil {
		return Tag{}, err
	}
	head, message, ok := strings.Cut(string(payload), "\n\n")
	if !ok {
		return Tag{}, fmt.Errorf("%w: it has no message", ErrTag)
	}
	lines := strings.Split(head, "\n")
	if len(lines) != 4 {
		return Tag{}, fmt.Errorf("%w: want exactly the headers object, type, tag and tagger", ErrTag)
	}
	var t Tag
	var kind string
	for i, field := range []struct {
		name string
		dst  *string
	}{{"object ", &t.Object}, {"type ", &kind}, {"tag ", &t.Name}, {"tagger ", &t.Tagger}} {
		value, ok := strings.CutPrefix(lines[i], field.name)
		if !ok || value == "" {
			return Tag{}, fmt.Errorf("%w: header %d is not %q", ErrTag, i+1, strings.TrimSpace(field.name))
		}
		*field.dst = value
	}
	switch {
	case kind != "blob":
		return Tag{}, fmt.Errorf("%w: it points at no blob", ErrTag)
	case !isLowerHex(t.Object, 40) && !isLowerHex(t.Object, 64):
		return Tag{}, fmt.Errorf("%w: its object is not the name of one", ErrTag)
	case t.When().IsZero():
		return Tag{}, fmt.Errorf("%w: its tagger has no time", ErrTag)
	}
	t.Payload, t.Signature = payload, signature
	t.Digest, t.Store, err = parseTrailers(message)
	if err != nil {
		return Tag{}, err
	}
	return t, nil
}

// When returns the time that the tagger claims. It is the zero time where there is none, which no tag has
// that was parsed.
func (t Tag) When() time.Time {
	at := strings.LastIndex(t.Tagger, "> ")
	if at < 0 {
		return time.Time{}
	}
	seconds, zone, ok := strings.Cut(t.Tagger[at+2:], " ")
	if !ok || len(zone) != 5 || zone[0] != '+' && zone[0] != '-' ||
		strings.Trim(zone[1:], "0123456789") != "" {
		return time.Time{}
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n < 0 || n > 1<<40 || strconv.FormatInt(n, 10) != seconds {
		return time.Time{}
	}
	return time.Unix(n, 0)
}

// parseTrailers reads the trailers wherever they stand in the message.
func parseTrailers(message string) (sum, store string, err error) {
	seen := map[string]bool{}
	for line := range strings.SplitSeq(message, "\n") {
		name, value, _ := strings.Cut(line, ":")
		known := strings.EqualFold(name, "Ltm-Format") || strings.EqualFold(name, "Ltm-Digest") ||
			strings.EqualFold(name, "Ltm-Store")
		if !known {
			continue
		}
		name = strings.ToLower(name)
		if seen[name] {
			return "", "", fmt.Errorf("%w: a trailer stands twice", ErrTag)
		}
		seen[name] = true
		switch name {
		case "ltm-digest":
			sum = strings.TrimPrefix(value, " sha256:")
			if !isLowerHex(sum, 64) {
				return "", "", fmt.Errorf("%w: its digest is not one of SHA-256", ErrTag)
			}
		case "ltm-store":
			store = strings.TrimPrefix(value, " ")
		}
	}
	return sum, store, nil
}

// Formed tells whether the tag says exactly what a record's tag says, and nothing else. A tag that was made
// by hand, with another message, can be a fine signature of its holder, but not one of a record.
func (t Tag) Formed() bool {
	return isLowerHex(t.Digest, 64) && (t.Store == "" || IsStore(t.Store)) &&
		bytes.Equal(t.Payload, t.payloadOf())
}

func isLowerHex(s string, length int) bool {
	return len(s) == length && strings.Trim(s, "0123456789abcdef") == ""
}

// Bind checks that the tag speaks of this record: its name, its blob, and the
// digest of its bytes where the tag states one. It does not check the signature.
func (t Tag) Bind(name, object string, data []byte) error {
	switch {
	case t.Name != name:
		return fmt.Errorf("%w: it was made for another record", ErrTag)
	case t.Object != object:
		return fmt.Errorf("%w: it was made for another blob", ErrTag)
	case t.Digest != "" && t.Digest != digestOf(data):
		return fmt.Errorf("%w: the digest of the record differs", ErrTag)
	}
	return nil
}

// Examine reads a tag object and checks that it speaks of the record that stands under name. An error is in
// every case a bad tag. It does not check the signature: that is [Trust.Verify].
func Examine(raw []byte, name, object string, data []byte) (Tag, error) {
	t, err := ParseTag(raw)
	if err != nil {
		return Tag{}, err
	}
	return t, t.Bind(name, object, data)
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// ErrCommit is in the chain of every error about a commit that is not signed in the one accepted form.
var ErrCommit = errors.New("not a signed commit")

// ParseCommit reads a commit object that bears exactly one signature, and returns it as a tag that
// [Trust.Verify] can judge, by the time of the committer. It has no name, so it binds to no record.
func ParseCommit(raw []byte) (Tag, error) {
	if len(raw) > MaxTag || bytes.IndexByte(raw, 0) >= 0 {
		return Tag{}, fmt.Errorf("%w: too large or not text", ErrCommit)
	}
	head, message, ok := strings.Cut(string(raw), "\n\n")
	if !ok || !strings.HasPrefix(head, "tree ") {
		return Tag{}, fmt.Errorf("%w: it is no commit with a message", ErrCommit)
	}
	var payload, signature strings.Builder
	signatures, committers, inside := 0, 0, false
	t := Tag{commit: true}
	for line := range strings.SplitSeq(head, "\n") {
		name, value, _ := strings.Cut(line, " ")
		inside = inside && name == ""
		switch name {
		case "gpgsig", "gpgsig-sha256":
			signatures++
			inside = true
		case "committer":
			committers++
			t.Tagger = value
		}
		if inside {
			signature.WriteString(value + "\n")
		} else {
			payload.WriteString(line + "\n")
		}
	}
	t.Payload = []byte(payload.String() + "\n" + message)
	t.Signature = []byte(strings.TrimRight(signature.String(), "\n") + "\n")
	if signatures != 1 || committers != 1 || t.When().IsZero() {
		return Tag{}, fmt.Errorf("%w: it has %d signatures and %d committers, want one of each", ErrCommit,
			signatures, committers)
	}
	return t, nil
}

// Prose returns what somebody may have written into a tag object: all but the lines of base64 in an armor,
// which are the bytes of the signature, and may look like anything. Of a tag or an armor that is malformed it
// is all.
func Prose(raw []byte) []byte {
	t, err := ParseTag(raw)
	if err != nil {
		return raw
	}
	prose, ok := bytes.Clone(t.Payload), false
	switch t.Form() {
	case FormSSH:
		_, ok = dearmorSSH(t.Signature)
	case FormX509:
		_, ok = decodeArmor(cutArmor(t.Signature, labelX509))
	case FormOpenPGP: // The headers of its armor are free text.
		_, ok = dearmorOpenPGP(t.Signature)
		_, body, _ := strings.Cut(string(t.Signature), "\n")
		headers, _, _ := strings.Cut("\n"+body, "\n\n")
		prose = append(prose, headers+"\n"...)
	}
	if !ok {
		return raw
	}
	return prose
}
