// Package setup tells each agent of git ltm in the agent's own files, and takes that out again.
//
// It knows which files an agent reads at which scope, and what stands there when the agent calls our hooks,
// our server of tools and our skill. All files are read and planned before the first is written; each is
// replaced as a whole, and where one cannot be written the next run does the rest. What was added is kept in
// a record before, so that it can be taken out to the byte.
//
// It promises that what others wrote in the same files stays as it is, byte for byte, that nothing is written
// twice, and that it never writes where a plugin tells the agent the same. It writes no other file, and it
// approves nothing in the place of a person: where an agent wants hooks or a directory to be trusted, the
// notes of a plan say so. That two of our tools are called unasked is a plan of its own, for a person to
// agree to.
package setup

import (
	"embed"
	"path/filepath"
)

// Scope is for whom an agent is told.
type Scope string

// The scopes.
const (
	Local   Scope = "local"   // Local is for one person in one clone, in files that git does not see.
	Project Scope = "project" // Project is for everybody who works on the project, in files of the work tree.
	User    Scope = "user"    // User is for one person, wherever they work.
)

// Site is where the agents are.
type Site struct {
	Home    string                           // required: of the person
	Getenv  func(name string) (string, bool) // required
	Top     string                           // the top of the work tree; "" outside of a repository
	Common  string                           // the common directory of git; "" outside of a repository
	Program string                           // required: how agents call the program: its name, or its path
	// how agents call the program for hooks of tools; "" where it is not there
	Quick string
	// required for Local: whether git ignores a path of the work tree
	Hidden func(path string) bool
}

// scopedFolder returns the folder of an agent at a scope, and how its files are kept: that of the person, or
// parts of the work tree.
func (s Site) scopedFolder(scope Scope, own string, parts ...string) (dir string, at wish) {
	if scope == Project {
		return s.inTop(parts...), wish{inside: true}
	}
	return own, wish{private: true}
}

// Main is the directory by which Claude Code knows the repository: the top of its main work tree.
func (s Site) Main() string {
	if filepath.Base(s.Common) == ".git" {
		return filepath.Dir(s.Common)
	}
	return s.Top
}

// folderAt is a directory that a variable moves.
func (s Site) folderAt(variable string, parts ...string) string {
	if dir, ok := s.Getenv(variable); ok && filepath.IsAbs(dir) {
		return dir
	}
	return s.inHome(parts...)
}

func (s Site) inHome(parts ...string) string {
	return filepath.Join(append([]string{s.Home}, parts...)...)
}

// inTop is a path of the work tree; "" outside of one.
func (s Site) inTop(parts ...string) string {
	if s.Top == "" {
		return ""
	}
	return filepath.Join(append([]string{s.Top}, parts...)...)
}

// inConfig is the user's folder of configuration.
func (s Site) inConfig(parts ...string) string {
	return filepath.Join(append([]string{s.folderAt("XDG_CONFIG_HOME", ".config")}, parts...)...)
}

// Agent is a program that can be told of git ltm.
type Agent struct {
	Name    string  // as the commands call it
	Title   string  // as people call it
	Program string  // what starts it
	Scopes  []Scope // the first is the default

	folder func(Site) string         // where it keeps what is the user's
	wishes func(Site, Scope) []wish  // what it should find; called through at
	plugin func(Site) (where string) // the plugin that tells it the same; "" for none
	notes  map[Scope][]string        // what is left to the person

	// that it calls save and note without a question, in files of the person alone; nil where we write none
	approvals func(Site, Scope) []wish
	byHand    string // how a person allows that; "" where it does not ask
}

// Agents returns all agents.
func Agents() []Agent {
	return []Agent{claude(), codex(), gemini(), opencode(), cursor(), copilot(), qwen()}
}

// Find returns the agent of a name.
func Find(name string) (Agent, bool) {
	for _, a := range Agents() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}

// wishesAt is what an agent should find at a scope. Files that a project shares name the program alone:
// where it lies here says nothing to others.
func (a Agent) wishesAt(site Site, scope Scope) []wish {
	if scope == Project {
		site.Program, site.Quick = programName, ""
	}
	return a.wishes(site, scope)
}

// programName is how the program is called where it stands on the path.
const programName = "git-ltm"

// files are the texts that are put into folders of agents as they are. Plugins are made of the same.
//
//go:embed files/plugin/skills files/cursor files/opencode
var files embed.FS

// The files among them.
const (
	skillText  = "files/plugin/skills/git-ltm/SKILL.md"
	cursorRule = "files/cursor/git-ltm.mdc"
	openPlugin = "files/opencode/git-ltm.js"
)

// embeddedFile returns a file that the program carries.
func embeddedFile(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err) // The program was built without it.
	}
	return data
}

// wishSkill is the wish for our skill in a folder of skills.
func (w wish) wishSkill(folder ...string) wish {
	w.path = filepath.Join(append(folder, "git-ltm", "SKILL.md")...)
	w.whole = embeddedFile(skillText)
	return w
}
