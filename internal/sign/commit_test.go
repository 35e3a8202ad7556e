package sign_test

import (
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// signedCommit returns a commit object with its signature in the header, as git writes it.
func signedCommit(tb testing.TB, signer ssh.Signer) string {
	tb.Helper()
	head := "tree " + object +
		"\nauthor A <a@example.com> 1 +0000\ncommitter Ada Tester <ada@example.com> 1795232477 +0000\n"
	message := "\nsubject\n\nbody\n"
	armored := strings.TrimSuffix(string(sshArmor(tb, signer, "git", []byte(head+message))), "\n")
	return head + "gpgsig " + strings.ReplaceAll(armored, "\n", "\n ") + "\n" + message
}

// SPEC.
func TestParseCommit(t *testing.T) {
	t.Parallel()
	signer := newSSH(t)
	raw := signedCommit(t, signer)
	within := `alice@example.com valid-after="20261121034117Z",valid-before="20261121034118Z" ` +
		public(signer)
	tests := []struct {
		name, raw, signers, want string
	}{
		{"listed", raw, "alice@example.com " + public(signer), "good"},
		{"in the committer's second", raw, within, "expired"},
		{"not listed", raw, "", "unknown"},
		{
			"an empty line behind the signature",
			strings.Replace(raw, " -----END SSH SIGNATURE-----\n", " -----END SSH SIGNATURE-----\n \n", 1),
			"a " + public(signer), "good",
		},
		{"message changed", strings.Replace(raw, "body", "bodies", 1), "a " + public(signer), "bad"},
		{"header changed", strings.Replace(raw, "author A", "author B", 1), "a " + public(signer), "bad"},
		{
			"header added", strings.Replace(raw, "\ngpgsig ", "\nencoding x\ngpgsig ", 1), "a " + public(signer),
			"bad",
		},
		{"not signed", "tree " + object + "\ncommitter A <a@example.com> 1 +0000\n\nsubject\n", "", "error"},
		{"two signatures", strings.Replace(raw, "\ngpgsig ", "\ngpgsig x\ngpgsig ", 1), "", "error"},
		{
			"second signature for SHA-256",
			strings.Replace(raw, "\n\nsubject", "\ngpgsig-sha256 x\n\nsubject", 1), "", "error",
		},
		{"no committer", strings.Replace(raw, "committer", "author", 1), "", "error"},
		{"two committers", strings.Replace(raw, "author", "committer", 1), "", "error"},
		{"a tag", string(rawSSH(t, signer)), "", "error"},
		{"zero byte", raw + "\x00", "", "error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tag, err := sign.ParseCommit([]byte(tt.raw))
			if err != nil || tt.want == "error" {
				if err == nil || tt.want != "error" {
					t.Errorf("ParseCommit = %v, want %s", err, tt.want)
				}
				return
			}
			if got, v := judged(t, trusting(t, tt.signers), tag, now); got != tt.want {
				t.Errorf("Verify = %q (%s), want %q", got, v.Why, tt.want)
			}
			if err := tag.Bind(name, object, data); err == nil {
				t.Error("a commit binds to a record")
			}
		})
	}
}
