package git_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// payload is the text of a tag object before its signature.
func payload(r *gittest.Repository) []byte {
	return []byte("object " + r.Git("rev-parse", "HEAD") +
		"\ntype commit\ntag v1\ntagger Ada Tester <ada@example.com> 1767323045 +0000\n\nmessage\n")
}

// TestRepo_VerifyTag lets git judge: a list that is handed in counts instead of the configured one.
func TestRepo_VerifyTag(t *testing.T) {
	t.Parallel()
	ada, public := keytest.SSHKey(t, "ed25519", "ada")
	_, other := keytest.SSHKey(t, "ed25519", "mallory")
	list := func(text string) string {
		name := filepath.Join(t.TempDir(), "allowed_signers")
		must(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	hers, others := list("ada@example.com "+public+"\n"), list("mallory@example.com "+other+"\n")
	for _, kind := range shapes() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			plain := payload(r)
			signed := slices.Concat(plain, keytest.SignSSH(t, ada, "git", plain))
			store := func(data []byte) string {
				return r.Feed(string(data), "hash-object", "-t", "tag", "-w", "--stdin")
			}
			good, unsigned := store(signed), store(plain)
			changed := store([]byte(strings.Replace(string(signed), "message", "massage", 1)))
			r.Git("config", "gpg.ssh.allowedSignersFile", others)
			repo := opened(t, r.Dir, r.Env)
			for _, tt := range []struct {
				name, oid, signers string
				want               bool
			}{
				{"a key of the list", good, hers, true},
				{"a key of another list", good, others, false},
				{"no list but the configured one", good, "", false},
				{"another text", changed, hers, false},
				{"no signature", unsigned, hers, false},
				{"a commit", r.Git("rev-parse", "HEAD"), hers, false},
				{"nothing", nowhere(repo), hers, false},
			} {
				if got, err := repo.VerifyTag(t.Context(), tt.oid, tt.signers); got.OK != tt.want ||
					err != nil {
					t.Errorf("%s: VerifyTag = %+v, %v, want %t", tt.name, got, err, tt.want)
				}
			}
			if _, err := repo.VerifyTag(t.Context(), "HEAD", hers); !errors.Is(err, git.ErrMissing) {
				t.Errorf("VerifyTag of a name: %v, want ErrMissing", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := repo.VerifyTag(ctx, good, hers); !errors.Is(err, context.Canceled) {
				t.Errorf("VerifyTag after its end: %v, want context.Canceled", err)
			}
		})
	}
}

// TestRepo_VerifyTag_status hands on what gpg writes for programs.
func TestRepo_VerifyTag_status(t *testing.T) {
	t.Parallel()
	home, r := keytest.GPGHome(t), gittest.Repo(t, gittest.Plain)
	fingerprint := home.Generate("Ada Tester <ada@example.com>", "ed25519", "never")
	plain := payload(r)
	tag := r.Feed(string(slices.Concat(plain, home.Sign(fingerprint, plain, time.Time{}))), "hash-object",
		"-t", "tag", "-w", "--stdin")
	got, err := opened(t, r.Dir, slices.Concat(r.Env, home.Env())).VerifyTag(t.Context(), tag, "")
	if !got.OK || err != nil || !strings.Contains(got.Status, "[GNUPG:] VALIDSIG "+fingerprint) {
		t.Errorf("VerifyTag = %+v, %v, want the status of a valid signature by %s", got, err, fingerprint)
	}
}

// A git that a signal ends while it verifies says nothing good of a tag, and keeps nobody from the others.
func TestRepo_VerifyTag_signal(t *testing.T) {
	t.Parallel()
	ada, _ := keytest.SSHKey(t, "ed25519", "ada")
	r := gittest.Repo(t, gittest.Plain)
	plain := payload(r)
	signed := slices.Concat(plain, keytest.SignSSH(t, ada, "git", plain))
	oid := r.Feed(string(signed), "hash-object", "-t", "tag", "-w", "--stdin")
	program := filepath.Join(t.TempDir(), "killer")
	must(t, keytest.WriteProgram(program, "#!/bin/sh\nkill -PIPE $PPID\nsleep 1\n"))
	r.Git("config", "gpg.ssh.program", program)
	r.Git("config", "gpg.ssh.allowedSignersFile", program)
	if got, err := opened(t, r.Dir, r.Env).VerifyTag(t.Context(), oid, ""); got.OK || err != nil {
		t.Errorf("VerifyTag = %+v, %v, want a tag that git does not accept", got, err)
	}
}
