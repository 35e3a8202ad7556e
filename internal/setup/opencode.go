package setup

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// opencode is OpenCode. Its hooks are a plugin in JavaScript, which it loads from a folder.
func opencode() Agent {
	return Agent{
		Name: string(agent.OpenCode), Title: "OpenCode", Program: "opencode", Scopes: []Scope{Project, User},
		second: 1000,
		folder: func(s Site) string {
			return s.inConfig("opencode")
		}, wishes: openWishes,
		notes: map[Scope][]string{Project: {"commit the files for others to have them"}},
	}
}

// openServer is a server in the form of OpenCode.
type openServer struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
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
		servers.wishMember(openServer{"local", []string{s.Program, "mcp"}, true}, isServer, "mcp",
			serverName),
		plugin, at.wishSkill(dir, "skills"),
	}
}

// openPlugin is the text of the plugin, with the program that it is to call.
func (s Site) openPlugin() []byte {
	const line = "const program = "
	return bytes.Replace(embeddedFile(openPlugin), []byte(line+`"git-ltm"`),
		append([]byte(line), encodeJSON(s.hookProgram(agent.Tool))...), 1)
}
