package citation_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// citeWorld is a repository whose files are cited.
type citeWorld struct {
	*gittest.Repository

	t *testing.T
}

func newCiteWorld(t *testing.T, kind gittest.Kind) citeWorld {
	t.Helper()
	return citeWorld{gittest.Repo(t, kind), t}
}

func (w citeWorld) put(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.Dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
		os.WriteFile(path, []byte(text), 0o600)); err != nil {
		w.t.Fatal(err)
	}
}

func (w citeWorld) commit() string {
	w.t.Helper()
	w.Git("add", "-A")
	w.Git("commit", "-q", "--allow-empty", "-m", "more")
	return w.Git("rev-parse", "HEAD")
}

func (w citeWorld) open() *memory.Memory {
	w.t.Helper()
	m, err := memory.Open(w.t.Context(),
		memory.Options{Dir: w.Dir, Env: w.Env, Now: time.Now, Entropy: rand.Reader})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = m.Close() })
	return m
}

// cites returns how the places are that one record cites, each as its state and where it is now.
func (w citeWorld) cites(anchor packet.Anchor, cites ...packet.Cite) []string {
	w.t.Helper()
	var list []map[string]any
	for _, c := range cites {
		m := map[string]any{"path": c.Path}
		for name, v := range map[string]string{"commit": c.Commit, "blob": c.Blob} {
			if v != "" {
				m[name] = v
			}
		}
		for name, v := range map[string]int{"line": c.Line, "end_line": c.EndLine} {
			if v != 0 {
				m[name] = v
			}
		}
		list = append(list, m)
	}
	at := map[string]any{"branch": "main", "dirty": anchor.Dirty}
	if anchor.Commit != "" {
		at["commit"] = anchor.Commit
	}
	data, err := json.Marshal(
		map[string]any{"type": "note", "kind": "fact", "text": "x", "anchor": at, "cites": list})
	if err != nil {
		w.t.Fatal(err)
	}
	rec, err := packet.Parse(data, packet.Draft)
	if err != nil {
		w.t.Fatal(err)
	}
	found, err := w.open().Citations().Check(w.t.Context(),
		[]citation.Record{{}, {Cites: rec.Content().Cites, Anchor: rec.Content().Anchor}})
	if err != nil || len(found) != 2 || found[0] != nil {
		w.t.Fatalf("Check = %v, %v", found, err)
	}
	var all []string
	for _, c := range found[1] {
		state := string(c.State)
		if c.State == citation.Moved {
			state += " " + c.Now.String()
		}
		all = append(all, state)
	}
	return all
}

func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		b.WriteString("the line number " + strings.Repeat("i", i) + "\n")
	}
	return b.String()
}

func TestTree_Check(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256, gittest.Worktree} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			w := newCiteWorld(t, kind)
			w.put("a b", numbered(1, 20))
			w.put("renamed", numbered(30, 50))
			w.put("edited and renamed", numbered(60, 80))
			w.put("gone", "only here\n")
			w.put("dir/in", "x\n")
			w.put("binary", "\x00old")
			base := w.commit()
			w.put("a b", "new\n"+numbered(1, 9)+"changed\n  "+numbered(11, 19))
			w.Git("mv", "renamed", "new name")
			w.Git("mv", "edited and renamed", "elsewhere")
			w.put("elsewhere", "first\n"+numbered(60, 80))
			w.Git("rm", "-q", "gone")
			w.put("binary", "\x00new")
			w.commit()
			tests := []struct {
				cite packet.Cite
				want string
			}{
				{packet.Cite{Path: "file"}, "ok"},
				{packet.Cite{Path: "./file"}, "ok"},
				{packet.Cite{Path: "a b"}, "changed"},
				{packet.Cite{Path: "a b", Line: 3}, "moved a b:4"},
				{packet.Cite{Path: "a b", Line: 3, EndLine: 9}, "moved a b:4-10"},
				{packet.Cite{Path: "a b", Line: 9, EndLine: 10}, "changed"},
				{packet.Cite{Path: "a b", Line: 11}, "moved a b:12"},
				{packet.Cite{Path: "a b", Line: 18, EndLine: 19}, "moved a b:19-20"},
				{packet.Cite{Path: "a b", Line: 20}, "changed"},
				{packet.Cite{Path: "a b", Line: 99}, "unknown"},
				{packet.Cite{Path: "renamed"}, "moved new name"},
				{packet.Cite{Path: "renamed", Line: 2}, "moved new name:2"},
				{packet.Cite{Path: "edited and renamed", Line: 2}, "moved elsewhere:3"},
				{packet.Cite{Path: "edited and renamed"}, "changed"},
				{packet.Cite{Path: "gone", Line: 1}, "gone"},
				{packet.Cite{Path: "dir"}, "ok"},
				{packet.Cite{Path: "dir/"}, "ok"},
				{packet.Cite{Path: "binary", Line: 1}, "changed"},
				{packet.Cite{Path: "never"}, "unknown"},
				{packet.Cite{Path: "."}, "unknown"},
				{packet.Cite{Path: ".git/config"}, "unknown"},
				{packet.Cite{Path: "dir/.GIT/config"}, "unknown"},
				{packet.Cite{Path: "-x"}, "unknown"},
				{packet.Cite{Path: ":(glob)**"}, "unknown"},
				{packet.Cite{Path: "file", Commit: strings.Repeat("3", len(base))}, "unknown"},
				{packet.Cite{
					Path: "file", Commit: strings.Repeat("3", len(base)),
					Blob: w.Git("rev-parse", "HEAD:file"),
				}, "ok"},
				{packet.Cite{
					Path: "gone", Commit: strings.Repeat("3", len(base)),
					Blob: w.Git("rev-parse", base+":gone"),
				}, "unknown"},
				{packet.Cite{Path: "a b", Line: 3, Blob: w.Git("rev-parse", base+":a b")}, "moved a b:4"},
				{packet.Cite{Path: "a b", Line: 3, Blob: strings.Repeat("4", len(base))}, "unknown"},
			}
			var cites []packet.Cite
			var want []string
			for _, tt := range tests {
				cites, want = append(cites, tt.cite), append(want, tt.want)
			}
			if diff := cmp.Diff(want, w.cites(packet.Anchor{Commit: base}, cites...)); diff != "" {
				t.Errorf("cited (-want +got):\n%s", diff)
			}
		})
	}
}

// What is not committed counts, and so does a rename that the index knows.
func TestTree_Check_workTree(t *testing.T) {
	t.Parallel()
	w := newCiteWorld(t, gittest.Plain)
	w.put(".gitattributes", "*.crlf text eol=crlf\n")
	w.put("a", numbered(1, 5))
	w.put("x.crlf", numbered(1, 5))
	w.put("moved", numbered(10, 30))
	w.put("deleted", "d\n")
	base := w.commit()
	w.Git("rm", "-q", "--cached", "x.crlf")
	w.Git("reset", "-q", "--hard")
	w.put("x.crlf", strings.ReplaceAll(numbered(1, 5), "\n", "\r\n"))
	w.put("a", "new\n"+numbered(1, 3)+"other\n")
	w.Git("mv", "moved", "to")
	if err := os.Remove(filepath.Join(w.Dir, "deleted")); err != nil {
		t.Fatal(err)
	}
	cites := []packet.Cite{
		{Path: "a"},
		{Path: "a", Line: 2, EndLine: 3},
		{Path: "a", Line: 4},
		{Path: "x.crlf"},
		{Path: "moved", Line: 4},
		{Path: "deleted"},
	}
	want := []string{"changed", "moved a:3-4", "changed", "ok", "moved to:4", "gone"}
	if diff := cmp.Diff(want, w.cites(packet.Anchor{Commit: base}, cites...)); diff != "" {
		t.Errorf("cited (-want +got):\n%s", diff)
	}
	want = []string{"unknown", "moved a:3-4", "unknown", "ok", "moved to:4", "gone"}
	if diff := cmp.Diff(want, w.cites(packet.Anchor{Commit: base, Dirty: true}, cites...)); diff != "" {
		t.Errorf("cited beside changes (-want +got):\n%s", diff)
	}
}

// A file that is left out of the work tree is as HEAD has it, and what a partial or a shallow clone lacks is
// unknown.
func TestTree_Check_kinds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind gittest.Kind
		want []string // of HEAD, of its first line, of the commit before it
	}{
		{gittest.Plain, []string{"ok", "ok", "changed"}},
		{gittest.Sparse, []string{"ok", "ok", "changed"}},
		{gittest.Bare, []string{"ok", "ok", "changed"}},
		{gittest.Shallow, []string{"ok", "ok", "unknown"}},
		{gittest.Partial, []string{"ok", "ok", "unknown"}},
		{gittest.Submodule, []string{"ok", "ok", "changed"}},
		{gittest.Reftable, []string{"ok", "ok", "changed"}},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			w := newCiteWorld(t, tt.kind)
			head := w.Git("rev-parse", "HEAD")
			before, err := w.Try("rev-parse", "HEAD~")
			if before = strings.TrimSpace(before); err != nil {
				before = strings.Repeat("3", len(head))
			}
			got := w.cites(packet.Anchor{Commit: head}, packet.Cite{Path: "file"},
				packet.Cite{Path: "file", Line: 1},
				packet.Cite{Path: "file", Line: 1, Commit: before})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("cited (-want +got):\n%s", diff)
			}
		})
	}
}

// A link is what it names, and nothing is read through one.
func TestTree_Check_links(t *testing.T) {
	t.Parallel()
	w := newCiteWorld(t, gittest.Plain)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "in"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.put("dir/in", "x\n")
	w.put("plain", "x\n")
	if err := os.Symlink("dir/in", filepath.Join(w.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	base := w.commit()
	for name, target := range map[string]string{"dir": outside, "plain": filepath.Join(outside, "in")} {
		path := filepath.Join(w.Dir, name)
		if err := errors.Join(os.RemoveAll(path), os.Symlink(target, path)); err != nil {
			t.Fatal(err)
		}
	}
	got := w.cites(packet.Anchor{Commit: base}, packet.Cite{Path: "link"},
		packet.Cite{Path: "dir/in", Line: 1}, packet.Cite{Path: "plain", Line: 1})
	if diff := cmp.Diff([]string{"ok", "gone", "changed"}, got); diff != "" {
		t.Errorf("cited (-want +got):\n%s", diff)
	}
}

// A large file is told by its object alone.
func TestTree_Check_large(t *testing.T) {
	t.Parallel()
	w := newCiteWorld(t, gittest.Plain)
	text := strings.Repeat("a line of a large file\n", 1<<16)
	w.put("same", text)
	w.put("large", text)
	base := w.commit()
	w.put("large", "x\n"+text)
	got := w.cites(packet.Anchor{Commit: base}, packet.Cite{Path: "same", Line: 7},
		packet.Cite{Path: "large", Line: 7})
	if diff := cmp.Diff([]string{"ok", "changed"}, got); diff != "" {
		t.Errorf("cited (-want +got):\n%s", diff)
	}
}

func TestFindLines(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, old, now string
		from, to, want int
	}{
		{"the same", "a\nb\nc\n", "a\nb\nc\n", 2, 2, 2},
		{"indented anew, other line ends", "a\nif b {\nc\n", "a\r\n\t if b { \r\nc", 2, 2, 2},
		{"lines above", "a\nb\nc\n", "x\ny\na\nb\nc\n", 2, 3, 4},
		{
			"lines above and below, a bracket among its own", "f {\n1\n}\ng {\n2\n}\n",
			"0\nf {\n1\n}\ng {\n2\n}\n9\n", 6, 6, 7,
		},
		{"a bracket alone is nowhere", "f {\n1\n}\n", "}\n1\nf\nx", 3, 3, 0},
		{"told by itself", "the quick brown fox\na\n", "1\n2\nthe quick brown fox\n3", 1, 1, 3},
		{
			"told by its surroundings", "one\ncall(something)\ntwo\nend\n",
			"call(something)\nx\none\ncall(something)\ntwo\nchanged\n", 2, 2, 4,
		},
		{
			"nearest of equals", "x\ny\ncall(something)\nz\n", "call(something)\n1\n2\ncall(something)\n", 3, 3,
			4,
		},
		{"gone", "a\nthe quick brown fox\nc\n", "a\nthe slow brown fox\nc\n", 2, 2, 0},
		{"now shorter", "a\nb\nthe quick brown fox\n", "a\n", 3, 3, 0},
		{
			"repeats", strings.Repeat("x\n", 2) + "abcdefghij\n", strings.Repeat("x\n", 3) + "abcdefghij\nz\n",
			1, 3, 2,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := citation.FindLines(tt.old, tt.now, tt.from, tt.to); got != tt.want {
				t.Errorf("FindLines = %d, want %d", got, tt.want)
			}
		})
	}
}
