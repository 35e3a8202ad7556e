package web_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/signing"
	"github.com/git-ltm/git-ltm/internal/web"
)

// export writes the pages of a world into a new folder, or the one that is named.
func export(t *testing.T, w *world, dir string) (string, web.Exported) {
	t.Helper()
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "pages")
	}
	done, err := web.Export(t.Context(), w.options(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, done
}

// files returns every file below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestExport(t *testing.T) {
	t.Parallel()
	w := story(t)
	dir, done := export(t, w, "")
	all := files(t, dir)
	if done.Records != 15 || len(done.Left) > 0 {
		t.Errorf("%d records went out, and %v stayed; want 15, and none", done.Records, done.Left)
	}
	for _, name := range []string{
		"index.html", "graph.html", "notes.html", "tasks.html", "skips.html", "search.html", "style.css",
		"icon.svg", "git-ltm-pages.txt",
	} {
		if all[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
	contains(t, all["index.html"], "20 Nov 2026", "As of 20 November 2026, 09:30 UTC", "Remove the old pool",
		"verified",
		"default-src &#39;none&#39;; style-src &#39;self&#39; file:")
	contains(t, all["search.html"], "script-src &#39;sha256-", "One pool with a queue for each tenant",
		`<p id="tools" class="filter" hidden>`)
	for name, page := range all {
		lacks(t, page, "Staging is slow today", "One pool for all tenants", w.Dir, "days ago", "<form")
		if strings.HasSuffix(name, ".html") {
			closed(t, all, name)
			if name == "search.html" {
				page = withoutFilter(page)
			}
			if err := checkMarkup(page); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// closed shows that a page leads to nothing but files of the same export.
func closed(t *testing.T, all map[string]string, name string) {
	t.Helper()
	rest := all[name]
	for {
		_, after, ok := strings.Cut(rest, `href="`)
		if !ok {
			return
		}
		var href string
		href, rest, _ = strings.Cut(after, `"`)
		if target := filepath.ToSlash(filepath.Join(filepath.Dir(name), href)); !strings.HasPrefix(href,
			"#") && all[target] == "" {
			t.Errorf("%s leads to %q, which is not there", name, href)
		}
	}
}

// TestExport_again shows that the same records at the same time make the same bytes, in the place of the
// earlier ones.
func TestExport_again(t *testing.T) {
	t.Parallel()
	w := story(t)
	dir, _ := export(t, w, "")
	first := files(t, dir)
	export(t, w, dir)
	if diff := cmp.Diff(first, files(t, dir)); diff != "" {
		t.Errorf("a second export (-first +second):\n%s", diff)
	}
	ids := recordLinks(first["notes.html"])
	w.happen("retract", ids[0], "", "")
	export(t, w, dir)
	if _, there := files(t, dir)["records/"+ids[0]+".html"]; there {
		t.Error("a record that was taken back has a page still")
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v lies beside the pages (%v)", entries, err)
	}
}

func TestExport_occupied(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		name string
		fill func(dir string) error
		ok   bool
	}{
		{"nothing there", os.Remove, true},
		{"an empty folder", func(string) error { return nil }, true},
		{"a file of somebody else", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "mine.txt"), nil, 0o600)
		}, false},
		{"an empty folder in it", func(dir string) error {
			return os.Mkdir(filepath.Join(dir, "mine"), 0o700)
		}, false},
		{"a manifest that is none", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "git-ltm-pages.txt"), []byte("mine\n"), 0o600)
		}, false},
		{"a file in its place", func(dir string) error {
			return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600))
		}, false},
		{"a link to an empty folder", func(dir string) error {
			return errors.Join(os.Rename(dir, dir+"-real"), os.Symlink(dir+"-real", dir))
		}, false},
		{"an earlier export", func(dir string) error { return again(w, dir) }, true},
		{"an earlier export and a file", func(dir string) error {
			return errors.Join(again(w, dir), os.WriteFile(filepath.Join(dir, "CNAME"), nil, 0o600))
		}, false},
		{"an earlier export with a link in it", func(dir string) error {
			return errors.Join(again(w, dir), os.Remove(filepath.Join(dir, "icon.svg")),
				os.Symlink("style.css", filepath.Join(dir, "icon.svg")))
		}, false},
		{"no folder above it", func(dir string) error { return os.Remove(filepath.Dir(dir)) }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "above", "pages")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if tt.name == "no folder above it" {
				if err := os.Remove(dir); err != nil {
					t.Fatal(err)
				}
			}
			if err := tt.fill(dir); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadDir(dir)
			_, err := web.Export(t.Context(), w.options(), dir)
			if (err == nil) != tt.ok {
				t.Fatalf("Export() = %v, want done: %v", err, tt.ok)
			}
			if after, _ := os.ReadDir(dir); err != nil && len(after) != len(before) {
				t.Errorf("there are %d files, and were %d", len(after), len(before))
			}
		})
	}
}

func again(w *world, dir string) error {
	_, err := web.Export(context.WithoutCancel(w.t.Context()), w.options(), dir)
	return err
}

// TestExport_hostile shows that attacks are texts in files, too.
func TestExport_hostile(t *testing.T) {
	t.Parallel()
	dir, done := export(t, besieged(t), "")
	if done.Records != 3*len(attacks()) {
		t.Errorf("%d records went out, want %d: %v", done.Records, 3*len(attacks()), done.Left)
	}
	for name, page := range files(t, dir) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		if name == "search.html" {
			page = withoutFilter(page)
		}
		if err := checkMarkup(page); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestExport_secret shows that no record with a secret, and no event with one, is in a file. SPEC.
func TestExport_secret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := "gh" + "p_" + strings.Repeat("aB3dE5fG7h", 4)[:36]
	w.ago(3, 0)
	hidden := secret[:12] + "\u200b" + secret[12:20] + "\U000e0041" + secret[20:]
	w.plant("note", 5, object{"kind": "fact", "text": "Hidden " + hidden, "anchor": object{"branch": "main"}})
	clean := w.plant("packet", 1,
		object{"goal": "A goal", "next_step": "Go on", "anchor": object{"branch": "main"}})
	task := w.plant("note", 2, object{"kind": "task", "text": "A task", "anchor": object{"branch": "main"}})
	w.plant("packet", 3,
		object{"goal": "Use " + secret, "next_step": "Go on", "anchor": object{"branch": "main"}})
	w.plant("note", 4, object{"kind": "fact", "text": "It is " + secret, "anchor": object{"branch": "main"}})
	w.ago(2, 0)
	for i, e := range []object{
		{"event": "confirm", "targets": []string{clean}, "why": "with " + secret},
		{"event": "digest", "targets": []string{clean}, "value": "short: " + secret},
		{"event": "link", "targets": []string{clean}, "by": []string{task}, "value": "by " + secret},
		{"event": "set", "targets": []string{task}, "value": `{"next_action":"call with ` + secret + `"}`},
	} {
		w.plant("event", 10+i, e)
	}
	dir, done := export(t, w, "")
	if done.Records != 2 { // The others are not this clone's, and nobody reads them.
		t.Errorf("%d records went out, and %d stayed behind: %v", done.Records, len(done.Left), done.Left)
	}
	for _, left := range done.Left {
		if !left.Secret || strings.Contains(left.Why, secret) {
			t.Errorf("left out: %+v", left)
		}
	}
	for name, page := range files(t, dir) {
		if strings.Contains(page, secret) {
			t.Errorf("%s holds the secret", name)
		}
	}
	contains(t, files(t, dir)["records/"+clean+".html"], "A goal")
}

// TestExport_private shows that an event which never leaves this clone says nothing in a file, and names no
// record there.
func TestExport_private(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ago(2, 0)
	note := w.note(object{"type": "note", "kind": "fact", "text": "Shared text"})
	other := w.note(object{"type": "note", "kind": "fact", "text": "Other text"})
	mine := w.noteTo(replay.Private, object{"type": "note", "kind": "fact", "text": "Heron text"})
	w.ago(1, 0)
	w.use(func(m *memory.Memory) error {
		_, err := m.Happen(t.Context(),
			gate.Happen{Event: "link", Targets: []string{note}, By: []string{other}, Value: "goes with"})
		return err
	})
	for i, e := range []object{
		{"event": "link", "targets": []string{note}, "by": []string{mine}, "value": "heron link"},
		{"event": "digest", "targets": []string{note}, "value": "heron digest"},
		{"event": "confirm", "targets": []string{note}, "why": "heron reason"},
	} {
		id := w.plant("event", 20+i, e)
		w.Git("update-ref", "refs/ltm-local/events/"+id, "refs/ltm/events/"+id)
		w.Git("update-ref", "-d", "refs/ltm/events/"+id)
	}
	contains(t, serveUntil(t, w).get("records/"+note+".html"), "heron link", "heron digest", "heron reason")
	dir, _ := export(t, w, "")
	all := files(t, dir)
	contains(t, all["records/"+note+".html"], "Shared text", "goes with")
	for name, page := range all {
		if strings.Contains(strings.ToLower(page), "heron") || strings.Contains(page, mine) {
			t.Errorf("%s tells of what is private", name)
		}
	}
}

// TestExport_withheld shows that what policy keeps from readers is in no file.
func TestExport_withheld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Git("config", "ltm.requireSigned", "true")
	w.ago(2, 0).plant("packet", 1,
		object{"goal": "Heron goal", "next_step": "Heron step", "anchor": object{"branch": "main"}})
	w.ago(1, 0).save("main", "", signing.NoSign, object{"goal": "Made here", "next_step": "Go on"})
	dir, done := export(t, w, "")
	if len(done.Left) != 1 || done.Left[0].Secret || done.Records != 1 {
		t.Errorf("%d records went out, and %+v stayed", done.Records, done.Left)
	}
	for name, page := range files(t, dir) {
		if strings.Contains(page, "Heron") {
			t.Errorf("%s says what is withheld", name)
		}
	}
}
