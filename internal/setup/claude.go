package setup

import (
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/settings"
)

// acting are the tools of Claude Code that run commands or change files.
const acting = "Bash|Edit|Write|MultiEdit|NotebookEdit"

// claude is Claude Code. Its local scope keeps hooks in a file of the work tree that git does not see, and
// servers in the user's own file, below the directory of the project.
func claude() Agent {
	return Agent{
		Name: string(agent.ClaudeCode), Title: "Claude Code", Program: "claude",
		Scopes: []Scope{Local, Project, User}, second: 1,
		folder: claudeFolder, wishes: claudeWishes,
		plugin: func(s Site) string {
			return enabledPlugin(filepath.Join(claudeFolder(s), "settings.json"),
				s.inTop(".claude", "settings.json"), s.inTop(".claude", "settings.local.json"))
		},
		notes: map[Scope][]string{Project: {
			"Claude Code asks each person once whether the server ltm of .mcp.json may be started; commit " +
				"the files for others to have them",
		}},
		missing: claudeMissing, approvals: claudeApprovals,
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
