package refs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// packedNames makes sorted names of refs out of any text.
func packedNames(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		part := strings.Map(func(c rune) rune {
			switch {
			case c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '+', c >= 0xe0 && c < 0x250:
				return c
			case c == '/' || c == '\n':
				return -1
			}
			return 'a' + c%26
		}, line)
		if part == "" || len(part) > 2000 {
			continue
		}
		space := []string{"refs/heads/", "refs/ltm/packets/", "refs/ltm/notes/", "refs/tags/"}[len(part)%4]
		names = append(names, space+part)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// packedFile is a packed-refs file of these names; every third is a tag object.
func packedFile(names []string) []byte {
	var file bytes.Buffer
	file.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for i, name := range names {
		fmt.Fprintf(&file, "%040x %s\n", i+1, name)
		if i%3 == 0 {
			fmt.Fprintf(&file, "^%040x\n", i+1000000)
		}
	}
	return file.Bytes()
}

// FuzzPackedRefs holds that a search in packed-refs finds what git lists, in both directions.
func FuzzPackedRefs(f *testing.F) {
	f.Add("A\nB\nC\nAA\nBB\nCC\nAAA", "B")
	f.Add(strings.Repeat("LONG", 400)+"\n"+strings.Repeat("LONGER", 300), "LONG")
	f.Add(manyLines(600), "00150")
	f.Add("", "")
	r := gittest.Repo(f, gittest.Plain)
	repo, err := git.Open(f.Context(), r.Dir, r.Env)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, query string) {
		names := packedNames(text)
		file := packedFile(names)
		if err := os.WriteFile(filepath.Join(repo.CommonDir, "packed-refs"), file, 0o600); err != nil {
			t.Fatal(err)
		}
		listed, err := repo.Refs(t.Context(), "refs/ltm/packets/")
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for _, ref := range listed {
			want = append(want, ref.Object+" "+ref.Name)
		}
		checkPacked(t, filepath.Join(repo.CommonDir, "packed-refs"), want, "refs/ltm/packets/"+query)
	})
}

// manyLines is a long list of numbers.
func manyLines(count int) string {
	var text strings.Builder
	for n := range count {
		fmt.Fprintf(&text, "%05d\n", n)
	}
	return text.String()
}

// checkPacked reads a file in every way and compares with what git lists.
func checkPacked(t *testing.T, path string, want []string, query string) {
	t.Helper()
	p, err := openPacked(path, 40)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.KeepAlive(p)
	const prefix = "refs/ltm/packets/"
	got := visited(t, p, scan{prefix: prefix})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("forward (-git +got):\n%s", diff)
	}
	got = visited(t, p, scan{prefix: prefix, newest: true})
	slices.Reverse(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("backward (-git +got):\n%s", diff)
	}
	known := map[string]bool{}
	for _, line := range want {
		known[line] = true
	}
	for _, line := range append(slices.Clone(want), strings.Repeat("0", 40)+" "+query) {
		oid, err := p.lookupRef(line[41:])
		if (oid+" "+line[41:] == line) != known[line] || err != nil {
			t.Errorf("lookup %q: got %q, %v", line[41:], oid, err)
		}
	}
}

// visited collects what a visit sees.
func visited(t *testing.T, p *packedRefs, q scan) []string {
	t.Helper()
	found := []string{}
	for pull := p.pullRecords(q); ; {
		oid, name, err := pull()
		if err != nil {
			t.Fatal(err)
		}
		if name == nil {
			return found
		}
		found = append(found, string(oid)+" "+string(name))
	}
}

func TestOpenPacked_leavesToGit(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"# pack-refs with: peeled fully-peeled \n" + strings.Repeat("a", 40) + " refs/heads/x\n",
		strings.Repeat("a", 40) + " refs/heads/x\n",
		"# pack-refs with: sorted",
	} {
		path := filepath.Join(t.TempDir(), "packed-refs")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if p, err := openPacked(path, 40); !errors.Is(err, errUnsorted) {
			t.Errorf("open %q: %v, %v, want errUnsorted", content, p, err)
		}
	}
}

// A file that another tool has written, without the promise that it is sorted, is read by git.
func TestFilesReader_unsortedFile(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	oid := r.Git("rev-parse", "HEAD")
	ids := []string{"01KAT00000000000000000000Z", "01KAT000000000000000000000"}
	content := oid + " refs/ltm/packets/" + ids[0] + "\n" + oid + " refs/ltm/packets/" + ids[1] + "\n"
	if err := os.WriteFile(filepath.Join(r.Dir, ".git", "packed-refs"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for e, err := range listRefs(t.Context(), newReader(repo), scan{prefix: "refs/ltm/packets/", newest: true}) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, strings.TrimPrefix(e.ref, "refs/ltm/packets/"))
	}
	if diff := cmp.Diff(ids, found); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}
