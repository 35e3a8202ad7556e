package setup

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// acting are the tools of Claude Code that run commands or change files.
const acting = "Bash|Edit|Write|MultiEdit|NotebookEdit"

// claude is Claude Code. Its local scope keeps hooks in a file of the work tree that git does not see, and
// servers in the user's own file, below the directory of the project.
func claude() Agent {
	const trusted = "Claude Code runs hooks only in a folder that you trust, which it asks when it starts there"
	return Agent{
		Name: string(agent.ClaudeCode), Title: "Claude Code", Program: "claude",
		Scopes: []Scope{Local, Project, User},
		folder: claudeFolder, wishes: claudeWishes,
		plugin: func(s Site) string {
			return enabledPlugin(filepath.Join(claudeFolder(s), "settings.json"),
				s.inTop(".claude", "settings.json"), s.inTop(".claude", "settings.local.json"))
		},
		notes: map[Scope][]string{Local: {trusted}, Project: {
			trusted, "Claude Code asks each person once whether the server ltm of .mcp.json may be started; commit " +
				"the files for others to have them",
		}},
		approvals: claudeApprovals,
	}
}

func claudeFolder(s Site) string { return s.folderAt("CLAUDE_CONFIG_DIR", ".claude") }

// claudeFile is where Claude Code keeps the servers of one person.
func claudeFile(s Site) string {
	if dir, ok := s.Getenv("CLAUDE_CONFIG_DIR"); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, ".claude.json")
	}
	return s.inHome(".claude.json")
}

// claudeCalls are the hooks. After a compaction the context starts anew, and so does what is told.
func claudeCalls() []call {
	return []call{
		{"SessionStart", "startup|resume|clear|compact", agent.SessionStart, atStart},
		{"UserPromptSubmit", "", agent.Prompt, atTurn},
		{"PreToolUse", acting, agent.Tool, atTurn},
		{"PostToolUseFailure", acting, agent.ToolFailure, atTurn},
		{"PostCompact", "", agent.Compacted, atTurn},
		{"Stop", "", agent.Stop, atTurn},
		{"SessionEnd", "", agent.SessionEnd, atEnd},
	}
}

func claudeWishes(s Site, scope Scope) []wish {
	f := form{host: agent.ClaudeCode, second: 1}
	personal := wish{path: claudeFile(s), private: true}
	switch scope {
	case User:
		hooks := s.wishHooks(wish{path: filepath.Join(claudeFolder(s), "settings.json"), private: true}, f,
			claudeCalls())
		return append(hooks, personal.wishMember(s.mcp("stdio"), isServer, "mcpServers", serverName),
			wish{}.wishSkill(claudeFolder(s), "skills"))
	case Project:
		in := wish{path: s.inTop(".claude", "settings.json"), inside: true}
		shared := wish{path: s.inTop(".mcp.json"), inside: true}
		return append(s.wishHooks(in, f, claudeCalls()),
			shared.wishMember(s.mcp(""), isServer, "mcpServers", serverName),
			in.wishSkill(s.inTop(".claude", "skills")))
	case Local:
	}
	in := wish{path: s.inTop(".claude", "settings.local.json"), inside: true}
	wishes := append(s.wishHooks(in, f, claudeCalls()), in.wishSkill(s.inTop(".claude", "skills")),
		personal.wishMember(s.mcp("stdio"), isServer, "projects", s.Main(), "mcpServers", serverName))
	return append(wishes, s.excludePaths("/.claude/settings.local.json", "/.claude/skills/git-ltm/")...)
}

// excludePaths is the wish that git does not see what is for one clone alone; none where it does not see it
// anyway.
func (s Site) excludePaths(paths ...string) []wish {
	w := wish{
		path:  filepath.Join(s.Common, "info", "exclude"),
		block: &settings.Block{Name: "git ltm setup", Lines: paths},
	}
	f, err := settings.Read(w.path)
	if _, ok := w.block.Within(f.Text); err == nil && ok {
		return []wish{w}
	}
	for _, path := range paths {
		if !s.Hidden(path[1:]) {
			return []wish{w}
		}
	}
	return nil
}

// claudeApprovals lets a person's own file of the clone say so for the project too: what is committed would
// approve for others.
func claudeApprovals(s Site, scope Scope) []wish {
	if scope == User {
		return wish{path: filepath.Join(claudeFolder(s), "settings.json"), private: true}.allowTools()
	}
	const local = "/.claude/settings.local.json"
	return append(wish{path: s.inTop(local), inside: true}.allowTools(), s.excludePaths(local)...)
}

// codex is Codex. It reads files of a project only where a person trusts the project, and runs a hook only
// after a person has looked at it; we write neither for them.
func codex() Agent {
	const hooks = "Codex runs no hook that a person has not looked at: start codex once and approve those " +
		"of git ltm with /hooks; until then it skips them without a word"
	return Agent{
		Name: string(agent.Codex), Title: "Codex", Program: "codex", Scopes: []Scope{Project, User},
		folder: codexFolder, wishes: codexWishes,
		plugin: codexPlugin,
		byHand: `Codex asks before it calls save and note; approval_mode = "approve" below [mcp_servers.ltm.tools.save] and [mcp_servers.ltm.tools.note] of its config.toml allows them`,
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

// copilot is Copilot CLI. It reads every file of a folder of hooks, so ours is a file of its own.
func copilot() Agent {
	return Agent{
		Name: string(agent.Copilot), Title: "Copilot CLI", Program: "copilot", Scopes: []Scope{Project, User},
		byHand: "Copilot CLI asks before it calls save and note; copilot --allow-tool 'ltm(save)' " +
			"--allow-tool 'ltm(note)' allows them",
		folder: copilotFolder, wishes: copilotWishes,
		plugin: func(s Site) string {
			return enabledPlugin(filepath.Join(copilotFolder(s), "settings.json"),
				s.inTop(".github", "copilot", "settings.json"),
				s.inTop(".github", "copilot", "settings.local.json"))
		},
		notes: map[Scope][]string{Project: {
			"Copilot CLI reads .github of a project only in a folder that you trust, which it asks when " +
				"it starts there; commit the files for others to have them",
		}},
	}
}

func copilotFolder(s Site) string { return s.folderAt("COPILOT_HOME", ".copilot") }

// copilotFile is the text of the file of hooks.
func (s Site) copilotFile() []byte {
	hooks := map[string][]map[string]any{}
	for _, c := range []call{
		{"sessionStart", "", agent.SessionStart, atStart},
		{"userPromptSubmitted", "", agent.Prompt, atTurn},
		{"preToolUse", "", agent.Tool, atTurn},
		{"postToolUse", "", agent.AfterTool, atTurn},
		{"postToolUseFailure", "", agent.ToolFailure, atTurn},
		{"agentStop", "", agent.Stop, atTurn},
		{"sessionEnd", "", agent.SessionEnd, atTurn},
	} {
		program, words := s.hookProgram(c.event), hookWords(agent.Copilot, c.event)
		hooks[c.native] = []map[string]any{{
			"type": "command", "bash": quoteProgram(program) + words,
			"powershell": quotedPowerShell(program) + words, "timeoutSec": c.seconds,
		}}
	}
	text, _ := clean.JSON(map[string]any{"version": 1, "hooks": hooks}, "  ") // It is made of plain types.
	return text
}

func copilotWishes(s Site, scope Scope) []wish {
	dir, at := s.scopedFolder(scope, copilotFolder(s), ".github")
	servers := map[Scope]string{User: "mcp-config.json", Project: "mcp.json"}[scope]
	entry := s.mcp("local")
	entry.Tools = []string{"*"}
	hooks, config := at, at
	hooks.hook, hooks.path, hooks.whole = true, filepath.Join(dir, "hooks", "git-ltm.json"), s.copilotFile()
	config.path = filepath.Join(dir, servers)
	return []wish{hooks, config.wishMember(entry, isServer, "mcpServers", serverName), at.wishSkill(dir,
		"skills")}
}

// cursor is Cursor. What its hooks say is not known to reach the model at a start, so a rule tells the model
// to ask.
func cursor() Agent {
	return Agent{
		Name: string(agent.Cursor), Title: "Cursor", Program: "cursor-agent", Scopes: []Scope{Project, User},
		folder: func(s Site) string {
			return s.inHome(".cursor")
		}, wishes: cursorWishes,
		byHand: "Cursor asks before it calls save and note; you can let it allow each for good",
		notes: map[Scope][]string{
			Project: {"Cursor shows the server ltm under Settings, MCP, where it has to be on; commit the " +
				"files for others to have them"},
			User: {"Cursor shows the server ltm under Settings, MCP, where it has to be on; it keeps " +
				"rules of a person out of files, so the rule comes with --scope project alone"},
		},
	}
}

func cursorWishes(s Site, scope Scope) []wish {
	dir, at := s.scopedFolder(scope, s.inHome(".cursor"), ".cursor")
	hooks, servers := at, at
	hooks.path, servers.path = filepath.Join(dir, "hooks.json"), filepath.Join(dir, "mcp.json")
	version := hooks.wishMember(1, nil, "version")
	version.mere = true
	wishes := []wish{version}
	for _, c := range []call{
		{"sessionStart", "", agent.SessionStart, atStart},
		{"postToolUse", "", agent.AfterTool, atTurn},
		{"postToolUseFailure", "", agent.ToolFailure, atTurn},
		{"stop", "", agent.Stop, atTurn},
		{"sessionEnd", "", agent.SessionEnd, atTurn},
	} {
		h := handler{Command: s.hookCommand(agent.Cursor, c.event), Timeout: c.seconds}
		wishes = append(wishes, hooks.wishHook(c, h, isHandler))
	}
	wishes = append(wishes, servers.wishMember(s.mcp(""), isServer, "mcpServers", serverName))
	if scope == Project {
		rule := at
		rule.path, rule.whole = s.inTop(".cursor", "rules", "git-ltm.mdc"), embeddedFile(cursorRule)
		wishes = append(wishes, rule)
	}
	return wishes
}

// gemini is Gemini CLI. Of what is said before a call of a tool, only why it is held back reaches its model;
// the rest is said after it. It calls PreCompress before each request, which is no compaction; that one is
// left alone.
func gemini() Agent {
	f := form{host: agent.Gemini, name: "git-ltm", second: 1000}
	calls := []call{
		{"SessionStart", "", agent.SessionStart, atStart},
		{"BeforeAgent", "", agent.Prompt, atTurn},
		{"BeforeTool", "run_shell_command|write_file|replace", agent.Tool, atTurn},
		{"AfterTool", "run_shell_command|write_file|replace", agent.AfterTool, atTurn},
		{"AfterAgent", "", agent.Stop, atTurn},
		{"SessionEnd", "", agent.SessionEnd, atTurn},
	}
	a := jsonAgent(f, ".gemini", calls)
	a.Title, a.Program = "Gemini CLI", "gemini"
	a.notes = map[Scope][]string{
		Project: {"Gemini CLI reads .gemini of a project and starts servers only in a folder that you " +
			"trust: /permissions says and changes that; commit the files for others to have them"},
		User: {"Gemini CLI starts servers only in a folder that you trust: /permissions says and " +
			"changes that"},
	}
	a.byHand = "Gemini CLI asks before it calls save and note; you can let it allow each for good"
	a.approvals = func(s Site, scope Scope) []wish {
		if scope == Project {
			return nil // It reads no policy of a project.
		}
		return []wish{{
			path: s.inHome(".gemini", "policies", "git-ltm.toml"), private: true,
			whole: []byte(geminiPolicy),
		}}
	}
	return a
}

// geminiPolicy is a file of rules of Gemini CLI.
const geminiPolicy = `# git ltm may save without a question.
[[rule]]
mcpName = "` + serverName + `"
toolName = ["save", "note"]
decision = "allow"
priority = 100
`

// qwen is Qwen Code, which calls the events as Claude Code does and counts as Gemini CLI does.
func qwen() Agent {
	f := form{host: agent.Qwen, name: "git-ltm", second: 1000}
	const tools = "run_shell_command|write_file|edit"
	calls := []call{
		{"SessionStart", "", agent.SessionStart, atStart},
		{"UserPromptSubmit", "", agent.Prompt, atTurn},
		{"PreToolUse", tools, agent.Tool, atTurn},
		{"PostToolUse", tools, agent.AfterTool, atTurn},
		{"PostToolUseFailure", tools, agent.ToolFailure, atTurn},
		{"Stop", "", agent.Stop, atTurn},
		{"SessionEnd", "", agent.SessionEnd, atTurn},
	}
	a := jsonAgent(f, ".qwen", calls)
	a.Title, a.Program = "Qwen Code", "qwen"
	a.notes = map[Scope][]string{Project: {
		"Qwen Code asks each person once whether the server ltm of a project may be started; commit the " +
			"files for others to have them",
	}}
	a.byHand = "Qwen Code asks before it calls save and note; you can let it allow each for good"
	a.approvals = func(s Site, scope Scope) []wish {
		if scope == Project {
			return nil // What is committed would approve for others.
		}
		return wish{path: s.inHome(".qwen", "settings.json"), private: true}.allowTools()
	}
	return a
}

// jsonAgent is an agent that keeps hooks and servers in one file settings.json.
func jsonAgent(f form, folder string, calls []call) Agent {
	user := func(s Site) string { return s.inHome(folder) }
	return Agent{
		Name: string(f.host), Scopes: []Scope{Project, User}, folder: user,
		plugin: func(s Site) string {
			if dir := filepath.Join(user(s), "extensions", "git-ltm"); isDir(dir) {
				return dir
			}
			return ""
		},
		wishes: func(s Site, scope Scope) []wish {
			dir, at := s.scopedFolder(scope, user(s), folder)
			at.path = filepath.Join(dir, "settings.json")
			return append(s.wishHooks(at, f, calls), at.wishMember(s.mcp(""), isServer, "mcpServers",
				serverName),
				at.wishSkill(dir, "skills"))
		},
	}
}

// opencode is OpenCode. Its hooks are a plugin in JavaScript, which it loads from a folder.
func opencode() Agent {
	return Agent{
		Name: string(agent.OpenCode), Title: "OpenCode", Program: "opencode", Scopes: []Scope{Project, User},
		folder: func(s Site) string {
			return s.inConfig("opencode")
		}, wishes: openWishes,
		notes: map[Scope][]string{Project: {"commit the files for others to have them"}},
	}
}

func openWishes(s Site, scope Scope) []wish {
	dir, at := s.scopedFolder(scope, s.inConfig("opencode"), ".opencode")
	config, _ := s.scopedFolder(scope, dir)
	servers, plugin := at, at
	servers.path = filepath.Join(config, "opencode.json")
	if _, err := os.Stat(servers.path + "c"); err == nil {
		servers.path += "c"
	}
	plugin.hook, plugin.path, plugin.whole = true, filepath.Join(dir, "plugins", "git-ltm.js"), s.openPlugin()
	return []wish{
		servers.wishMember(map[string]any{
			"type": "local", "command": []string{s.Program, "mcp"}, "enabled": true,
		}, isServer, "mcp", serverName),
		plugin, at.wishSkill(dir, "skills"),
	}
}

// openPlugin is the text of the plugin, with the program that it is to call.
func (s Site) openPlugin() []byte {
	const line = "const program = "
	return bytes.Replace(embeddedFile(openPlugin), []byte(line+`"git-ltm"`),
		append([]byte(line), encodeJSON(s.hookProgram(agent.Tool))...), 1)
}

// savingTools are the tools of our server that an agent may be allowed to call unasked: they add to the
// memory and take nothing away.
func savingTools() []string { return []string{"save", "note"} }

// PlanApprovals says what is still missing for an agent to call our tools save and note without a question to
// the person, in the person's own files. It changes nothing. Where the agent keeps that in no file of a
// person that we may write, the plan is empty.
func PlanApprovals(site Site, a Agent, scope Scope) (Plan, error) {
	p := Plan{Agent: a, Scope: scope}
	if err := a.checkScope(site, scope); err != nil || a.approvals == nil {
		return p, err
	}
	r, file, err := readRecord(site, scope)
	if err != nil {
		return p, err
	}
	err = p.planWishes(site, r.entryOf(site, a.Name, scope), a.approvals(site, scope))
	p.record, p.next = file, r
	return p, err
}

// ByHand says how a person allows the tools at a scope where setup does not; "" where the agent does not ask.
func (a Agent) ByHand(scope Scope) string {
	if a.approvals != nil && scope != Project {
		return ""
	}
	return a.byHand
}

// allowTools are the wishes for a list of tools that an agent calls unasked, in the form of Claude Code.
func (w wish) allowTools() []wish {
	wishes := make([]wish, 0, len(savingTools()))
	for _, tool := range savingTools() {
		one := w
		one.add = &settings.Addition{
			Path:  []string{"permissions", "allow"},
			Value: encodeJSON("mcp__" + serverName + "__" + tool),
		}
		wishes = append(wishes, one)
	}
	return wishes
}
