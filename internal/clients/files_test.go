package clients_test

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// file reads a file that agents are given, from the folder of the plugin.
func file(t *testing.T, name ...string) string {
	t.Helper()
	folder, _ := plugin(t)
	data, err := os.ReadFile(filepath.Join(append([]string{folder}, name...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFiles_hooks holds that each hook calls an event of ours, waits a little and not long, and counts the
// wait as its agent does.
func TestFiles_hooks(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]struct {
		host   string
		second int64
	}{
		filepath.Join("hooks", "hooks.json"):                 {agent.Plugin, 1},
		filepath.Join("..", "gemini", "hooks", "hooks.json"): {string(agent.Gemini), 1000},
	} {
		calls := 0
		for event, groups := range gjson.Get(file(t, name), "hooks").Map() {
			for _, hook := range groups.Get("#.hooks|@flatten").Array() {
				calls++
				words := strings.Fields(hook.Get("command").Str)
				if len(words) != 4 || words[0] != "git-ltm" || words[1] != "hook" || words[2] != form.host {
					t.Fatalf("%s: %s calls %q", name, event, words)
				}
				if _, known := agent.ParseEvent(words[3]); !known {
					t.Errorf("%s: %s calls the event %q", name, event, words[3])
				}
				if wait := hook.Get("timeout").Int(); wait < 2*form.second || wait > 10*form.second {
					t.Errorf("%s: %s waits %d", name, event, wait)
				}
			}
		}
		if calls < 5 {
			t.Errorf("%s calls %d hooks", name, calls)
		}
	}
}

// TestFiles_alike holds that what several agents are given says the same.
func TestFiles_alike(t *testing.T) {
	t.Parallel()
	skill := filepath.Join("skills", "git-ltm", "SKILL.md")
	if diff := cmp.Diff(file(t, skill), file(t, "..", "gemini", skill)); diff != "" {
		t.Errorf("skill of the plugin and of the extension (-want +got)\n%s", diff)
	}
	for _, command := range []string{"save", "resume"} {
		_, plugin, _ := strings.Cut(file(t, "commands", command+".md"), "---\n\n")
		_, extension, _ := strings.Cut(file(t, "..", "gemini", "commands", "ltm", command+".toml"),
			`"""`+"\n")
		plugin, _, _ = strings.Cut(plugin, "$ARGUMENTS")
		extension, _, _ = strings.Cut(extension, "{{args}}")
		if diff := cmp.Diff(plugin, extension); diff != "" || plugin == "" {
			t.Errorf("command %s of the plugin and of the extension (-want +got)\n%s", command, diff)
		}
	}
	manifest := file(t, ".claude-plugin", "plugin.json")
	for _, path := range []string{"name", "version", "description"} {
		want, got := gjson.Get(manifest, path).Str,
			gjson.Get(file(t, "..", "gemini", "gemini-extension.json"), path).Str
		if want != got || want == "" {
			t.Errorf("%s of the plugin is %q, of the extension %q", path, want, got)
		}
	}
	if server := gjson.Get(file(t, ".mcp.json"), "mcpServers.ltm").Raw; !slices.Equal(strings.Fields(server),
		strings.Fields(
			gjson.Get(file(t, "..", "gemini", "gemini-extension.json"), "mcpServers.ltm").Raw)) {
		t.Errorf("the plugin and the extension start different servers: %s", server)
	}
}

// TestFiles_plugin holds what a catalog of plugins asks for, and that the marketplace at the top names the
// plugin.
func TestFiles_plugin(t *testing.T) {
	t.Parallel()
	folder, top := plugin(t)
	marketplace, err := os.ReadFile(filepath.Join(top, ".claude-plugin", "marketplace.json"))
	if err != nil {
		t.Fatal(err)
	}
	if source := gjson.GetBytes(marketplace, "plugins.0.source").Str; filepath.Join(top, source) != folder {
		t.Errorf("the marketplace names %q, want the plugin at %q", source, folder)
	}
	if words := len(strings.Fields(file(t, "README.md"))); words < 40 {
		t.Errorf("the README has %d words, want at least 40", words)
	}
	icon, err := png.DecodeConfig(strings.NewReader(file(t, ".claude-plugin", "icon.png")))
	if err != nil || icon.Width != 512 || icon.Height != 512 {
		t.Errorf("the icon has %d by %d points, want 512 by 512: %v", icon.Width, icon.Height, err)
	}
	skill := file(t, "skills", "git-ltm", "SKILL.md")
	if len(skill) > 4000 {
		t.Errorf("the skill has %d characters; each costs every session that reads it", len(skill))
	}
	for _, must := range []string{"Codex", "secrets", "`save`", "`recall`", "`action`", "locked"} {
		if !strings.Contains(skill, must) {
			t.Errorf("the skill does not speak of %s", must)
		}
	}
}
