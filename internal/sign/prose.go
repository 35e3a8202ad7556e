package sign

import (
	"bytes"
	"strings"
)

// Prose returns what somebody may have written into a tag object: all but the lines of base64 in an armor, which are the
// bytes of the signature, and may look like anything. Of a tag or an armor that is malformed it is all.
func Prose(raw []byte) []byte {
	t, err := ParseTag(raw)
	if err != nil {
		return raw
	}
	headers, ok := t.armorHeaders()
	if !ok {
		return raw
	}
	return append(bytes.Clone(t.Payload), headers...)
}

// armorHeaders returns the headers of the tag's armor, which only those of OpenPGP have. It is false where the armor is
// malformed.
func (t Tag) armorHeaders() (string, bool) {
	switch t.Form() {
	case FormSSH:
		_, ok := dearmorSSH(t.Signature)
		return "", ok
	case FormOpenPGP:
		if _, ok := dearmorOpenPGP(t.Signature); !ok {
			return "", false
		}
		_, body, _ := strings.Cut(string(t.Signature), "\n")
		headers, _, ok := strings.Cut("\n"+body, "\n\n")
		return headers + "\n", ok
	case FormX509:
		body, ok := cutArmor(t.Signature, labelX509)
		if ok {
			_, ok = decodeArmor(body)
		}
		return "", ok
	default:
		return "", false
	}
}
