package setup_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
)

// place is a machine with a home, a repository and nothing else.
func place(t *testing.T) (site setup.Site, root string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	site = setup.Site{
		Home: filepath.Join(root, "home"), Top: filepath.Join(root, "repo"),
		Common: filepath.Join(root, "repo", ".git"), Program: "git-ltm",
		Getenv: func(string) (string, bool) { return "", false },
		Hidden: func(string) bool { return false },
	}
	put(t, filepath.Join(site.Common, "info", "exclude"),
		"# git ls-files --others --exclude-from=.git/info/exclude\n")
	if err := os.MkdirAll(site.Home, 0o700); err != nil {
		t.Fatal(err)
	}
	return site, root
}

// put writes a file and the directories above it.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tree is everything below a directory: the texts of files with their modes, and the directories. The
// directory of our own state is left out.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if name == filepath.Join("repo", ".git", "ltm") {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			all[name] = "directory"
			return nil
		}
		data, err := os.ReadFile(path)
		all[name] = info.Mode().String() + "\n" + string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// apply plans and applies.
func apply(t *testing.T, plan func(setup.Site, setup.Agent, setup.Scope) (setup.Plan, error), site setup.Site,
	a setup.Agent, scope setup.Scope,
) setup.Plan {
	t.Helper()
	p, err := plan(site, a, scope)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	return p
}

// shared are the files in JSON that an agent shares with others at a scope.
func shared(t *testing.T, site setup.Site, a setup.Agent, scope setup.Scope) []string {
	t.Helper()
	p, err := setup.PlanFor(site, a, scope)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, c := range p.Changes {
		if filepath.Ext(c.File.Path) == ".json" && filepath.Base(c.File.Path) != "git-ltm.json" {
			paths = append(paths, c.File.Path)
		}
	}
	return paths
}

// eachScope runs a test for all agents at all their scopes.
func eachScope(t *testing.T, run func(t *testing.T, a setup.Agent, scope setup.Scope)) {
	t.Helper()
	for _, a := range setup.Agents() {
		for _, scope := range a.Scopes {
			t.Run(a.Name+"/"+string(scope), func(t *testing.T) {
				t.Parallel()
				run(t, a, scope)
			})
		}
	}
}

// TestSite_FindQuick holds that agents call the program for hooks where it lies beside the one that they call
// otherwise, and that files which a project shares never name it.
func TestSite_FindQuick(t *testing.T) {
	t.Parallel()
	site, root := place(t)
	here, there := filepath.Join(root, "here"), filepath.Join(root, "there")
	site.Getenv = func(name string) (string, bool) { return here, name == "PATH" }
	program := func(dir, name string) {
		put(t, filepath.Join(dir, name), "#!/bin/sh\n")
		if err := os.Chmod(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program(here, "git-ltm")
	program(there, "git-ltm")
	if got := site.FindQuick(); got != "" {
		t.Errorf("FindQuick = %q where there is none", got)
	}
	program(there, "git-ltm-hook")
	apart := site
	apart.Program = filepath.Join(there, "git-ltm")
	if got, want := apart.FindQuick(), filepath.Join(there, "git-ltm-hook"); got != want {
		t.Errorf("FindQuick = %q, want %q", got, want)
	}
	program(here, "git-ltm-hook")
	site.Quick = site.FindQuick()
	if site.Quick != "git-ltm-hook" {
		t.Errorf("FindQuick = %q, want the name alone", site.Quick)
	}
	before := tree(t, root)
	for _, a := range setup.Agents() {
		for _, scope := range a.Scopes {
			p := apply(t, setup.PlanFor, site, a, scope)
			hooks := false
			for _, c := range p.Changes {
				hooks = hooks || strings.Contains(string(c.After), "git-ltm-hook")
				if handed := regexp.MustCompile(
					`git-ltm-hook\S* hook \S+ (session|prompt|stop|compact|tool-failure)`).Find(c.After); handed != nil {
					t.Errorf("%s, %s: %q would be handed over each time", a.Name, scope, handed)
				}
			}
			if hooks != (scope != setup.Project) {
				t.Errorf("%s, %s: names the program for hooks: %v", a.Name, scope, hooks)
			}
			if again, err := setup.PlanFor(site, a, scope); err != nil || !again.Empty() {
				t.Errorf("%s, %s: a second time changes %d files, %v", a.Name, scope, len(again.Changes), err)
			}
			apply(t, setup.UndoFor, site, a, scope)
		}
	}
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Errorf("undo left something (-before +after):\n%s", diff)
	}
}

// TestPlanFor_renews holds that a file of ours which another version or path wrote is written anew, and goes;
// and that one which somebody changed stays.
func TestPlanFor_renews(t *testing.T) {
	t.Parallel()
	site, root := place(t)
	before := tree(t, root)
	a, _ := setup.Find("opencode")
	older := site
	older.Program = "/opt/old version/git-ltm"
	apply(t, setup.PlanFor, older, a, setup.User)
	p := apply(t, setup.PlanFor, site, a, setup.User)
	if len(p.Changes) != 1 || !strings.Contains(string(p.Changes[0].After), `const program = "git-ltm"`) {
		t.Errorf("PlanFor changes %d files, want the plugin alone", len(p.Changes))
	}
	apply(t, setup.UndoFor, site, a, setup.User)
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Errorf("undo left something (-before +after):\n%s", diff)
	}

	apply(t, setup.PlanFor, older, a, setup.User)
	put(t, filepath.Join(site.Home, ".config", "opencode", "plugins", "git-ltm.js"), "// theirs")
	if p, err := setup.PlanFor(site, a, setup.User); err != nil || !p.Empty() {
		t.Errorf("PlanFor changes %d files, %v, want none", len(p.Changes), err)
	}
	if p := apply(t, setup.UndoFor, site, a, setup.User); len(p.Stays) != 1 {
		t.Errorf("undo leaves %v, want the plugin that was changed", p.Stays)
	}
}

func TestPlanFor_refused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		agent string
		scope setup.Scope
		files map[string]string
		want  string
	}{
		"settings that do not parse": {
			"claude-code", setup.Project,
			map[string]string{"repo/.claude/settings.json": "{\n  \"a\" 1\n}"},
			"line 2, column 7: invalid character '1' after object key",
		},
		"a later file does not parse": {
			"claude-code", setup.Project,
			map[string]string{"repo/.mcp.json": "{"},
			"line 1, column 1",
		},
		"another server of the name": {
			"gemini", setup.Project,
			map[string]string{"repo/.gemini/settings.json": `{"mcpServers": {"ltm": {"command": "other"}}}`},
			`"mcpServers.ltm" holds something else`,
		},
		"another server of the name, in TOML": {
			"codex", setup.User,
			map[string]string{"home/.codex/config.toml": "[mcp_servers.ltm]\ncommand = \"other\"\n"},
			`"mcp_servers.ltm" holds something else`,
		},
		"hooks of another shape": {
			"cursor", setup.Project,
			map[string]string{"repo/.cursor/hooks.json": `{"version": 1, "hooks": []}`},
			`"hooks" is not an object`,
		},
		"a plugin": {
			"claude-code", setup.Local,
			map[string]string{"home/.claude/settings.json": `{"enabledPlugins": {"git-ltm@git-ltm": true}}`},
			"from a plugin already",
		},
		"a plugin of Codex": {
			"codex", setup.User,
			map[string]string{"home/.codex/config.toml": "[plugins.\"git-ltm@git-ltm\"]\nenabled = true\n"},
			"from a plugin already",
		},
		"a plugin of Copilot": {
			"copilot", setup.User,
			map[string]string{"home/.copilot/settings.json": `{"enabledPlugins": {"git-ltm@git-ltm": true}}`},
			"from a plugin already",
		},
		"an extension": {
			"gemini", setup.User,
			map[string]string{"home/.gemini/extensions/git-ltm/gemini-extension.json": "{}"},
			"from a plugin already",
		},
		"another scope": {
			"claude-code", setup.Local,
			map[string]string{"home/.claude/settings.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/bin/git-ltm hook claude-code stop"}]}]}}`},
			"would run each hook twice",
		},
		"no such scope": {"codex", setup.Local, nil, `no files for the scope "local"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site, root := place(t)
			for path, text := range tt.files {
				put(t, filepath.Join(root, filepath.FromSlash(path)), text)
			}
			a, _ := setup.Find(tt.agent)
			p, err := setup.PlanFor(site, a, tt.scope)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("PlanFor = %d changes, %v, want an error with %q", len(p.Changes), err, tt.want)
			}
		})
	}
}

// TestPlanFor_record holds that a record which nobody can have written is refused.
func TestPlanFor_record(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"agents": [null]}`,
		`{"agents": [{"agent": "gemini", "scope": "project", "files": [null]}]}`, `{"agents": 1}`, "{",
	} {
		site, _ := place(t)
		put(t, filepath.Join(site.Common, "ltm", "setup.json"), text)
		a, _ := setup.Find("gemini")
		if p, err := setup.PlanFor(site, a, setup.Project); !errors.Is(err, setup.ErrRecord) {
			t.Errorf("PlanFor with the record %s = %d changes, %v, want ErrRecord", text, len(p.Changes), err)
		}
	}
}

// TestPlanFor_pluginOff holds that a plugin that a nearer file turns off is none, while another of the name
// counts.
func TestPlanFor_pluginOff(t *testing.T) {
	t.Parallel()
	site, _ := place(t)
	put(t, filepath.Join(site.Home, ".claude", "settings.json"),
		`{"enabledPlugins": {"git-ltm@git-ltm": true}}`)
	off := filepath.Join(site.Top, ".claude", "settings.local.json")
	put(t, off, `{"enabledPlugins": {"git-ltm@other": true, "git-ltm@git-ltm": false}}`)
	a, _ := setup.Find("claude-code")
	for range 20 { // Members of an object come in any order.
		if where := a.Plugin(site); !strings.Contains(where, "git-ltm@other") {
			t.Fatalf("Plugin = %q, want the one that is on", where)
		}
	}
	put(t, off, `{"enabledPlugins": {"git-ltm@git-ltm": false}}`)
	if p, err := setup.PlanFor(site, a, setup.Local); err != nil || p.Empty() {
		t.Errorf("PlanFor = %d changes, %v, want some", len(p.Changes), err)
	}
}

// TestPlanFor_links holds that a link within a project leads nowhere outside of it.
func TestPlanFor_links(t *testing.T) {
	t.Parallel()
	site, root := place(t)
	put(t, filepath.Join(root, "elsewhere", "settings.json"), "{}")
	if err := os.Symlink(filepath.Join(root, "elsewhere"), filepath.Join(site.Top, ".gemini")); err != nil {
		t.Skip(err)
	}
	a, _ := setup.Find("gemini")
	if p, err := setup.PlanFor(site, a, setup.Project); !errors.Is(err, setup.ErrOutward) {
		t.Errorf("PlanFor = %d changes, %v, want ErrOutward", len(p.Changes), err)
	}
	if err := os.Symlink(filepath.Join(root, "elsewhere"), filepath.Join(site.Home, ".gemini")); err != nil {
		t.Fatal(err)
	}
	apply(t, setup.PlanFor, site, a, setup.User)
	data, err := os.ReadFile(filepath.Join(root, "elsewhere", "settings.json"))
	if err != nil || !strings.Contains(string(data), "git-ltm hook gemini session-start") {
		t.Errorf("the settings behind the user's own link hold %q, %v", data, err)
	}
}

// TestPlan_Apply_again holds that a set-up which stopped at a file that somebody wrote meanwhile is completed
// by the next one, and undone as a whole.
func TestPlan_Apply_again(t *testing.T) {
	t.Parallel()
	eachScope(t, func(t *testing.T, a setup.Agent, scope setup.Scope) {
		t.Helper()
		site, root := place(t)
		p, err := setup.PlanFor(site, a, scope)
		if err != nil {
			t.Fatal(err)
		}
		last := p.Changes[len(p.Changes)-1].File.Path
		if err := os.MkdirAll(filepath.Dir(last), 0o750); err != nil {
			t.Fatal(err)
		}
		before := tree(t, root)
		if p, err = setup.PlanFor(site, a, scope); err != nil {
			t.Fatal(err)
		}
		put(t, last, "somebody was faster")
		if err := p.Apply(); !errors.Is(err, settings.ErrMoved) {
			t.Fatalf("Apply = %v, want ErrMoved", err)
		}
		name := strings.TrimPrefix(filepath.ToSlash(last), filepath.ToSlash(root)+"/")
		if was, there := before[name]; there {
			_, text, _ := strings.Cut(was, "\n")
			put(t, last, text)
		} else if err := os.Remove(last); err != nil {
			t.Fatal(err)
		}
		apply(t, setup.PlanFor, site, a, scope)
		if again, err := setup.PlanFor(site, a, scope); err != nil || !again.Empty() {
			t.Errorf("a third run changes %d files, %v, want none", len(again.Changes), err)
		}
		apply(t, setup.UndoFor, site, a, scope)
		if diff := cmp.Diff(before, tree(t, root)); diff != "" {
			t.Errorf("undo left something (-before +after):\n%s", diff)
		}
	})
}

// TestPlanFor_timeouts holds that each hook has a timeout in the unit of its agent. SPEC.
func TestPlanFor_timeouts(t *testing.T) {
	t.Parallel()
	for name, bounds := range map[string][2]string{
		"claude-code": {`"timeout": 3`, `"timeout": 10`},
		"codex":       {`"timeout": 3`, `"timeout": 10`}, "gemini": {`"timeout": 5000`, `"timeout": 10000`},
		"qwen": {`"timeout": 5000`, `"timeout": 10000`}, "copilot": {`"timeoutSec": 5`, `"timeoutSec": 10`},
		"cursor": {`"timeout": 5`, `"timeout": 10`},
	} {
		site, _ := place(t)
		a, _ := setup.Find(name)
		p, err := setup.PlanFor(site, a, setup.Project)
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, c := range p.Changes {
			all = strings.Join([]string{all, string(c.After)}, "")
		}
		hooks := strings.Count(all, "git-ltm hook "+name)
		if name == "copilot" {
			hooks /= 2 // One line for each of two shells.
		}
		if got := strings.Count(all, `"timeout`); got != hooks {
			t.Errorf("%s: %d timeouts for %d hooks", name, got, hooks)
		}
		for _, want := range bounds {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no hook has %s:\n%s", name, want, all)
			}
		}
	}
}

// TestAgents holds that agents have what the commands need of them.
func TestAgents(t *testing.T) {
	t.Parallel()
	var names []string
	for _, a := range setup.Agents() {
		names = append(names, a.Name)
		if a.Title == "" || a.Program == "" || !slices.Contains(a.Scopes, setup.User) ||
			!slices.Contains(a.Scopes, setup.Project) {
			t.Errorf("%+v lacks something", a.Name)
		}
	}
	want := []string{"claude-code", "codex", "gemini", "opencode", "cursor", "copilot", "qwen"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("Agents (-want +got):\n%s", diff)
	}
}
