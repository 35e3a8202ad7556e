package sign_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// gpg runs the program in the ring, and returns what it wrote to both streams.
func gpg(tb testing.TB, home *keytest.Home, stdin string, args ...string) ([]byte, error) {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "gpg", append([]string{"--batch", "--quiet"}, args...)...)
	cmd.Env, cmd.Stdin = home.Env(), strings.NewReader(stdin)
	return cmd.Output()
}

// gpgStatus is the second judge: the first word of gpg's about a signature.
func gpgStatus(tb testing.TB, home *keytest.Home, payload, signature []byte) string {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "sig")
	if err := os.WriteFile(file, signature, 0o600); err != nil {
		tb.Fatal(err)
	}
	out, err := gpg(tb, home, string(payload), "--status-fd=1", "--verify", file, "-")
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) > 1 && slices.Contains(
			[]string{"GOODSIG", "EXPSIG", "EXPKEYSIG", "REVKEYSIG", "BADSIG", "ERRSIG"}, f[1]) {
			if f[1] == "GOODSIG" && err != nil {
				return "GOODSIG, and it fails"
			}
			return f[1]
		}
	}
	return "nothing"
}

// dearmor returns the packets in an armor of gpg's making.
func dearmor(tb testing.TB, armored []byte) []byte {
	tb.Helper()
	_, body, _ := strings.Cut(string(armored), "\n\n")
	body, _, _ = strings.Cut(body, "\n=")
	packets, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		tb.Fatal(err)
	}
	return packets
}

func enarmor(packets []byte) []byte {
	var b strings.Builder
	b.WriteString("-----BEGIN PGP SIGNATURE-----\n\n")
	for chunk := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(packets)), 64) {
		b.WriteString(string(chunk) + "\n")
	}
	return []byte(b.String() + "-----END PGP SIGNATURE-----\n")
}

type pgpCase struct {
	name      string
	payload   []byte
	signature []byte
	key       string // fingerprint of the primary key
	want      string // by a source that vouches for every key
	gpg       string // what gpg says
}

// pgpCases makes keys and signatures with gpg. At most of them nothing is wrong but the one thing.
func pgpCases(t *testing.T, home *keytest.Home, at time.Time) []pgpCase {
	t.Helper()
	payload := statement(at).Payload()
	var cases []pgpCase
	add := func(name, key string, signature []byte, want, gpg string) {
		cases = append(cases, pgpCase{name, payload, signature, key, want, gpg})
	}
	made := func(algorithm string) string {
		uid := fmt.Sprintf("Ada Tester (%d) <ada@example.com>", len(cases))
		return home.GenerateAt(at.Add(-time.Hour), uid, algorithm, "never")
	}
	signed := func(key string, options ...string) []byte {
		out, err := gpg(t, home, string(payload),
			append(options, "--faked-system-time", at.UTC().Format("20060102T150405!"), "-bsau", key+"!")...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	ed := made("ed25519")
	good := signed(ed)
	add("ed25519", ed, good, "good", "GOODSIG")
	add("for texts", ed, signed(ed, "--textmode"), "good", "GOODSIG")
	add("by SHA-1", ed, signed(ed, "--digest-algo", "SHA1"), "undecided", "GOODSIG")
	// git refuses it
	add("two in a block", ed, enarmor(slices.Concat(dearmor(t, good), dearmor(t, good))), "bad", "GOODSIG")
	add("dated in the future", ed, home.Sign(ed, payload, at.Add(24*time.Hour)), "unknown", "GOODSIG")
	add("with an end that came", ed, signed(ed, "--default-sig-expire", "seconds=60"), "expired", "EXPSIG")
	cases = append(cases,
		pgpCase{
			"text changed", bytes.Replace(payload, []byte("Ada"), []byte("Eve"), 1), good, ed, "bad",
			"BADSIG",
		})
	rsa := made("rsa2048")
	add("rsa2048", rsa, signed(rsa), "good", "GOODSIG")
	weak := made("rsa1024")
	add("rsa1024", weak, signed(weak), "undecided", "GOODSIG")
	dsa := made("dsa2048")
	add("dsa2048", dsa, signed(dsa), "undecided", "GOODSIG")
	expired := made("ed25519")
	add("key expired since", expired, signed(expired), "expired", "EXPKEYSIG")
	home.ExpireAt(expired, at.Add(10*time.Minute))
	before := made("ed25519")
	add("key expired before", before, signed(before), "unknown", "EXPKEYSIG")
	home.ExpireAt(before, at.Add(-10*time.Minute))
	renewed := made("ed25519")
	add("end of the key put off since", renewed, signed(renewed), "good", "GOODSIG")
	if _, err := gpg(t, home, "", "--quick-set-expire", renewed, "1y"); err != nil {
		t.Fatal(err)
	}
	revoked := made("ed25519")
	add("key revoked since", revoked, signed(revoked), "revoked", "REVKEYSIG")
	home.Revoke(revoked)
	sub := home.GenerateAt(at.Add(-time.Hour), "Bob <bob@example.com>", "ed25519", "never")
	first, second := addSubkey(t, home, sub, at), addSubkey(t, home, sub, at)
	add("subkey", sub, signed(first), "good", "GOODSIG")
	add("subkey revoked since", sub, signed(second), "revoked", "REVKEYSIG")
	if _, err := gpg(t, home, "key 2\nrevkey\ny\n1\n\ny\nsave\n", "--no-batch", "--command-fd=0", "--no-tty",
		"--edit-key", sub); err != nil {
		t.Fatal(err)
	}
	return cases
}

func addSubkey(tb testing.TB, home *keytest.Home, key string, at time.Time) string {
	tb.Helper()
	out, err := gpg(tb, home, "", "--status-fd=1", "--pinentry-mode", "loopback", "--passphrase", "",
		"--faked-system-time", at.Add(-time.Minute).UTC().Format("20060102T150405!"), "--quick-add-key", key,
		"ed25519", "sign", "never")
	f := strings.Fields(string(out))
	i := slices.Index(f, "KEY_CREATED")
	if err != nil || i < 0 {
		tb.Fatal(err, string(out))
	}
	return f[i+2]
}

// SPEC.
func TestTrust_Verify_openPGP(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	cases := pgpCases(t, home, at)
	all, err := sign.ParseKeyring(home.ExportArmored())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := gpgStatus(t, home, tt.payload, tt.signature); got != tt.gpg {
				t.Errorf("gpg says %s, want %s", got, tt.gpg)
			}
			tag := parse(t, slices.Concat(tt.payload, tt.signature))
			vouched := sign.Trust{Sources: []sign.Source{{Name: "the test", Keyring: all}}}
			got, v := judged(t, vouched, tag, time.Now())
			if got != tt.want {
				t.Errorf("Verify = %q (%s), want %q", got, v.Why, tt.want)
			}
			if tt.want != "bad" && v.Key != tt.key {
				t.Errorf("Key = %q, want the primary key %q", v.Key, tt.key)
			}
			if named := got == "good" || got == "expired"; named != (v.By != "") ||
				named && !strings.Contains(v.By, "@example.com>") {
				t.Errorf("By = %q of %q", v.By, got)
			}
			want := map[string]string{"bad": "bad", "revoked": "revoked"}[tt.want]
			if want == "" {
				want = "unknown"
			}
			if got, v := judged(t, sign.Trust{Known: all}, tag, time.Now()); got != want {
				t.Errorf("of a key that is only known: Verify = %q (%s), want %q", got, v.Why, want)
			}
			if got, _ := judged(t, sign.Trust{}, tag, time.Now()); got != "unknown" &&
				tt.name != "two in a block" {
				t.Errorf("of no key: Verify = %q, want unknown", got)
			}
			if want == "unknown" {
				takenBack(t, vouched, tag, tt.key)
			}
		})
	}
}

// takenBack checks that a source which takes a key back is heard, with the key and without it.
func takenBack(t *testing.T, trust sign.Trust, tag sign.Tag, key string) {
	t.Helper()
	for _, fingerprint := range []string{key, tag.Issuers()[0]} {
		revoked, problems := sign.ParseRevocations([]byte(fingerprint + "\n"))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		no := sign.Source{Name: "another", Revoked: revoked}
		if got, v := judged(t, sign.Trust{Sources: []sign.Source{trust.Sources[0], no}}, tag,
			time.Now()); got != "revoked" {
			t.Errorf("with %s taken back: Verify = %q (%s), want revoked", fingerprint, got, v.Why)
		}
	}
	issuer, _ := sign.ParseRevocations([]byte(tag.Issuers()[0]))
	if got, v := judged(t, sign.Trust{Sources: []sign.Source{{Revoked: issuer}}}, tag, time.Now()); got !=
		"revoked" {
		t.Errorf("without the key: Verify = %q (%s), want revoked", got, v.Why)
	}
}

// A ring tells its keys, gives some of them, and takes others in.
func TestKeyring(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	ada := home.Generate("Ada Tester <ada@example.com>", "ed25519", "1y")
	bob := home.Generate("Bob <bob@example.com>", "ed25519", "never")
	sub := home.AddSubkey(bob, "ed25519", "never")
	texts := slices.Concat(home.ExportArmored(ada), []byte("words between\n"), home.ExportArmored(bob))
	ring, err := sign.ParseKeyring(texts)
	if err != nil {
		t.Fatal(err)
	}
	keys := ring.Keys()
	if len(keys) != 2 || keys[0].Fingerprint != ada || keys[0].UserID != "Ada Tester <ada@example.com>" ||
		keys[0].Expires.IsZero() ||
		keys[1].Fingerprint != bob || !keys[1].Expires.IsZero() ||
		!slices.Equal(keys[1].Subkeys, []string{sub}) {
		t.Errorf("Keys = %+v", keys)
	}
	secret, err := home.ExportSecret(ada)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"private key": secret, "binary private key": dearmor(t, secret),
		"text": []byte("hello\n"),
	} {
		if got, err := sign.ParseKeyring(data); err == nil || len(got.Keys()) > 0 {
			t.Errorf("%s: ParseKeyring = %v, %v, want an error", name, got.Keys(), err)
		}
	}
}
