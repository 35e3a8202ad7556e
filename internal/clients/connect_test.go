package clients_test

import (
	"strings"
	"testing"
)

// TestConnects asks each client that says so whether it reached our server.
func TestConnects(t *testing.T) {
	t.Parallel()
	for client, way := range map[string]struct {
		setup []string
		want  string
	}{
		"claude":   {[]string{"git", "ltm", "setup", "claude-code"}, "ltm: git-ltm mcp - ✔ Connected"},
		"gemini":   {[]string{"git", "ltm", "setup", "gemini"}, "✓ ltm: git-ltm mcp (stdio) - Connected"},
		"opencode": {[]string{"git", "ltm", "setup", "opencode"}, "✓ ltm"},
		"qwen":     {[]string{"git", "ltm", "setup", "qwen", "--scope", "user"}, "✓ ltm"},
	} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, clientsOr(t, client))
			d.trust(t)
			d.must(t, nil, way.setup[0], way.setup[1:]...)
			p := d.run(t, nil, client, "mcp", "list")
			if all := plain(p.out + p.err); !strings.Contains(all, way.want) {
				t.Errorf("%s says of its servers, want %q:\n%s", client, way.want, all)
			}
		})
	}
}

// plain takes the colours out of what a client prints.
func plain(text string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		text = strings.TrimLeft(after, "0123456789;?")
		text = text[min(1, len(text)):]
	}
}
