package clients_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// trust lets Gemini CLI work in folders, as a person does who is asked.
func (d *desk) trust(t *testing.T, folders ...string) {
	t.Helper()
	trusted := object{d.project: "TRUST_FOLDER"}
	for _, folder := range folders {
		trusted[folder] = "TRUST_FOLDER"
	}
	d.write(t, filepath.Join(d.home, ".gemini", "trustedFolders.json"), encoded(trusted))
}

// TestGemini_turn drives a turn with the hooks of the extension, and one with those that setup wrote. Gemini
// CLI drops what is said before a call, so the warning comes with the result.
func TestGemini_turn(t *testing.T) {
	t.Parallel()
	bin := clientsOr(t, "gemini")
	folder, _ := plugin(t)
	extension := filepath.Join(filepath.Dir(folder), "gemini")
	for name, setup := range map[string][][]string{
		"extension": {
			{"gemini", "extensions", "validate", extension},
			{"gemini", "extensions", "install", "--consent", extension},
		},
		"settings": {{"git", "ltm", "setup", "gemini"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, bin)
			d.trust(t, extension)
			d.write(t, filepath.Join(d.home, ".gemini", "settings.json"),
				`{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
			m := newModel(t, report, call{command: deadEnd})
			for _, words := range setup {
				d.must(t, nil, words[0], words[1:]...)
			}
			id := d.remember(t)
			key := []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + m.url}
			out := d.must(t, key, "gemini", "-y", "-m", "gemini-2.5-pro", "-p", request)
			if !strings.Contains(out, report) {
				t.Errorf("gemini ended with %q, want the words of the model", out)
			}
			d.checkTurn(t, m, id)
		})
	}
}
