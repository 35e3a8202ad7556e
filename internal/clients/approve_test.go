package clients_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestApprovals shows that what setup writes for a person who agrees lets the model save, and that it does
// not save without: where nobody can be asked, a client refuses.
func TestApprovals(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]struct {
		client string
		args   []string
	}{
		"claude-code": {"claude", []string{"-p", request}},
		"gemini":      {"gemini", []string{"-m", "gemini-2.5-pro", "-p", request}},
	} {
		for approved, more := range map[string][]string{"approved": {"--approve"}, "not approved": nil} {
			t.Run(name+"/"+approved, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t, clientsOr(t, way.client))
				m := newModel(t, report,
					call{tool: "save", with: object{
						"goal":      goal,
						"next_step": "Read the profile of the lookup",
					}})
				d.trust(t)
				d.write(t, filepath.Join(d.home, ".gemini", "settings.json"),
					`{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
				d.must(t, nil, "git", append([]string{"ltm", "setup", name, "--scope", "user"}, more...)...)
				d.run(t, []string{
					"ANTHROPIC_BASE_URL=" + m.url, "ANTHROPIC_API_KEY=dummy", "GEMINI_API_KEY=dummy",
					"GOOGLE_GEMINI_BASE_URL=" + m.url,
				}, way.client, way.args...)
				if saved := strings.Contains(d.must(t, nil, "git", "ltm", "ls", "--json"), goal); saved !=
					(more != nil) {
					t.Errorf("saved: %v, after %d requests", saved, len(m.sent()))
				}
			})
		}
	}
}
