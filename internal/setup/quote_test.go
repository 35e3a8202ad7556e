package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
)

// TestPlanFor_paths lets a shell run the hooks of each agent where the program lies in a folder that a shell
// would misread, and holds that a look at them finds no fault and that an undo without the record still knows
// them.
func TestPlanFor_paths(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for _, folder := range []string{
		"a`touch x`b", "a|b", "it's \"so\", $HOME, $(id)", "a hook b",
		"#*?[x]{y,z}~!<&>;\\n",
	} {
		for _, name := range []string{"claude-code", "cursor", "copilot"} {
			t.Run(name+"/"+folder, func(t *testing.T) {
				t.Parallel()
				site, root := place(t)
				site.Program = filepath.Join(root, folder, "git-ltm")
				put(t, site.Program, "#!/bin/sh\nprintf '%s' \"$0 $*\"\n")
				if err := os.Chmod(site.Program, 0o700); err != nil {
					t.Fatal(err)
				}
				a, _ := setup.Find(name)
				apply(t, setup.PlanFor, site, a, setup.User)
				for _, f := range a.Examine(site) {
					if f.Level != "ok" {
						t.Errorf("Examine finds %+v", f)
					}
				}
				for _, line := range commands(t, site)[:1] {
					cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
					cmd.Dir = site.Top
					out, err := cmd.Output()
					if err != nil || !strings.HasPrefix(string(out), site.Program+" hook "+name+" ") {
						t.Errorf("sh -c %q = %q, %v", line, out, err)
					}
				}
				if err := os.RemoveAll(filepath.Join(site.Home, ".config")); err != nil {
					t.Fatal(err)
				}
				apply(t, setup.UndoFor, site, a, setup.User)
				if left := commands(t, site); len(left) > 0 {
					t.Errorf("undo left %q", left)
				}
			})
		}
	}
}

// commands are the lines that agents give to a shell, in the files of a person.
func commands(t *testing.T, site setup.Site) []string {
	t.Helper()
	var all []string
	for _, name := range []string{
		".claude/settings.json", ".cursor/hooks.json",
		".copilot/hooks/git-ltm.json",
	} {
		f, err := settings.Read(filepath.Join(site.Home, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		value, _, err := settings.Value(f.Text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, lines(value)...)
	}
	return all
}

// lines are the commands in a value, however deep.
func lines(value any) []string {
	var all []string
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			all = append(all, lines(element)...)
		}
	case map[string]any:
		for name, member := range v {
			if line, ok := member.(string); ok && (name == "command" || name == "bash") {
				all = append(all, line)
			}
			all = append(all, lines(member)...)
		}
	}
	return all
}
