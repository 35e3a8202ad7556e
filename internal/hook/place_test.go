package hook_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/hook"
)

// TestName_At tells who keeps a hook.
func TestName_At(t *testing.T) {
	t.Parallel()
	ours := hook.PrePush.Script()
	for _, test := range []struct {
		name, dir string
		files     map[string]string
		keeper    hook.Keeper
		own, call bool
	}{
		{"nothing", ".git/hooks", nil, hook.Nobody, false, false},
		{"ours", ".git/hooks", map[string]string{".git/hooks/pre-push": ours}, hook.Nobody, true, true},
		{
			"ours and more", ".git/hooks",
			map[string]string{".git/hooks/pre-push": ours + "true\n"},
			hook.Foreign, false, true,
		},
		{
			"somebody's", ".git/hooks",
			map[string]string{".git/hooks/pre-push": "#!/bin/sh\n"},
			hook.Foreign, false, false,
		},
		{"a folder of the project", ".githooks", nil, hook.Checkout, false, false},
		{
			"a hook of the project", ".githooks",
			map[string]string{".githooks/pre-push": "git ltm hook pre-push"},
			hook.Foreign, false, true,
		},
		{"husky", ".husky/_", map[string]string{".husky/_/pre-push": ". h"}, hook.Foreign, false, false},
		{"husky of old", ".husky", nil, hook.Checkout, false, false},
		{
			"lefthook before it is installed", ".git/hooks",
			map[string]string{"lefthook.yml": ""},
			hook.Lefthook, false, false,
		},
		{
			"lefthook", ".git/hooks",
			map[string]string{".config/lefthook.yaml": "", ".git/hooks/pre-push": "call_lefthook"},
			hook.Foreign, false, false,
		},
		{
			"pre-commit that keeps no pushes", ".git/hooks",
			map[string]string{".pre-commit-config.yaml": ""},
			hook.Nobody, false, false,
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
			if got.Keeper != test.keeper || got.Own != test.own || got.Calls != test.call {
				t.Errorf("kept by %q, own %v, calls %v; want %q, %v, %v", got.Keeper, got.Own, got.Calls,
					test.keeper, test.own, test.call)
			}
		})
	}
}
