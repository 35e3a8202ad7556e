package setup

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// copilot is Copilot CLI. It reads every file of a folder of hooks, so ours is a file of its own.
func copilot() Agent {
	return Agent{
		Name: string(agent.Copilot), Title: "Copilot CLI", Program: "copilot", Scopes: []Scope{Project, User}, second: 1,
		byHand: "Copilot CLI asks before it calls save and note; copilot --allow-tool 'ltm(save)' --allow-tool 'ltm(note)' allows them",
		folder: copilotFolder, wishes: copilotWishes, asks: []string{"mcp", "get", serverName},
		plugin: func(s Site) string {
			return enabledPlugin(filepath.Join(copilotFolder(s), "settings.json"), s.top(".github", "copilot", "settings.json"), s.top(".github", "copilot", "settings.local.json"))
		},
		missing: copilotMissing,
		notes: func(_ Site, scope Scope) []string {
			if scope == Project {
				return []string{"Copilot CLI reads .github of a project only in a folder that you trust, which it asks when it starts there; commit the files for others to have them"}
			}
			return nil
		},
	}
}

func copilotFolder(s Site) string { return s.folder("COPILOT_HOME", ".copilot") }

// copilotCall is a hook in the form of Copilot CLI.
type copilotCall struct {
	Type       string `json:"type"`
	Bash       string `json:"bash"`
	PowerShell string `json:"powershell"`
	Timeout    int    `json:"timeoutSec"`
}

// copilotHooks is the whole file of hooks, in the order of a session.
type copilotHooks struct {
	Version int `json:"version"`
	Hooks   struct {
		Start   []copilotCall `json:"sessionStart"`
		Prompt  []copilotCall `json:"userPromptSubmitted"`
		Tool    []copilotCall `json:"preToolUse"`
		After   []copilotCall `json:"postToolUse"`
		Failure []copilotCall `json:"postToolUseFailure"`
		Stop    []copilotCall `json:"agentStop"`
		End     []copilotCall `json:"sessionEnd"`
	} `json:"hooks"`
}

// copilotFile is the text of the file of hooks.
func (s Site) copilotFile() []byte {
	one := func(event agent.Event, seconds int) []copilotCall {
		program, words := s.hooks(event), hookWords(agent.Copilot, event)
		return []copilotCall{{"command", quoted(program) + words, quotedPowerShell(program) + words, seconds}}
	}
	var f copilotHooks
	f.Version = 1
	f.Hooks.Start = one(agent.SessionStart, atStart)
	f.Hooks.Prompt = one(agent.Prompt, atTurn)
	f.Hooks.Tool = one(agent.Tool, atTurn)
	f.Hooks.After = one(agent.AfterTool, atTurn)
	f.Hooks.Failure = one(agent.ToolFailure, atTurn)
	f.Hooks.Stop = one(agent.Stop, atTurn)
	f.Hooks.End = one(agent.SessionEnd, atTurn)
	var out bytes.Buffer
	if err := json.Indent(&out, encode(f), "", "  "); err != nil {
		return nil // It was made by encoding/json.
	}
	return append(out.Bytes(), '\n')
}

func copilotWishes(s Site, scope Scope) []wish {
	dir, at, servers := copilotFolder(s), wish{private: true}, "mcp-config.json"
	if scope == Project {
		dir, at, servers = s.top(".github"), wish{inside: true}, "mcp.json"
	}
	entry := s.mcp("local")
	entry.Tools = []string{"*"}
	hooks, config := at, at
	hooks.hook, hooks.path, hooks.whole = true, filepath.Join(dir, "hooks", "git-ltm.json"), s.copilotFile()
	config.path = filepath.Join(dir, servers)
	return []wish{hooks, config.member(entry, isServer, "mcpServers", serverName), at.skill(dir, "skills")}
}
