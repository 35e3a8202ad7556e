package transcript

import (
	"path"
	"path/filepath"
)

// SessionPlace returns where the transcript of one session lies, for clients that do not always say so. It is that of Copilot CLI,
// which keeps each session in a folder of its name.
func SessionPlace(home string, getenv func(string) (string, bool), f Format, session string) (Place, bool) {
	if f != Copilot || session == "" || session != path.Base(session) || !filepath.IsLocal(session) {
		return Place{}, false
	}
	s, ok := openShelf(Copilot, copilotFolder(home, getenv), copilotSessions)
	if !ok {
		return Place{}, false
	}
	defer s.close()
	for _, p := range s.file(path.Join(session, copilotEvents)) {
		return p, true
	}
	return Place{}, false
}
