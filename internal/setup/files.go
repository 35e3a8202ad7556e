package setup

import (
	"embed"
	"path/filepath"
)

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
