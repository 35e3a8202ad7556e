package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

// keyText returns a private key block from its pieces, with line ends as given.
func keyText(m maker, lineEnd string) string {
	dashes, label := strings.Repeat("-", 5), "RSA PRIVATE "+"KEY"
	return dashes + "BEGIN " + label + dashes + lineEnd + m.body(base64s, 64) + lineEnd +
		m.body(base64s, 64) + lineEnd +
		m.body(base64s, 30) + "==" + lineEnd + dashes + "END " + label + dashes
}

func TestScanText_keyBlocks(t *testing.T) {
	t.Parallel()

	m := newMaker()
	label := "RSA PRIVATE " + "KEY"
	plain := keyText(m, "\n")
	_, cut, _ := strings.Cut(plain, "\n")
	for name, block := range map[string]string{
		"lines":         plain,
		"windows lines": keyText(m, "\r\n"),
		"indented":      keyText(m, "\n    "),
		"quoted":        keyText(m, "\n> "),
		"in a list":     keyText(m, "\n- "),
		"in a change":   keyText(m, "\n+"),
		"blanks":        keyText(m, " "),
		"escaped":       keyText(m, `\n`),
		"escaped twice": keyText(m, `\\n`),
		"of strings":    keyText(m, `", "`),
		"of HTML":       keyText(m, "<br>"),
		"small letters": strings.ReplaceAll(
			strings.ReplaceAll(plain, "BEGIN "+label, strings.ToLower("BEGIN "+label)), "END "+label,
			strings.ToLower("END "+label)),
		"long dashes": strings.ReplaceAll(plain, "-----", "\u2014"),
		"four dashes": strings.ReplaceAll(plain, "-----", "----"),
		"blank dashes": strings.ReplaceAll(strings.ReplaceAll(plain, "-----BEGIN", "---- BEGIN"), "-----END",
			"---- END"),
		"broken label": strings.Replace(plain, "RSA PRIVATE", "RSA\nPRIVATE", 1),
		"encrypted": strings.Replace(plain, "-----\n",
			"-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,"+m.body(hexes, 32)+"\n\n", 1),
		"no header": cut,
		"no footer": plain[:strings.LastIndex(plain, "\n")],
		"OpenVPN": strings.Replace(strings.Replace(plain, label, "OpenVPN Static "+"key V1", 1), label,
			"OpenVPN Static "+"key V1", 1),
		"nkey": strings.Replace(strings.Replace(plain, label, "USER NKEY "+"SEED", 1), label,
			"USER NKEY "+"SEED", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holdsPlanted(t, block,
				[]string{mark, "the key:\n" + mark + "\n\nis gone now", "x: \"" + mark + "\""})
		})
	}
}

func fromHex(t *testing.T, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatalf("decode %q: %v", digits, err)
	}
	return b
}

func TestScanText_keyBodies(t *testing.T) {
	t.Parallel()

	m := newMaker()
	body := m.body(words, 120)
	for name, head := range map[string]string{
		"PKCS #1":           "308204a40201000282010100",
		"PKCS #1, short":    "3082025c02010002818100",
		"PKCS #8 of RSA":    "308204bd020100300d06092a864886f70d0101010500",
		"PKCS #8 of P-256":  "308187020100301306072a8648ce3d020106082a8648ce3d030107",
		"SEC 1":             "30770201010420",
		"SEC 1 of P-384":    "3081a40201010430",
		"Ed25519":           "302e020100300506032b657004220420",
		"Ed25519 and more":  "3051020101300506032b657004220420",
		"encrypted PKCS #8": "3082051c304e06092a864886f70d01050d3041",
		"PKCS #12":          "30820a1102010330",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			der := append(fromHex(t, head), body...)
			holdsPlanted(t, base64.StdEncoding.EncodeToString(der),
				[]string{mark, "der: " + mark, `"` + mark + `"`})
			holdsPlanted(t, hex.EncodeToString(der), []string{mark, "0x" + mark, "der: " + mark + "\n"})
			holdsPlanted(t, strings.ToUpper(hex.EncodeToString(der)), []string{mark})
		})
	}
	holdsPlanted(t, "MII"+"K"+m.body(base64s, 200), []string{"P12_BASE64=" + mark})
	holdsPlanted(t, "RWRT"+"Y0Iy"+m.body(base64s, 200), []string{"untrusted comment: x\n" + mark})
}

func TestScanText_noKeys(t *testing.T) {
	t.Parallel()

	m := newMaker()
	dashes := strings.Repeat("-", 5)
	var certificates []string
	for _, head := range []string{
		"3082035930820241a003020102", // A certificate.
		"308202bc308201a402010030",   // A request for one.
		"30820122300d06092a864886f70d010101",
		"3082010a0282010100",
		"3059301306072a8648ce3d0201",
		"3082061106092a864886f70d010702",
		"30820111020100040670",
	} {
		der := append(fromHex(t, head), m.body(words, 120)...)
		certificates = append(certificates, base64.StdEncoding.EncodeToString(der), hex.EncodeToString(der))
	}
	holdsNothing(t, append(certificates,
		"the file begins with "+dashes+"BEGIN RSA PRIVATE "+"KEY"+dashes+" and ends with its END line",
		"grep -r 'BEGIN RSA PRIVATE "+"KEY' .",
		dashes+"BEGIN PRIVATE "+"KEY"+dashes+"\n...\n"+dashes+"END PRIVATE "+"KEY"+dashes,
		dashes+"BEGIN PRIVATE "+"KEY"+dashes+"\nxxxxxxxxxxxxxxxxxxxxxxxx\n"+dashes+"END PRIVATE "+"KEY"+
			dashes,
		dashes+"BEGIN CERTIFICATE"+dashes+"\n"+m.body(base64s, 64)+"\n"+dashes+"END CERTIFICATE"+dashes,
		dashes+"BEGIN PUBLIC KEY"+dashes+"\n"+m.body(base64s, 64)+"\n"+dashes+"END PUBLIC KEY"+dashes,
		"the PuTTY-User-Key-"+"File-2: format is old",
		"offset 3082 of 30813082 bytes",
	))
}

// TestScanText_emptyBlock holds that a block whose first and last line share their dashes is read without
// going back behind its beginning.
func TestScanText_emptyBlock(t *testing.T) {
	t.Parallel()
	dashes := strings.Repeat("-", 5)
	text := dashes + "BEGIN PRIVATE " + "KEY" + dashes + "END PRIVATE " + "KEY" + dashes + "\n" +
		newMaker().body(base64s, 64)
	if len(blockingSecrets(text)) == 0 {
		t.Error("an empty block in front of a key line passes, want a blocking finding")
	}
}
