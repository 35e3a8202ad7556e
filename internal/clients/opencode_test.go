package clients_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// openCodeConfig lets OpenCode talk to a model on loopback.
func (d *desk) openCodeConfig(t *testing.T, m *model) {
	t.Helper()
	d.write(t, filepath.Join(d.home, ".config", "opencode", "opencode.json"), encoded(object{
		"model": "stub/stub",
		"provider": object{"stub": object{
			"npm": "@ai-sdk/openai-compatible", "name": "stub",
			"models":  object{"stub": object{"name": "stub"}},
			"options": object{"baseURL": m.url + "/v1", "apiKey": "dummy"},
		}},
	}))
}

// TestOpenCode_turn drives a turn with the plugin that setup wrote.
func TestOpenCode_turn(t *testing.T) {
	t.Parallel()
	d := newDesk(t, clientsOr(t, "opencode"))
	m := newModel(t, report, call{command: deadEnd})
	d.openCodeConfig(t, m)
	d.must(t, nil, "git", "ltm", "setup", "opencode")
	id := d.remember(t)
	out := d.must(t, nil, "opencode", "run", request)
	if !strings.Contains(out, report) {
		t.Errorf("opencode ended with %q, want the words of the model", out)
	}
	d.checkToldBefore(t, id)
	d.checkTurn(t, m, id)
}
