package setup

import (
	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// call is a hook that an agent is to call.
type call struct {
	native  string // the agent's name of the event
	matcher string // which tools or sources are meant; "" for all
	event   agent.Event
	seconds int // how long the agent waits; more than the hook ever takes
}

// The seconds that agents wait. A start may have to bring the index up to date.
const (
	atStart = 10
	atTurn  = 5
	atEnd   = 3 // Codex allows no more.
)

// handler is one command of a hook, in the form of Claude Code that several agents share.
type handler struct {
	Name    string `json:"name,omitempty"`
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

// group is a list of commands for the same tools.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}

// form is how an agent writes hooks.
type form struct {
	host   agent.Host
	name   string // of each handler; "" where they have none
	second int    // in units of the timeouts
}

// wishHooks are the wishes for hooks in the form of Claude Code.
func (s Site) wishHooks(at wish, f form, calls []call) []wish {
	wishes := make([]wish, 0, len(calls))
	for _, c := range calls {
		h := handler{f.name, "command", s.hookCommand(f.host, c.event), c.seconds * f.second}
		w := at
		w.hook = true
		w.add = &settings.Addition{
			Path:  []string{"hooks", c.native},
			Value: encodeJSON(group{c.matcher, []handler{h}}),
		}
		w.own = isGroup
		w.inner = &inner{name: "hooks", value: encodeJSON(h), own: isHandler}
		wishes = append(wishes, w)
	}
	return wishes
}

// wishMember is the wish for a member of an object.
func (w wish) wishMember(value any, own settings.Own, path ...string) wish {
	w.add = &settings.Addition{Path: path[:len(path)-1], Name: path[len(path)-1], Value: encodeJSON(value)}
	w.own = own
	return w
}

// server is how most agents write a server of tools.
type server struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

// serverName is what agents call our server of tools.
const serverName = "ltm"

// mcp is the entry of our server.
func (s Site) mcp(kind string) server {
	return server{Type: kind, Command: s.Program, Args: []string{"mcp"}}
}
