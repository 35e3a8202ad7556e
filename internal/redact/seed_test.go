package redact_test

import (
	"strings"
	"testing"
)

func TestScanText_seedPhrases(t *testing.T) {
	t.Parallel()

	// The first is a test vector of BIP 39, and its last word confirms it.
	good := strings.Join(
		[]string{"legal winner thank year", "wave sausage worth useful", "legal winner thank yellow"}, " ")
	other := strings.Join(
		[]string{"camera cheese dinner door", "eagle flower garden hammer", "island jacket kitchen ladder"},
		" ")
	holdsPlanted(t, good, []string{
		mark,
		"it gave me " + mark + " in the end",
		"wallet\n" + mark + "\n",
		"mnemonic: " + mark,
	})
	holdsPlanted(t, strings.ReplaceAll(good, " ", "\n"), []string{mark, "words:\n" + mark + "\nend"})
	holdsPlanted(t, other, []string{
		"seed phrase: " + mark,
		"MNEMONIC=\"" + mark + "\"",
		"My recovery phrase is " + mark + ", keep it safe.",
		"the mnemonic phrase: " + mark,
		"{\"seed_phrase\": \"" + mark + "\"}",
	})
	holdsPlanted(t, strings.ReplaceAll(other, " ", ", "), []string{"seed words: " + mark})
	holdsPlanted(t, strings.ReplaceAll(other, " ", `", "`), []string{`mnemonic: ["` + mark + `"]`})
	holdsPlanted(t, strings.ToUpper(other), []string{"SEED PHRASE: " + mark})
	holdsPlanted(t, other+" "+other, []string{"24-word seed phrase: " + mark})
	holdsNothing(t, []string{
		other,
		"mnemonic: every good boy does fine, or so they say",
		"the seed phrase is kept in a safe and nobody here has seen it",
		"seed: random number that makes each test run the same",
		strings.Repeat("legal ", 12),
		strings.Repeat("winner yellow ", 400),
		"mnemonic: " + strings.Repeat("winner yellow ", 400),
	})
}

func TestScanText_namedKeys(t *testing.T) {
	t.Parallel()

	m := newMaker()
	digits, numbers := m.body(hexes, 64), strings.TrimSuffix(strings.Repeat("12, 201, 7, 99, ", 16), ", ")
	holdsPlanted(t, "0x"+digits, []string{
		"the private key is " + mark,
		"ETH_PRIVATE_KEY=" + mark,
		"accounts: [\"" + mark + "\"]",
		"[\"" + mark + "\"] // deployer key",
		"spend key (secret): " + mark,
	})
	holdsPlanted(t, "5K"+m.body(lowers[:8]+"XYZ23456789", 49), []string{"wif: " + mark})
	holdsPlanted(t, numbers,
		[]string{"solana keypair: [" + mark + "]", "Keypair.fromSecretKey(Uint8Array.from([" + mark + "]))"})
	holdsPlanted(t, m.body(base64s, 86)+"==",
		[]string{"cache.host.test-1:" + mark, "ADD_ONION ED25519-V3:" + mark})
	holdsPlanted(t, m.body(hexes, 40)+"3",
		[]string{`{"kty":"EC","crv":"P-256","d":"` + mark + `"}`, `{"d": "` + mark + `", "kty": "OKP"}`})
	holdsPlanted(t, strings.TrimSuffix(strings.Repeat("123456-", 8), "-"),
		[]string{"BitLocker recovery key: " + mark})
	holdsPlanted(t, "SU"+"A"+m.body("ABCDEFGHIJKLMNOP234567", 55), []string{mark, "seed=\n" + mark + "\n"})
	holdsPlanted(t, "S"+"B"+m.body("ABCDEFGHIJKLMNOP234567", 54), []string{mark, "stellar: " + mark})
	holdsNothing(t, []string{
		"sha256 of the wallet: " + digits,
		"ethereum transaction hash 0x" + digits,
		"deployer tx 0x" + digits,
		"bitcoin block " + digits,
		"sha512:" + m.body(base64s, 86) + "==",
		"sha512-" + m.body(base64s, 86) + "==",
		"const keypair = [1, 2, 3]",
		`{"kty":"EC","crv":"P-256","x":"` + m.body(urlSafes, 43) + `"}`,
		`{"k": "` + m.body(alnums, 12) + `", "kty": "x"}`,
		"a == b && c == d",
	})
}
