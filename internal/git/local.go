package git

import (
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// maxConfig is how many bytes of a file of the configuration are looked at without asking git.
const maxConfig = 16 << 20

// Local is the folder in which this clone keeps what is about itself.
func (r *Repo) Local() *local.Dir { return local.Open(filepath.Join(r.CommonDir, "ltm"), r.Sharing) }

// Sharing is what core.sharedRepository says. It stands in the file of the repository, the only one in which git looks for
// it while it opens a repository, and without includes; so no process is started for it.
func (r *Repo) Sharing() local.Sharing {
	text, err := r.run.texts.read(r.ConfigFile())
	if err != nil {
		return local.Private
	}
	sharing, section := local.Private, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if head, rest, ok := strings.Cut(line, "]"); ok && strings.HasPrefix(head, "[") {
			section, line = head[1:], strings.TrimSpace(rest)
		}
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, ";")
		key, value, set := strings.Cut(line, "=")
		if !strings.EqualFold(section, "core") || !strings.EqualFold(strings.TrimSpace(key), "sharedRepository") {
			continue
		}
		if value = strings.Trim(value, " \t\""); !set {
			value = "true"
		}
		if said, err := local.ParseSharing(value); err == nil { // With another value git itself refuses the repository.
			sharing = said
		}
	}
	return sharing
}
