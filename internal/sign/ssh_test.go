package sign_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// SPEC.
func TestTrust_Verify_ssh(t *testing.T) {
	t.Parallel()
	signer := newSSH(t)
	key := public(signer)
	payload := statement(signedAt).Payload()
	raw := string(rawSSH(t, signer))
	touched := strings.Replace(raw, "ada@", "eve@", 1)
	other := string(payload) + string(sshArmor(t, signer, "file", payload))
	byHand := strings.Replace(string(payload), "ltm record ", "Release ", 1)
	byHand += string(sshArmor(t, signer, "git", []byte(byHand)))
	weak := newRSA(t, 1024)
	tests := []struct {
		name, raw, signers string
		want               string
		by                 string
		until              time.Time
	}{
		{"listed", raw, "alice@example.com " + key, "good", "alice@example.com", time.Time{}},
		{"listed for a pattern", raw, "!bob,*@example.com " + key, "good", "*@example.com", time.Time{}},
		{"listed for nobody", raw, "!alice@example.com " + key, "unknown", "", time.Time{}},
		{"not listed", raw, "alice@example.com " + public(newSSH(t)), "unknown", "", time.Time{}},
		{"no list", raw, "", "unknown", "", time.Time{}},
		{"listed for git", raw, `a namespaces="file,git" ` + key, "good", "a", time.Time{}},
		{"listed for all but git", raw, `a namespaces="*,!git" ` + key, "unknown", "", time.Time{}},
		{"listed for nothing", raw, `a namespaces="" ` + key, "unknown", "", time.Time{}},
		{"authority that signs itself", raw, "a cert-authority " + key, "unknown", "", time.Time{}},
		{
			"within the window", raw, `a valid-after="20261101Z",valid-before="20271101Z" ` + key, "good", "a",
			time.Date(2027, 11, 1, 0, 0, 1, 0, time.UTC),
		},
		{"window ended since", raw, `a valid-before="20261121034200Z" ` + key, "expired", "a", time.Time{}},
		{"signed after the window", raw, `a valid-before="20261101Z" ` + key, "unknown", "", time.Time{}},
		{
			"signed before the window", raw, `a valid-after="20270101Z" ` + key, "unknown", "",
			time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		},
		{
			"one line of two holds", raw, `a valid-before="20261101Z" ` + key + "\nb " + key, "good", "b",
			time.Time{},
		},
		{
			"one line of two has ended", raw, `a valid-before="20261121034200Z" ` + key + "\nb " + key, "good",
			"b",
			time.Time{},
		},
		{"text changed", touched, "alice@example.com " + key, "bad", "", time.Time{}},
		{"other purpose", other, "alice@example.com " + key, "bad", "", time.Time{}},
		{"message by hand", byHand, "alice@example.com " + key, "unknown", "", time.Time{}},
		{"short RSA key", string(rawSSH(t, weak)), "a " + public(weak), "undecided", "", time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tag, err := sign.ParseTag([]byte(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			got, v := judged(t, trusting(t, tt.signers), tag, now)
			if got != tt.want || v.By != tt.by || !v.Until.Equal(tt.until) {
				t.Errorf("Verify = %q by %q until %v (%s), want %q by %q until %v", got, v.By, v.Until.UTC(),
					v.Why, tt.want, tt.by, tt.until)
			}
			if got != "undecided" && got != "bad" && v.Key != ssh.FingerprintSHA256(signer.PublicKey()) {
				t.Errorf("Key = %q", v.Key)
			}
		})
	}
}

// The verdict holds until the moment that it states, and is another at that moment.
// SPEC.
func TestVerdict_Until(t *testing.T) {
	t.Parallel()
	signer := newSSH(t)
	tag := parse(t, rawSSH(t, signer))
	trust := trusting(t, `a valid-after="20261101Z",valid-before="20271101Z" `+public(signer))
	_, v := judged(t, trust, tag, now)
	if before, _ := judged(t, trust, tag, v.Until.Add(-time.Second)); before != "good" {
		t.Errorf("before Until: %q, want good", before)
	}
	if at, _ := judged(t, trust, tag, v.Until); at != "expired" {
		t.Errorf("at Until: %q, want expired", at)
	}
}

// SPEC.
func TestTrust_Verify_certificate(t *testing.T) {
	t.Parallel()
	authority, signer := newSSH(t), newSSH(t)
	unix := func(d time.Duration) uint64 { return uint64(signedAt.Add(d).Unix()) }
	alice := []string{"bob@example.com", "alice@example.com"}
	plain := ssh.Certificate{ValidPrincipals: alice}
	line := "alice@example.com cert-authority " + public(authority)
	limited := ssh.Certificate{ValidPrincipals: alice}
	limited.CriticalOptions = map[string]string{"force-command": "true"}
	tests := []struct {
		name    string
		cert    ssh.Certificate
		signers string
		want    string
	}{
		{"of a listed authority", plain, line, "good"},
		{
			"of an unlisted authority", plain, "alice@example.com cert-authority " + public(newSSH(t)),
			"unknown",
		},
		{"of a key that is no authority", plain, "alice@example.com " + public(authority), "unknown"},
		{"whose bare key is listed", plain, "alice@example.com " + public(signer), "unknown"},
		{"for other principals", ssh.Certificate{ValidPrincipals: alice[:1]}, line, "unknown"},
		{"for no principals", ssh.Certificate{}, line, "unknown"},
		{"of a host", ssh.Certificate{ValidPrincipals: alice, CertType: ssh.HostCert}, line, "unknown"},
		{"with a critical option", limited, line, "unknown"},
		{
			"valid then and now",
			ssh.Certificate{ValidPrincipals: alice, ValidAfter: unix(0), ValidBefore: unix(2 * time.Hour)},
			line, "good",
		},
		{
			"expired since",
			ssh.Certificate{ValidPrincipals: alice, ValidBefore: unix(time.Hour)},
			line,
			"expired",
		},
		{"expired then", ssh.Certificate{ValidPrincipals: alice, ValidBefore: unix(0)}, line, "unknown"},
		{
			"not valid then",
			ssh.Certificate{ValidPrincipals: alice, ValidAfter: unix(time.Second)},
			line,
			"unknown",
		},
		{
			"outside the window of the line", plain,
			`alice@example.com cert-authority,valid-before="20261101Z" ` + public(authority), "unknown",
		},
		{
			"not for git", plain, `alice@example.com cert-authority,namespaces="file" ` + public(authority),
			"unknown",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			certified := certify(t, authority, signer, tt.cert)
			got, v := judged(t, trusting(t, tt.signers), parse(t, rawSSH(t, certified)), now)
			if got != tt.want {
				t.Errorf("Verify = %q (%s), want %q", got, v.Why, tt.want)
			}
			if (got == "good" || got == "expired") != (v.By == "alice@example.com") {
				t.Errorf("By = %q of %q", v.By, got)
			}
		})
	}
}

// A certificate that names an authority which has not signed it counts for nothing.
// SPEC.
func TestTrust_Verify_forgedCertificate(t *testing.T) {
	t.Parallel()
	authority, signer, mallory := newSSH(t), newSSH(t), newSSH(t)
	cert := &ssh.Certificate{
		ValidPrincipals: []string{"alice@example.com"}, CertType: ssh.UserCert,
		ValidBefore: ssh.CertTimeInfinity, Key: signer.PublicKey(),
	}
	if err := cert.SignCert(strings.NewReader(strings.Repeat("n", 64)), mallory); err != nil {
		t.Fatal(err)
	}
	cert.SignatureKey = authority.PublicKey()
	forged, err := ssh.NewCertSigner(cert, signer)
	if err != nil {
		t.Fatal(err)
	}
	trust := trusting(t, "alice@example.com cert-authority "+public(authority))
	if got, v := judged(t, trust, parse(t, rawSSH(t, forged)), now); got != "bad" {
		t.Errorf("Verify = %q (%s), want bad", got, v.Why)
	}
}

// SPEC.
func TestTrust_Verify_revokedSSH(t *testing.T) {
	t.Parallel()
	authority, signer := newSSH(t), newSSH(t)
	certified := certify(t, authority, signer, ssh.Certificate{ValidPrincipals: []string{"a"}})
	signers := "a " + public(signer) + "\na cert-authority " + public(authority)
	tests := []struct {
		name, revoked string
		by            ssh.Signer
		want          string
	}{
		{"nothing", "# none\n\n", signer, "good"},
		{"another key", public(newSSH(t)), signer, "good"},
		{"the key", public(signer) + " comment", signer, "revoked"},
		{"its fingerprint", ssh.FingerprintSHA256(signer.PublicKey()) + " # stolen", signer, "revoked"},
		{"the key of a certificate", public(signer), certified, "revoked"},
		{
			"the authority of a certificate", ssh.FingerprintSHA256(authority.PublicKey()), certified,
			"revoked",
		},
		{"a list that only OpenSSH reads", "SSHKRL\n\x00\x00\x00\x00\x01", signer, "undecided"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			revoked, problems := sign.ParseRevocations([]byte(tt.revoked))
			if len(problems) > 0 {
				t.Fatalf("problems: %v", problems)
			}
			trust := trusting(t, signers)
			trust.Sources = append(trust.Sources, sign.Source{Name: "another", Revoked: revoked})
			tag := parse(t, rawSSH(t, tt.by))
			if got, v := judged(t, trust, tag, now); got != tt.want {
				t.Errorf("Verify = %q (%s), want %q", got, v.Why, tt.want)
			}
			trust.Sources = trust.Sources[1:] // nobody trusts the key any more
			want := map[string]string{"good": "unknown"}[tt.want]
			if want == "" {
				want = tt.want
			}
			if got, v := judged(t, trust, tag, now); got != want {
				t.Errorf("of an unknown key: Verify = %q (%s), want %q", got, v.Why, want)
			}
		})
	}
}

func TestParseRevocations_problems(t *testing.T) {
	t.Parallel()
	hex := strings.Repeat("0123456789ABCDEF", 3)[:40]
	text := "SHA256:short\n" + strings.ToLower(hex) + "\n" + hex[:20] + "  " + hex[20:] + " # Bob\n" +
		hex[1:] + "\nssh-ed25519 AAAA\n"
	got, problems := sign.ParseRevocations([]byte(text))
	if lines := got.Lines(); len(lines) != 1 || lines[0] != hex {
		t.Errorf("Lines = %q, want %q", lines, hex)
	}
	if len(problems) != 3 || problems[0].Line != 1 || problems[1].Line != 4 || problems[2].Line != 5 {
		t.Errorf("problems = %v, want lines 1, 4 and 5", problems)
	}
}

func TestTag_PublicKey(t *testing.T) {
	t.Parallel()
	authority, signer := newSSH(t), newSSH(t)
	for _, by := range []ssh.Signer{
		signer,
		certify(t, authority, signer, ssh.Certificate{ValidPrincipals: []string{"a"}}),
	} {
		fingerprint, line, ok := parse(t, rawSSH(t, by)).PublicKey()
		if !ok || fingerprint != ssh.FingerprintSHA256(signer.PublicKey()) || line != public(signer) {
			t.Errorf("PublicKey = %q, %q, %v", fingerprint, line, ok)
		}
	}
	_, line, ok := parse(t, rawSSH(t, certify(t, authority, signer, ssh.Certificate{}))).Authority()
	if !ok || line != public(authority) {
		t.Errorf("Authority = %q, %v", line, ok)
	}
}
