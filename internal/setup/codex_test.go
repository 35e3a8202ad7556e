package setup_test

import (
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
)

// TestUndo_codexWrites holds that our server goes, and all else stays, where Codex wrote its settings anew:
// it puts servers and what a person allowed between our comments, and loses the first of them.
func TestUndo_codexWrites(t *testing.T) {
	t.Parallel()
	const before = "model = \"x\"\n\n[projects.\"/a\"]\ntrust_level = \"trusted\"\n"
	const ours = "[mcp_servers.ltm]\ncommand = \"git-ltm\"\nargs = [\"mcp\"]\n"
	const theirs = "\n[mcp_servers.other]\ncommand = \"x\"\n"
	const allowed = "\n[mcp_servers.ltm.tools.save]\napproval_mode = \"approve\"\n"
	for name, tt := range map[string]struct {
		text, want string
		stays      int
	}{
		"between our comments": {before + "\n# git ltm setup: begin\n" + ours + theirs +
			"# git ltm setup: end\n", before + theirs, 0},
		"without the first": {
			before + "\n" + ours + allowed + theirs + "# git ltm setup: end\n",
			before + theirs, 0,
		},
		"another of the name": {
			before + "\n[mcp_servers.ltm]\ncommand = \"y\"\n",
			before + "\n[mcp_servers.ltm]\ncommand = \"y\"\n", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site, _ := place(t)
			a, _ := setup.Find("codex")
			path := filepath.Join(site.Home, ".codex", "config.toml")
			put(t, path, before)
			apply(t, setup.PlanFor, site, a, setup.User)
			put(t, path, tt.text)
			if states := setup.Look(site, a); tt.stays == 0 && len(states[1].Altered) > 0 {
				t.Errorf("Look finds %v altered, want none", states[1].Altered)
			}
			p := apply(t, setup.UndoFor, site, a, setup.User)
			f, err := settings.Read(path)
			if err != nil || string(f.Text) != tt.want || len(p.Stays) != tt.stays {
				t.Errorf("undo left %q, stays %v, %v, want %q", f.Text, p.Stays, err, tt.want)
			}
		})
	}
}

// TestUndo_codexElsewhere holds that without a record our server is known by what it starts, as in the files
// of others.
func TestUndo_codexElsewhere(t *testing.T) {
	t.Parallel()
	site, _ := place(t)
	a, _ := setup.Find("codex")
	path := filepath.Join(site.Home, ".codex", "config.toml")
	put(t, path, "model = \"x\"\n\n[mcp_servers.ltm]\ncommand = \"/opt/git-ltm\"\nargs = [\"mcp\"]\n")
	apply(t, setup.UndoFor, site, a, setup.User)
	if f, err := settings.Read(path); err != nil || string(f.Text) != "model = \"x\"\n" {
		t.Errorf("undo left %q, %v", f.Text, err)
	}
}
