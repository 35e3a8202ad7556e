package session

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/quiet"
)

// TestState_damaged: a file that ends within a line, or is no text, keeps no session from what comes next.
func TestState_damaged(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"a line that is cut": "shown 0123456789ab 01ARZ3NDEKTSV4RRFFQ69G5FAV /te",
		"no text":            "\x00\xff\x1b\n\n\x00",
		"nothing":            "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openState(local.Open(t.TempDir(), nil), agent.Moment{Host: agent.ClaudeCode, Session: "one"})
			if err := os.MkdirAll(filepath.Dir(s.file.Path()), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(s.file.Path(), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			if mine, err := s.claimStart("startup", time.Now(), rand.Reader); err != nil || !mine {
				t.Errorf("begin returns %v, %v, want true", mine, err)
			}
			if mine, err := s.claimKeys([]string{"a", "b"}, rand.Reader); err != nil || len(mine) != 2 ||
				!s.wasTold("a") {
				t.Errorf("claim returns %q, %v, want both", mine, err)
			}
		})
	}
}

// TestLastFault_damaged: what is no small file is no fault, and is not read.
func TestLastFault_damaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "ltm", quiet.FaultFile)
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, put := range []func() error{
		func() error { return os.Symlink("/dev/zero", file) },
		func() error { return os.Mkdir(file, 0o700) },
		func() error { return os.WriteFile(file, make([]byte, 2<<20), 0o600) },
		func() error { return os.WriteFile(file, []byte("{"), 0o600) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		if f, ok, err := LastFault(local.Open(filepath.Dir(file), nil)); ok || err != nil {
			t.Errorf("the last fault is %+v, %v, %v, want none", f, ok, err)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}
