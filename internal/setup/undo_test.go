package setup_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
)

// TestUndo_files puts settings as people have them where agents look, and holds that nothing is left of a
// set-up that was undone. SPEC.
func TestUndo_files(t *testing.T) {
	t.Parallel()
	fixtures, err := filepath.Glob("testdata/settings/*")
	if err != nil || len(fixtures) < 10 {
		t.Fatalf("there are %d fixtures, want at least 10: %v", len(fixtures), err)
	}
	eachScope(t, func(t *testing.T, a setup.Agent, scope setup.Scope) {
		t.Helper()
		for i, fixture := range append(fixtures, "") {
			if fixture != "" && i%len(a.Scopes) != slices.Index(a.Scopes, scope) {
				continue
			}
			site, root := place(t)
			if fixture != "" {
				data, err := os.ReadFile(fixture)
				if err != nil {
					t.Fatal(err)
				}
				for _, path := range shared(t, site, a, scope) {
					put(t, path, string(data))
				}
			}
			before := tree(t, root)
			done := apply(t, setup.PlanFor, site, a, scope)
			if len(done.Changes) < 2 {
				t.Errorf("%s: %d files changed, want hooks and the server at least", fixture,
					len(done.Changes))
			}
			if again, err := setup.PlanFor(site, a, scope); err != nil || !again.Empty() {
				t.Errorf("%s: a second run changes %d files, %v, want none", fixture, len(again.Changes), err)
			}
			undone := apply(t, setup.UndoFor, site, a, scope)
			if diff := cmp.Diff(before, tree(t, root)); diff != "" || len(undone.Stays) > 0 {
				t.Errorf("%s: undo left something, stays %v (-before +after):\n%s", fixture, undone.Stays,
					diff)
			}
			if again, err := setup.UndoFor(site, a, scope); err != nil || !again.Empty() {
				t.Errorf("%s: a second undo changes %d files, %v, want none", fixture, len(again.Changes),
					err)
			}
			if _, err := os.Stat(filepath.Join(site.Common, "ltm", "setup.json")); !errors.Is(err,
				fs.ErrNotExist) {
				t.Errorf("%s: the record is still there: %v", fixture, err)
			}
		}
	})
}

// TestUndo_edited holds that what others write after a set-up stays, and that ours goes.
func TestUndo_edited(t *testing.T) {
	t.Parallel()
	eachScope(t, func(t *testing.T, a setup.Agent, scope setup.Scope) {
		t.Helper()
		site, root := place(t)
		paths := shared(t, site, a, scope)
		apply(t, setup.PlanFor, site, a, scope)
		for _, path := range paths {
			edit(t, path, "theirs")
		}
		apply(t, setup.UndoFor, site, a, scope)
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			value, _, err := settings.Value(data)
			got, _ := value.(map[string]any)
			delete(got, "version") // The one of Cursor's hooks stays with what others have there.
			if diff := cmp.Diff(map[string]any{"theirs": true}, got); err != nil || diff != "" {
				t.Errorf("%s: (-want +got) %v\n%s\n%s", path, err, diff, data)
			}
		}
		for name, text := range tree(t, root) {
			if strings.Contains(text, "git-ltm") {
				t.Errorf("%s still speaks of git-ltm:\n%s", name, text)
			}
		}
	})
}

// edit adds a member to an object in a file.
func edit(t *testing.T, path, name string) {
	t.Helper()
	f, err := settings.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := settings.Insert(f.Text, settings.Addition{Name: name, Value: []byte("true")})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Replace(text); err != nil {
		t.Fatal(err)
	}
}

// TestUndo_elsewhere holds that a clone without a record takes out what another one wrote.
func TestUndo_elsewhere(t *testing.T) {
	t.Parallel()
	eachScope(t, func(t *testing.T, a setup.Agent, scope setup.Scope) {
		t.Helper()
		site, root := place(t)
		apply(t, setup.PlanFor, site, a, scope)
		for _, dir := range []string{
			filepath.Join(site.Common, "ltm"),
			filepath.Join(site.Home, ".config", "ltm"),
		} {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
		if again, err := setup.PlanFor(site, a, scope); err != nil || !again.Empty() {
			t.Errorf("without its record a second run changes %d files, %v, want none", len(again.Changes),
				err)
		}
		apply(t, setup.UndoFor, site, a, scope)
		for name, text := range tree(t, root) {
			if strings.Contains(text, "git-ltm") {
				t.Errorf("%s still speaks of git-ltm:\n%s", name, text)
			}
		}
	})
}

// TestUndo_lineEndings holds that files of a project which git checked out with other line endings are ours
// still.
func TestUndo_lineEndings(t *testing.T) {
	t.Parallel()
	eachScope(t, func(t *testing.T, a setup.Agent, scope setup.Scope) {
		t.Helper()
		site, root := place(t)
		done := apply(t, setup.PlanFor, site, a, scope)
		if err := os.RemoveAll(filepath.Join(site.Common, "ltm")); err != nil {
			t.Fatal(err)
		}
		for _, c := range done.Changes {
			put(t, c.File.Path, strings.ReplaceAll(string(c.After), "\n", "\r\n"))
		}
		for _, s := range setup.Look(site, a) {
			if s.Scope == scope && len(s.Altered)+len(s.Lacking) > 0 {
				t.Errorf("Look finds %+v", s)
			}
		}
		if again, err := setup.PlanFor(site, a, scope); err != nil || !again.Empty() {
			t.Errorf("a second run changes %d files, %v, want none", len(again.Changes), err)
		}
		if p := apply(t, setup.UndoFor, site, a, scope); len(p.Stays) > 0 {
			t.Errorf("undo leaves %v, want nothing", p.Stays)
		}
		for name, text := range tree(t, root) {
			if strings.Contains(text, "git-ltm") {
				t.Errorf("%s still speaks of git-ltm:\n%s", name, text)
			}
		}
	})
}

// TestUndo_worktrees holds that what two work trees of a clone share goes with the last of them.
func TestUndo_worktrees(t *testing.T) {
	t.Parallel()
	first, root := place(t)
	second := first
	second.Top = filepath.Join(root, "linked")
	put(t, filepath.Join(second.Top, "file"), "")
	before := tree(t, root)
	a, _ := setup.Find("claude-code")
	apply(t, setup.PlanFor, first, a, setup.Local)
	apply(t, setup.PlanFor, second, a, setup.Local)
	apply(t, setup.UndoFor, first, a, setup.Local)
	for _, path := range []string{
		filepath.Join(first.Home, ".claude.json"),
		filepath.Join(first.Common, "info", "exclude"),
	} {
		if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), "ltm") {
			t.Errorf("%s holds %q, %v, but the second work tree needs it", path, data, err)
		}
	}
	apply(t, setup.UndoFor, second, a, setup.Local)
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Errorf("undo left something (-before +after):\n%s", diff)
	}
}

// TestUndo_handler holds that a hook that somebody put among ours stays.
func TestUndo_handler(t *testing.T) {
	t.Parallel()
	site, _ := place(t)
	a, _ := setup.Find("claude-code")
	apply(t, setup.PlanFor, site, a, setup.Project)
	path := filepath.Join(site.Top, ".claude", "settings.json")
	f, err := settings.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	theirs := settings.Addition{
		Path:  []string{"hooks", "Stop", "0", "hooks"},
		Value: []byte(`{"type":"command","command":"theirs"}`),
	}
	text, _, err := settings.Insert(f.Text, theirs)
	if err != nil {
		t.Fatal(err)
	}
	later := strings.Replace(string(text), `"timeout": 10`, `"timeout": 7`, 1)
	if err := f.Replace([]byte(later)); err != nil {
		t.Fatal(err)
	}
	apply(t, setup.UndoFor, site, a, setup.Project)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := settings.Value(data)
	want := map[string]any{"hooks": map[string]any{"Stop": []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": "theirs"}}}}}}
	if diff := cmp.Diff(want, value); err != nil || diff != "" {
		t.Errorf("undo left (-want +got) %v\n%s", err, diff)
	}
}
