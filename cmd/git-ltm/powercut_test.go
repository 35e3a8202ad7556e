package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestPowerCut cuts the power beside two savers: it takes the disk as it lies, without what the kernel had
// not written yet, and looks there for every id that was printed. It needs a machine that may mount; the
// order of syncs is tested elsewhere in any case. SPEC.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root may mount; the order of syncs is tested by tracing")
	}
	dir := t.TempDir()
	image := filepath.Join(dir, "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	runProgram(t, nil, "mkfs.ext4", "-q", "-F", image)
	disk := mount(t, image)
	repo := filepath.Join(disk, "repo")
	env := append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.com")
	runProgram(t, env, "git", "init", "-q", repo)
	runProgram(t, env, "git", "-C", repo, "commit", "-q", "--allow-empty", "-m", "start")
	runProgram(t, nil, "sync")

	printed := saveUntilCut(t, env, repo)
	after := filepath.Join(dir, "after")
	runProgram(t, nil, "cp", image, after)
	runProgram(t, nil, "umount", "-l", disk)

	repo = filepath.Join(mount(t, after), "repo")
	list := runProgram(t, env, "git-ltm", "-C", repo, "ls", "--limit", "0", "--format", "%(id)")
	for _, id := range printed {
		if !strings.Contains(list, id) {
			t.Errorf("packet %s was acknowledged and is gone", id)
		}
	}
	runProgram(t, env, "git-ltm", "-C", repo, "save", "--goal", "g", "--next", "n")
	runProgram(t, env, "git", "-C", repo, "gc", "--quiet")
	runProgram(t, env, "git", "-C", repo, "fsck", "--strict")
}

// savedBeforeCut is how many packets were saved when the power is cut.
const savedBeforeCut = 20

// saveUntilCut runs two savers, ends both at once when they have printed enough
// ids, and returns these.
func saveUntilCut(t *testing.T, env []string, repo string) []string {
	t.Helper()
	ctx, cut := context.WithCancel(t.Context())
	defer cut()
	var mu sync.Mutex
	var printed []string
	var savers sync.WaitGroup
	for range 2 {
		savers.Go(func() {
			for ctx.Err() == nil {
				cmd := exec.CommandContext(ctx, "git-ltm", "-C", repo, "save", "--goal", "g", "--next", "n")
				cmd.Env = env
				out, err := cmd.Output()
				if err != nil {
					if ctx.Err() == nil {
						t.Errorf("save: %v", err)
					}
					return
				}
				mu.Lock()
				if printed = append(printed, strings.TrimSpace(string(out))); len(printed) == savedBeforeCut {
					cut()
				}
				mu.Unlock()
			}
		})
	}
	savers.Wait()
	return printed
}

// mount mounts an image until the end of the test.
func mount(t *testing.T, image string) string {
	t.Helper()
	at := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "mount", "-o", "loop", image, at).CombinedOutput(); err !=
		nil {
		t.Skipf("this machine does not mount: %s", bytes.TrimSpace(out))
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", at).Run() })
	return at
}

func runProgram(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}
