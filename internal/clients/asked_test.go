package clients_test

import (
	"strings"
	"testing"
)

// question begins what a session is asked that did work and saved nothing.
const question = "this session did work and saved nothing"

// substantial is work enough to be asked: two failures that were overcome.
func substantial() []call {
	return []call{{command: "sh -c 'exit 3'"}, {command: "sh -c 'exit 4'"}, {command: "sh -c 'exit 0'"}}
}

// isAsked tells whether a model was handed the question.
func (m *model) isAsked() bool {
	sent := m.sent()
	return len(sent) > 0 && strings.Contains(sent[len(sent)-1], question)
}

// TestAsked holds SPEC for the other clients whose model goes on: a person at a window has it asked,
// and a program does not. What came last may not stand in the transcript yet when an answer ends, so that a
// second one is asked for.
func TestAsked(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]struct{ client, begins, window, program string }{
		"codex": {
			"codex", "Ask Codex to do anything",
			"codex --dangerously-bypass-hook-trust",
			"codex exec --dangerously-bypass-hook-trust '" + request + "'",
		},
		"copilot": {
			"copilot", "Servers reloaded",
			"copilot --allow-all-tools", "copilot --allow-all-tools --trust-folder -p '" + request + "'",
		},
	} {
		begin := func(t *testing.T) (d *desk, m *model, more []string) {
			d, m = newDesk(t, clientsOr(t, way.client)), newModel(t, report, substantial()...)
			d.codexConfig(t, m, "stub-model")
			d.must(t, nil, "git", "ltm", "setup", name)
			return d, m, []string{
				"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + m.url + "/v1",
				"COPILOT_MODEL=stub",
			}
		}
		t.Run(name+"/window", func(t *testing.T) {
			t.Parallel()
			d, m, more := begin(t)
			w := d.open(t, more, way.window)
			if name == "copilot" {
				w.shows(t, "Confirm folder trust")
				w.types(t, "")
			}
			w.shows(t, way.begins)
			w.types(t, request)
			w.shows(t, painted)
			w.types(t, "Is that all?")
			d.until(t, "question", func() string {
				if m.isAsked() {
					return question
				}
				return ""
			})
		})
		t.Run(name+"/program", func(t *testing.T) {
			t.Parallel()
			d, m, more := begin(t)
			d.must(t, more, "sh", "-c", way.program)
			if m.isAsked() || len(m.sent()) != len(substantial())+1 {
				t.Errorf("asked: %v, after %d requests", m.isAsked(), len(m.sent()))
			}
		})
	}
}
