package setup

import (
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// cursor is Cursor. What its hooks say is not known to reach the model at a start, so a rule tells the model
// to ask.
func cursor() Agent {
	return Agent{
		Name: string(agent.Cursor), Title: "Cursor", Program: "cursor-agent", Scopes: []Scope{Project, User},
		second: 1,
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

// cursorCall is a hook in the form of Cursor.
type cursorCall struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
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
		w := hooks
		w.hook = true
		w.add = &settings.Addition{
			Path:  []string{"hooks", c.native},
			Value: encodeJSON(cursorCall{s.hookCommand(agent.Cursor, c.event), c.seconds}),
		}
		w.own = isHandler
		wishes = append(wishes, w)
	}
	wishes = append(wishes, servers.wishMember(s.mcp(""), isServer, "mcpServers", serverName))
	if scope == Project {
		rule := at
		rule.path, rule.whole = s.inTop(".cursor", "rules", "git-ltm.mdc"), embeddedFile(cursorRule)
		wishes = append(wishes, rule)
	}
	return wishes
}
