package refs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// The order in which things reach the disk, as the kernel sees it: object and spool entry are synced and
// named, and their directories synced, before git is told to commit; git syncs the ref before it gives it its
// name. SPEC.
func TestStore_Create_syncsBeforeTheRef(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	lines := traced(t, r, 3)
	ref := regexp.QuoteMeta(name(3).Ref())
	commit := lineOf(t, lines, `write\(.*`+ref+`\.lock`)
	entry := "packets-" + string(id(3))
	inOrder(t, lines, []string{
		`fsync\(.*/ltm/spool/\.git-ltm-`, `(rename|link)[a-z0-9]*\(.*/ltm/spool/\.git-ltm-.*` + entry,
		`fsync\(.*/ltm/spool>`,
	}, commit)
	for _, object := range objectsOf(r) {
		fan := "/objects/" + object[:2]
		inOrder(t, lines, []string{
			`fsync\(.*` + fan + `/tmp_obj_`, `rename[a-z0-9]*\(.*` + fan + `/tmp_obj_.*` + object[2:],
			`fsync\(.*` + fan + `>`,
		}, commit)
	}
	inOrder(t, lines[commit:], []string{
		`fsync\(.*` + ref + `\.lock`, `rename[a-z0-9]*\(.*` + ref + `\.lock`, `fsync\(.*/refs/ltm/packets>`,
	}, len(lines)-commit)
}

// A record without a signature takes at most seven syncs: of its entry in the spool and of the spool, of the
// folder of objects where the object's own is new, of the object and its folder, of the ref and its folder.
func TestStore_Create_syncs(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	save(t, open(t, r), 1) // It makes the folders of all records.
	syncs := 0
	lines := traced(t, r, 2)
	for _, line := range lines {
		if strings.HasPrefix(line, "fsync(") || strings.HasPrefix(line, "fdatasync(") {
			syncs++
		}
	}
	if syncs > 7 {
		t.Errorf("%d syncs in\n%s", syncs, strings.Join(lines, "\n"))
	}
}

// traced returns the calls by which another process saves a record that reach the disk.
func traced(t *testing.T, r *gittest.Repository, n int) []string {
	t.Helper()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	log := filepath.Join(t.TempDir(), "trace")
	save := child(t, r, saveOnly, n, 1)
	args := append([]string{
		strace, "-f", "-y", "-s", "64", "-e",
		"trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat,write",
		"-o", log, "--",
	}, save.Args...)
	save.Path, save.Args = strace, args
	if out, err := save.CombinedOutput(); err != nil {
		t.Skipf("strace does not run here: %v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return joinCalls(string(text))
}

// objectsOf are the tag and the blob of the third packet.
func objectsOf(r *gittest.Repository) []string {
	return []string{r.Git("rev-parse", name(3).Ref()), r.Git("rev-parse", name(3).Ref()+"^{blob}")}
}

// joinCalls puts the two halves of a call that another thread has interrupted together, where it ended; a
// write counts where it began.
func joinCalls(log string) []string {
	var lines []string
	begun := map[string]string{}
	for line := range strings.Lines(log) {
		process, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		if first, unfinished := strings.CutSuffix(rest, "<unfinished ...>"); unfinished {
			if begun[process] = first; strings.HasPrefix(first, "write(") {
				lines = append(lines, first)
			}
			continue
		}
		if strings.HasPrefix(rest, "<... ") {
			rest = begun[process] + rest
		}
		lines = append(lines, rest)
	}
	return lines
}

// lineOf finds the first line that matches.
func lineOf(t *testing.T, lines []string, pattern string) int {
	t.Helper()
	compiled := regexp.MustCompile(pattern)
	for i, line := range lines {
		if compiled.MatchString(line) {
			return i
		}
	}
	t.Fatalf("nothing matches %s in\n%s", pattern, strings.Join(lines, "\n"))
	return -1
}

// inOrder checks that the patterns match lines one after the other, all of them before end.
func inOrder(t *testing.T, lines, patterns []string, end int) {
	t.Helper()
	at := 0
	for _, pattern := range patterns {
		at += lineOf(t, lines[at:], pattern) + 1
		if at > end {
			t.Errorf("%s comes too late", pattern)
		}
	}
}
