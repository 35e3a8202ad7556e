package setup

import (
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/clean"
)

// copilot is Copilot CLI. It reads every file of a folder of hooks, so ours is a file of its own.
func copilot() Agent {
	return Agent{
		Name: string(agent.Copilot), Title: "Copilot CLI", Program: "copilot", Scopes: []Scope{Project, User},
		second: 1,
		byHand: "Copilot CLI asks before it calls save and note; copilot --allow-tool 'ltm(save)' " +
			"--allow-tool 'ltm(note)' allows them",
		folder: copilotFolder, wishes: copilotWishes,
		plugin: func(s Site) string {
			return enabledPlugin(filepath.Join(copilotFolder(s), "settings.json"),
				s.inTop(".github", "copilot", "settings.json"),
				s.inTop(".github", "copilot", "settings.local.json"))
		},
		missing: copilotMissing,
		notes: map[Scope][]string{Project: {
			"Copilot CLI reads .github of a project only in a folder that you trust, which it asks when " +
				"it starts there; commit the files for others to have them",
		}},
	}
}

func copilotFolder(s Site) string { return s.folderAt("COPILOT_HOME", ".copilot") }

// copilotCall is a hook in the form of Copilot CLI.
type copilotCall struct {
	Type       string `json:"type"`
	Bash       string `json:"bash"`
	PowerShell string `json:"powershell"`
	Timeout    int    `json:"timeoutSec"`
}

// copilotFile is the text of the file of hooks.
func (s Site) copilotFile() []byte {
	hooks := map[string][]copilotCall{}
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
		hooks[c.native] = []copilotCall{{
			"command", quoteProgram(program) + words,
			quotedPowerShell(program) + words, c.seconds,
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
