package sign

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
)

// Form is the kind of a signature.
type Form string

// The forms that git knows.
const (
	FormSSH     Form = "ssh"
	FormOpenPGP Form = "openpgp"
	FormX509    Form = "x509"
)

const (
	labelSSH     = "SSH SIGNATURE"
	labelOpenPGP = "PGP SIGNATURE"
	labelX509    = "SIGNED MESSAGE"
)

// maxArmorLine bounds a line of base64 in an armor.
const maxArmorLine = 128

// Form tells the kind of the tag's signature from its first line. It is empty for a kind that is refused,
// such as the message that old programs wrote in the place of a signature.
func (t Tag) Form() Form {
	first, _, _ := strings.Cut(string(t.Signature), "-----\n")
	forms := map[string]Form{labelSSH: FormSSH, labelOpenPGP: FormOpenPGP, labelX509: FormX509}
	label, _ := strings.CutPrefix(first, "-----BEGIN ")
	return forms[label]
}

// splitSignature finds the signature as git does, at the last line that begins one, and
// refuses a second signature and whatever stands behind the armor.
func splitSignature(raw []byte) (payload, signature []byte, err error) {
	at, begins := -1, 0
	offset := 0
	for line := range bytes.Lines(raw) {
		for _, label := range []string{labelOpenPGP, "PGP MESSAGE", labelX509, labelSSH} { // as git takes them
			if bytes.HasPrefix(line, []byte("-----BEGIN "+label+"-----")) {
				at = offset
				begins++
			}
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

// dearmorSSH returns the bytes in the armor of an SSH signature. Between its first and its last line stand
// lines of base64 and nothing else.
func dearmorSSH(armored []byte) ([]byte, bool) {
	return decodeArmor(cutArmor(armored, labelSSH))
}

// dearmorOpenPGP returns the bytes in the armor of an OpenPGP signature: headers, an empty line, lines of
// base64, and a checksum, which may be missing. What the headers say is free text that nobody reads.
func dearmorOpenPGP(armored []byte) ([]byte, bool) {
	body := cutArmor(armored, labelOpenPGP)
	for line := "-"; line != ""; {
		var found bool
		if line, body, found = strings.Cut(body, "\n"); !found || line != "" && !isArmorHeader(line) {
			return nil, false
		}
	}
	content, ok := strings.CutSuffix(body, "\n")
	if !ok {
		return nil, false
	}
	at := strings.LastIndexByte(content, '\n') + 1
	sum, summed := strings.CutPrefix(content[at:], "=")
	if summed {
		body = body[:at]
	}
	data, ok := decodeArmor(body)
	if !ok || summed && sum != crc24(data) {
		return nil, false
	}
	return data, true
}

// cutArmor returns what stands between the first and the last line of an armor, or nothing.
func cutArmor(armored []byte, label string) string {
	body, begun := strings.CutPrefix(string(armored), "-----BEGIN "+label+"-----\n")
	body, ended := strings.CutSuffix(body, "-----END "+label+"-----\n")
	if !begun || !ended {
		return ""
	}
	return body
}

// isArmorHeader takes a name of letters, a colon, and a blank with any text behind it.
func isArmorHeader(line string) bool {
	name, value, ok := strings.Cut(line, ":")
	return ok && name != "" && len(line) <= 1024 && (value == "" || value[0] == ' ') &&
		strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-") == ""
}

// decodeArmor decodes lines of base64, of which none is empty.
func decodeArmor(body string) ([]byte, bool) {
	if body == "" || body[len(body)-1] != '\n' {
		return nil, false
	}
	for line := range strings.SplitSeq(body[:len(body)-1], "\n") {
		if line == "" || len(line) > maxArmorLine || strings.Contains(line, "\r") {
			return nil, false
		}
	}
	data, err := base64.StdEncoding.Strict().DecodeString(body)
	return data, err == nil && len(data) > 0
}

// crc24 is the CRC-24 of OpenPGP in base64 (RFC 9580, 6.1).
func crc24(data []byte) string {
	crc := uint32(0xb704ce)
	for _, b := range data {
		crc ^= uint32(b) << 16
		for range 8 {
			crc <<= 1
			if crc&0x1000000 != 0 {
				crc ^= 0x864cfb
			}
		}
	}
	return base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, crc<<8)[:3])
}
