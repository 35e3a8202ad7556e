package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/hook"
)

// TestName_At tells who keeps a hook, and which file is to be edited.
func TestName_At(t *testing.T) {
	t.Parallel()
	ours := hook.PrePush.Script()
	for _, test := range []struct {
		name, dir string
		files     map[string]string
		keeper    hook.Keeper
		file      string
		own, call bool
	}{
		{"nothing", ".git/hooks", nil, hook.Nobody, "", false, false},
		{"ours", ".git/hooks", map[string]string{".git/hooks/pre-push": ours}, hook.Nobody, "", true, true},
		{
			"ours and more", ".git/hooks",
			map[string]string{".git/hooks/pre-push": ours + "true\n"},
			hook.Foreign, ".git/hooks/pre-push", false, true,
		},
		{
			"somebody's", ".git/hooks",
			map[string]string{".git/hooks/pre-push": "#!/bin/sh\n"},
			hook.Foreign,
			".git/hooks/pre-push", false, false,
		},
		{"a folder of the project", ".githooks", nil, hook.Checkout, ".githooks/pre-push", false, false},
		{
			"a hook of the project", ".githooks",
			map[string]string{".githooks/pre-push": "git ltm hook pre-push"},
			hook.Foreign,
			".githooks/pre-push", false, true,
		},
		{
			"husky of today", ".husky/_",
			map[string]string{".husky/_/pre-push": ". h"},
			hook.Husky,
			".husky/pre-push", false, false,
		},
		{"husky of old", ".husky", nil, hook.Husky, ".husky/pre-push", false, false},
		{
			"husky in a folder", "web/.husky/_",
			map[string]string{"web/.husky/pre-push": "git-ltm hook pre-push"},
			hook.Husky,
			"web/.husky/pre-push", false, true,
		},
		{
			"lefthook before it is installed", ".git/hooks",
			map[string]string{"lefthook.yml": ""},
			hook.Lefthook, "lefthook.yml", false, false,
		},
		{
			"lefthook", ".git/hooks",
			map[string]string{
				".config/lefthook.yaml": "run: git-ltm hook pre-push {0}",
				".git/hooks/pre-push":   "call_lefthook",
			},
			hook.Lefthook, ".config/lefthook.yaml", false, true,
		},
		{
			"a hook beside lefthook", ".git/hooks",
			map[string]string{"lefthook.yml": "", ".git/hooks/pre-push": "true"},
			hook.Foreign,
			".git/hooks/pre-push", false, false,
		},
		{
			"pre-commit", ".git/hooks",
			map[string]string{".pre-commit-config.yaml": "", ".git/hooks/pre-push": "exec pre-commit"},
			hook.PreCommit, ".pre-commit-config.yaml", false, false,
		},
		{
			"pre-commit that keeps no pushes", ".git/hooks",
			map[string]string{".pre-commit-config.yaml": ""},
			hook.Nobody, "", false, false,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			for name, text := range test.files {
				file := filepath.Join(top, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			site := hook.Site{
				Dir: filepath.Join(top, filepath.FromSlash(test.dir)), WorkTree: top,
				GitDir: filepath.Join(top, ".git"),
			}
			got, err := hook.PrePush.At(site)
			if err != nil {
				t.Fatal(err)
			}
			file := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(got.File, top)), "/")
			if got.Keeper != test.keeper || file != test.file || got.Own != test.own ||
				got.Calls != test.call {
				t.Errorf("kept by %q, file %q, own %v, calls %v; want %q, %q, %v, %v", got.Keeper, file,
					got.Own, got.Calls, test.keeper, test.file, test.own, test.call)
			}
		})
	}
}
