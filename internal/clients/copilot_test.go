package clients_test

import (
	"strings"
	"testing"
)

// TestCopilot_turn drives a turn with the hooks of the plugin, and one with those that setup wrote.
func TestCopilot_turn(t *testing.T) {
	t.Parallel()
	bin := clientsOr(t, "copilot")
	_, marketplace := plugin(t)
	for name, setup := range map[string][][]string{
		"plugin": {
			{"copilot", "plugin", "marketplace", "add", marketplace},
			{"copilot", "plugin", "install", "git-ltm@git-ltm"},
		},
		"settings": {{"git", "ltm", "setup", "copilot"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, bin)
			m := newModel(t, report, call{command: deadEnd})
			offline := []string{
				"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + m.url + "/v1",
				"COPILOT_MODEL=stub",
			}
			for _, words := range setup {
				d.must(t, offline, words[0], words[1:]...)
			}
			id := d.remember(t)
			out := d.must(t, offline, "copilot", "--trust-folder", "--allow-all-tools", "-p", request)
			if !strings.Contains(out, report) {
				t.Errorf("copilot ended with %q, want the words of the model", out)
			}
			d.checkToldBefore(t, id)
			d.checkTurn(t, m, id)
		})
	}
}
