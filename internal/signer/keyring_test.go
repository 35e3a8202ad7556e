package signer_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

func TestValidities(t *testing.T) {
	t.Parallel()
	home, other := keytest.GPGHome(t), keytest.GPGHome(t)
	own := home.Generate(`Ada: \x3a `+"\u202e"+`<ada@example.com>`, "ed25519", "never")
	subkey := home.AddSubkey(own, "ed25519", "never")
	certified := other.Generate("Bob <bob@example.com>", "ed25519", "never")
	imported := other.Generate("Mallory <mallory@example.com>", "ed25519", "never")
	home.Import(other.ExportArmored())
	home.Certify(own, certified)
	ended := home.Generate("Ended <ended@example.com>", "ed25519", "never")
	home.ExpireNow(ended)
	revoked := home.Generate("Revoked <revoked@example.com>", "ed25519", "never")
	home.Revoke(revoked)

	keys, err := signer.Validities(t.Context(), signer.Config{Env: home.Env()})
	if err != nil {
		t.Fatal(err)
	}
	ada := signer.Key{
		Primary: own, Validity: signer.Ultimate, Owner: signer.Ultimate,
		UserID: `Ada: \x3a <ada@example.com>`,
	}
	for name, want := range map[string]signer.Key{
		own: ada, own[24:]: ada, subkey: ada, subkey[24:]: ada,
		certified: {Primary: certified, Validity: signer.Full, Owner: "-", UserID: "Bob <bob@example.com>"},
		imported:  {Primary: imported, Validity: "-", Owner: "-", UserID: "Mallory <mallory@example.com>"},
		ended: {
			Primary: ended, Validity: signer.Expired, Owner: signer.Ultimate,
			UserID: "Ended <ended@example.com>",
		},
		revoked: {
			Primary: revoked, Validity: signer.Revoked, Owner: "-",
			UserID: "Revoked <revoked@example.com>",
		},
	} {
		if diff := cmp.Diff(want, keys[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if want := 2 * 6; len(keys) != want {
		t.Errorf("%d names, want %d: two of each primary key and subkey", len(keys), want)
	}
}

// TestValidities_hostile gives listings that a keyring may hold, but that are hard to make.
func TestValidities_hostile(t *testing.T) {
	t.Parallel()
	a, b, c := strings.Repeat("A", 40), strings.Repeat("B", 40), strings.Repeat("C", 40)
	bob := signer.Key{Primary: b, Validity: "f", Owner: "-", UserID: "Bob"}
	for _, test := range []struct {
		name, listing string
		want          map[string]signer.Key
	}{
		{"no keys", "tru::1:1:0:3:1:5\n", map[string]signer.Key{}},
		{"nothing", "", map[string]signer.Key{}},
		{"short lines", "pub\nfpr\nuid\nsub:\n\n:\n", map[string]signer.Key{}},
		{
			"user id that nobody certified stands first",
			"pub:f:255:22:BBBBBBBBBBBBBBBB:1:::-:::scSC:\nfpr:::::::::" + b +
				":\nuid:-::::::::alice@example.com:\nuid:f::::::::Bob:\nuid:f::::::::Robert:\n",
			map[string]signer.Key{b: bob, b[:16]: bob},
		},
		{
			"subkey that two keys claim",
			"pub:f:255:22:AAAAAAAAAAAAAAAA:1:::-:::scSC:\nfpr:::::::::" + a + ":\nuid:f::::::::Bob:\n" +
				"sub:f:255:22:CCCCCCCCCCCCCCCC:1::\nfpr:::::::::" + c +
				":\npub:f:255:22:BBBBBBBBBBBBBBBB:1:::-:::scSC:\nfpr:::::::::" + b +
				":\nuid:f::::::::Bob:\nsub:f:255:22:CCCCCCCCCCCCCCCC:1::\nfpr:::::::::" + c + ":\n",
			map[string]signer.Key{
				a:      {Primary: a, Validity: "f", Owner: "-", UserID: "Bob"},
				a[:16]: {Primary: a, Validity: "f", Owner: "-", UserID: "Bob"},
				b:      bob, b[:16]: bob,
			},
		},
		{
			"disabled", "pub:f:255:22:BBBBBBBBBBBBBBBB:1:::-:::scSCD:\nfpr:::::::::" + b + `:` +
				"\nuid:f::::::::Bo\\x1b\\nb\\x3" + ":\n",
			map[string]signer.Key{
				b:      {Primary: b, Validity: "f", Owner: "-", UserID: `Bonb\x3`, Disabled: true},
				b[:16]: {Primary: b, Validity: "f", Owner: "-", UserID: `Bonb\x3`, Disabled: true},
			},
		},
	} {
		file := filepath.Join(t.TempDir(), "listing")
		if err := os.WriteFile(file, []byte(test.listing), 0o600); err != nil {
			t.Fatal(err)
		}
		config := signer.Config{Program: write(t, "#!/bin/sh\ncat '"+file+"'\n"), Env: plainEnv(t)}
		got, err := signer.Validities(t.Context(), config)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", test.name, err, diff)
		}
	}
}

func TestValidity_Rank(t *testing.T) {
	t.Parallel()
	for i, v := range []signer.Validity{signer.Never, signer.Marginal, signer.Full, signer.Ultimate} {
		if got := v.Rank(); got != i+1 {
			t.Errorf("%q has the rank %d, want %d", v, got, i+1)
		}
	}
	for _, v := range []signer.Validity{"", "-", "q", "o", "i", "d", "?", signer.Expired, signer.Revoked} {
		if got := v.Rank(); got != 0 {
			t.Errorf("%q vouches for a key: its rank is %d", v, got)
		}
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	home, other := keytest.GPGHome(t), keytest.GPGHome(t)
	ada := home.Generate("Ada Tester <ada@example.com>", "ed25519", "never")
	subkey := home.AddSubkey(ada, "ed25519", "never")
	home.Generate("Bob <bob@example.com>", "ed25519", "never")
	unknown := strings.Repeat("0", 40)
	for _, name := range []string{subkey, ada[24:], strings.ToLower(ada)} {
		data, err := signer.Export(t.Context(), signer.Config{Env: home.Env()}, name)
		if err != nil || len(data) == 0 {
			t.Fatalf("Export(%q) = %d bytes, %v", name, len(data), err)
		}
		other.Import(data)
	}
	keys, err := signer.Validities(t.Context(), signer.Config{Env: other.Env()})
	if err != nil || len(keys) != 4 || keys[subkey].Primary != ada {
		t.Errorf("imported keys = %v, %v, want those of %s alone", keys, err, ada)
	}
	if data, err := signer.Export(t.Context(), signer.Config{Env: home.Env()}, unknown); err != nil || len(data) != 0 {
		t.Errorf("Export(%q) = %d bytes, %v, want none", unknown, len(data), err)
	}
	for _, name := range []string{"", "--list-keys", "ada", strings.Repeat("g", 40)} {
		if _, err := signer.Export(t.Context(), signer.Config{Env: home.Env()}, name); err == nil {
			t.Errorf("Export(%q) was tried", name)
		}
	}
}

// TestKeyring_noHome shows that asking for keys makes no home for gpg.
func TestKeyring_noHome(t *testing.T) {
	t.Parallel()
	env := plainEnv(t)
	home := filepath.Join(t.TempDir(), "gnupg")
	for _, config := range []signer.Config{{Env: env}, {Env: append(env, "GNUPGHOME="+home)}} {
		if keys, err := signer.Validities(t.Context(), config); err != nil || len(keys) != 0 {
			t.Errorf("Validities = %v, %v, want none", keys, err)
		}
		if data, err := signer.Export(t.Context(), config, strings.Repeat("0", 40)); err != nil ||
			len(data) != 0 {
			t.Errorf("Export = %q, %v, want nothing", data, err)
		}
		config.Key = "ada@example.com"
		if public, err := config.Fingerprint(t.Context()); !errors.Is(err, signer.ErrNoKey) {
			t.Errorf("Fingerprint = %v, %v, want ErrNoKey", public, err)
		}
	}
	userHome := strings.TrimPrefix(env[1], "HOME=")
	if left, err := os.ReadDir(userHome); err != nil || len(left) != 0 {
		t.Errorf("made in %s: %v, %v", userHome, left, err)
	}
	if _, err := os.Stat(home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("home of gpg: %v, want none", err)
	}
}
