package sign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
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
	var b bytes.Buffer
	fmt.Fprintf(&b, "object %s\ntype blob\ntag %s\ntagger %s\n\n", s.Object, s.Name, s.Tagger)
	fmt.Fprintf(&b, "ltm record %s\n\nLtm-Format: 1\nLtm-Digest: sha256:%s\n", s.Name, digest(s.Data))
	if s.Store != "" {
		fmt.Fprintf(&b, "Ltm-Store: %s\n", s.Store)
	}
	return b.Bytes()
}

// ParseTag reads a tag object strictly: four headers in git's order, one
// message in UTF-8, exactly one signature, and nothing behind it.
func ParseTag(raw []byte) (Tag, error) {
	if len(raw) > MaxTag || !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		return Tag{}, fmt.Errorf("%w: too large or not text", ErrTag)
	}
	payload, signature, err := split(raw)
	if err != nil {
		return Tag{}, err
	}
	head, message, ok := strings.Cut(string(payload), "\n\n")
	lines := strings.Split(head, "\n")
	if !ok || len(lines) != 4 {
		return Tag{}, fmt.Errorf("%w: want exactly the headers object, type, tag and tagger", ErrTag)
	}
	t := Tag{Payload: payload, Signature: signature}
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
	if kind != "blob" {
		return Tag{}, fmt.Errorf("%w: it points at no blob", ErrTag)
	}
	t.Digest, t.Store = trailers(message)
	return t, nil
}

// split finds the signature as git does, at the last line that begins one, and
// refuses a second signature and whatever stands behind the armor.
func split(raw []byte) (payload, signature []byte, err error) {
	at, begins := -1, 0
	offset := 0
	for line := range bytes.Lines(raw) {
		if beginsSignature(line) {
			at = offset
			begins++
		}
		offset += len(line)
	}
	if begins != 1 {
		return nil, nil, fmt.Errorf("%w: it holds %d signatures, want 1", ErrTag, begins)
	}
	signature = raw[at:]
	first, _, _ := bytes.Cut(signature, []byte("\n"))
	end := bytes.Replace(first, []byte("BEGIN"), []byte("END"), 1)
	i := bytes.Index(signature, append([]byte("\n"), end...))
	if i < 0 || string(signature[i+1:]) != string(end)+"\n" {
		return nil, nil, fmt.Errorf("%w: text follows the signature, or its end is missing", ErrTag)
	}
	return raw[:at], signature, nil
}

// beginsSignature tells whether git takes a line of a tag object for the
// beginning of a signature (its gpg-interface).
func beginsSignature(line []byte) bool {
	for _, marker := range [...]string{
		"-----BEGIN PGP SIGNATURE-----",
		"-----BEGIN PGP MESSAGE-----",
		"-----BEGIN SIGNED MESSAGE-----",
		"-----BEGIN SSH SIGNATURE-----",
	} {
		if bytes.HasPrefix(line, []byte(marker)) {
			return true
		}
	}
	return false
}

func trailers(message string) (sum, store string) {
	for line := range strings.SplitSeq(message, "\n") {
		if v, ok := strings.CutPrefix(line, "Ltm-Digest: sha256:"); ok {
			sum = v
		}
		if v, ok := strings.CutPrefix(line, "Ltm-Store: "); ok {
			store = v
		}
	}
	return sum, store
}

// Bind checks that the tag speaks of this record: its name, its blob, and the
// digest of its bytes where the tag states one. It does not check the signature.
func (t Tag) Bind(name, object string, data []byte) error {
	switch {
	case t.Name != name:
		return fmt.Errorf("%w: it was made for another record", ErrTag)
	case t.Object != object:
		return fmt.Errorf("%w: it was made for another blob", ErrTag)
	case t.Digest != "" && t.Digest != digest(data):
		return fmt.Errorf("%w: the digest of the record differs", ErrTag)
	}
	return nil
}

// Judge returns the verdict on a record that stands under name, from its raw
// tag object; no tag means that it is unsigned. Keys are not consulted: a tag
// that fits in every binding is unknown.
func Judge(raw []byte, name, object string, data []byte) Verdict {
	if len(raw) == 0 {
		return Verdict{Standing: Unsigned, Why: "nobody signed it"}
	}
	t, err := ParseTag(raw)
	if err == nil {
		err = t.Bind(name, object, data)
	}
	if err != nil {
		return Verdict{Standing: Bad, Why: err.Error()}
	}
	return Verdict{Standing: Unknown, Why: "it is signed, and this version does not check keys yet: try git verify-tag"}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
