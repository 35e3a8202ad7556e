package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
)

// TestScanText_evasion keeps the ways by which a token once slipped through. SPEC.
func TestScanText_evasion(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	coded := base64.StdEncoding.EncodeToString([]byte("use " + token))
	harmless := base64.StdEncoding.EncodeToString([]byte("nothing to see here, move along")) + " "
	password := "Xk29" + "vLq8Zp71"
	names, values := strings.Repeat(",name", 9000), strings.Repeat(",word", 9000)
	for name, text := range map[string]string{
		"behind many harmless segments":   strings.Repeat(harmless, 100) + coded,
		"base64 behind a word and a dash": "tok-" + coded,
		"base64 behind a path":            "a/" + coded,
		"hexadecimal digits behind 0x":    "0x" + hex.EncodeToString([]byte(token)),
		"aligned assignment":              "db_password          = " + password,
		"value far behind its sign":       "db_password =            " + password,
		"long password in an address": "https://u:" + strings.Repeat("0123456789abcdef", 50) +
			"@host.com/x",
		"split by a private character":        token[:10] + "\ue000" + token[10:],
		"split by a line separator":           token[:10] + "\u2028" + token[10:],
		"split by a mongolian selector":       token[:10] + "\u180b" + token[10:],
		"base64 behind several other dashes":  "a-b-c-" + coded,
		"base64 with the token in the middle": "see " + coded + " for it",
		"first of many columns":               "password" + names + "\n" + password + values + "\n",
		"last of many columns": "user" + names + ",password\nroot" + values + "," + password +
			"\n",
		"in a wide table with rules": "|password" + strings.Repeat("|name", 99) + "|\n" +
			strings.Repeat("|---", 100) + "|\n|" + password + strings.Repeat("|word", 99) + "|\n",
		"far below the head of a table": "user,password\n" + strings.Repeat("bob,word\n", 9000) +
			"root," + password + "\n",
		"as a place at home":       "password: ~/" + password,
		"as a place in a home":     "password=/home/bob/" + password,
		"as a place of a variable": "PASSWORD=$HOME/" + password,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(blockingSecrets(text)) == 0 {
				t.Error("not found")
			}
		})
	}
}

// TestScanText_escapedFar holds that what an escape hides is found between long texts, although a form is
// only searched around what the decoder changed.
func TestScanText_escapedFar(t *testing.T) {
	t.Parallel()
	password := "Xk29" + "vLq8Zp71"
	far := strings.Repeat("nothing of note in this line of text, nor in the next\n", 400)
	for name, text := range map[string]string{
		"name":  "db_p%61ssword = " + password,
		"sign":  "db_password &#61; " + password,
		"value": `db_password = "` + password[:4] + "&#x5f;" + password[4:] + `"`,
		"head of a table": "|user|p&#97;ssword|\n|---|---|\n" + strings.Repeat("|bob|word|\n", 1000) +
			"|root|" + password + "|\n",
		"sign of a table": "&#124;user|password|\n|---|---|\n|root|" + password + "|\n",
		"look-alike":      "db_p\u0430ssword = " + password,
	} {
		if len(blockingSecrets(text)) == 0 {
			t.Errorf("%s: not found in a short text", name)
		}
		if len(blockingSecrets(far+text+"\n"+far)) == 0 {
			t.Errorf("%s: not found in a long text", name)
		}
	}
}

// TestScanText_placeOfSecret holds that a place where a secret is kept is none.
func TestScanText_placeOfSecret(t *testing.T) {
	t.Parallel()
	holdsNothing(t, []string{
		"password_file=/home/bob/.pgpass", "password: ~/.pgpass", "password=/home/bob/.pgpass",
		"password: /run/secrets/db_password",
		"PASSWORD=$HOME/secret2.txt", "password: $CREDENTIALS_DIRECTORY/db-pass-2024",
		"password=$HOME/go1.22.3/bin/go",
	})
}
