package setup

import (
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/agent"
)

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
	a.missing = geminiMissing(a.folder)
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
		Name: string(f.host), Scopes: []Scope{Project, User}, second: f.second, folder: user,
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
