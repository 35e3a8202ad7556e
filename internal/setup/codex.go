package setup

import (
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// codex is Codex. It reads files of a project only where a person trusts the project, and runs a hook only
// after a person has looked at it; we write neither for them.
func codex() Agent {
	const hooks = "Codex runs no hook that a person has not looked at: start codex once and approve those " +
		"of git ltm with /hooks; until then it skips them without a word"
	return Agent{
		Name: string(agent.Codex), Title: "Codex", Program: "codex", Scopes: []Scope{Project, User},
		second: 1,
		folder: codexFolder, wishes: codexWishes,
		plugin:  codexPlugin,
		missing: codexMissing,
		byHand:  `Codex asks before it calls save and note; approval_mode = "approve" below [mcp_servers.ltm.tools.save] and [mcp_servers.ltm.tools.note] of its config.toml allows them`,
		notes: map[Scope][]string{User: {hooks}, Project: {
			hooks, "Codex reads .codex of a project only where you trust the project, which it asks when " +
				"it starts there; commit the files for others to have them",
		}},
	}
}

func codexFolder(s Site) string { return s.folderAt("CODEX_HOME", ".codex") }

// codexCalls are the hooks. Codex tells of no failed call, and sums up without telling the summary.
func codexCalls() []call {
	return []call{
		{"SessionStart", "startup|resume|clear|compact", agent.SessionStart, atStart},
		{"UserPromptSubmit", "", agent.Prompt, atTurn},
		{"PreToolUse", "Bash|apply_patch|Edit|Write", agent.Tool, atTurn},
		{"Stop", "", agent.Stop, atTurn},
		{"SessionEnd", "", agent.SessionEnd, atEnd},
	}
}

func codexWishes(s Site, scope Scope) []wish {
	dir, at := s.scopedFolder(scope, codexFolder(s), ".codex")
	hooks, config := at, at
	hooks.path, config.path = filepath.Join(dir, "hooks.json"), filepath.Join(dir, "config.toml")
	config.table = []string{"mcp_servers", serverName}
	config.block = &settings.Block{Name: "git ltm setup", Lines: []string{
		"[mcp_servers." + serverName + "]",
		"command = " + tomlText(s.Program),
		`args = ["mcp"]`,
	}}
	skills := at.wishSkill(dir, "skills")
	if scope == Project {
		skills = at.wishSkill(s.inTop(".agents", "skills"))
	}
	return append(s.wishHooks(hooks, form{host: agent.Codex, second: 1}, codexCalls()), config, skills)
}

// tomlText writes a text in TOML, as it is where that is possible.
func tomlText(s string) string {
	if strings.Contains(s, `\`) && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return string(encodeJSON(s)) // What JSON escapes, TOML does in the same way.
}

// codexPlugin looks for our plugin among those that are on.
func codexPlugin(s Site) string {
	path := filepath.Join(codexFolder(s), "config.toml")
	f, err := settings.Read(path)
	if err != nil {
		return ""
	}
	plugins, _, err := settings.TableValue(f.Text, "plugins")
	all, _ := plugins.(map[string]any)
	for name, plugin := range all {
		entry, _ := plugin.(map[string]any)
		if on, _ := entry["enabled"].(bool); err == nil && on && isPlugin(name) {
			return name + " in " + path
		}
	}
	return ""
}
