package sign

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"

	"golang.org/x/crypto/ssh"
)

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
	s.Principals, s.Fingerprint, s.Authorized = principals, ssh.FingerprintSHA256(key), authorized(key)
	s.wire = key.Marshal()
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

// readKey reads a public key at the start of a text: its type, its bytes in base64, and whatever follows a blank.
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

// authorized returns a key as a line of an authorized_keys file, without a comment and without the line break.
func authorized(key ssh.PublicKey) string {
	return key.Type() + " " + base64.StdEncoding.EncodeToString(key.Marshal())
}
