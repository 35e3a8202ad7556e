package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// DamagedRefs says which line of the file of packed refs no git can read, and how one gets on; nothing where
// there is none. It is for whoever failed: git ends on such a line, whatever it was asked. Only a repository of
// a plain case is looked at.
func DamagedRefs(dir string, env []string) string {
	repo := Plain(dir, env)
	if repo == nil {
		return ""
	}
	file := filepath.Join(repo.CommonDir, "packed-refs")
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	at := 0
	for line := range strings.Lines(string(data)) {
		at++
		text, ended := strings.CutSuffix(line, "\n")
		peeled, isPeeled := strings.CutPrefix(text, "^")
		oid, name, _ := strings.Cut(text, " ")
		if ended && (at == 1 && strings.HasPrefix(text, "# ") || isPeeled && IsObjectID(peeled) ||
			IsObjectID(oid) && strings.HasPrefix(name, "refs/")) {
			continue
		}
		return fmt.Sprintf("git cannot read line %d of %s and ends on it: keep a copy of the file, then restore it "+
			"from a backup or take the line out; 'git fsck' and 'git ltm doctor' look at what is there then", at, file)
	}
	return ""
}
