package settings_test

import (
	"errors"
	"testing"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// TestCutTable_rewritten holds that a table goes, and nothing else, where a program wrote its file anew
// since.
func TestCutTable_rewritten(t *testing.T) {
	t.Parallel()
	const head = "a = 1\n\n"
	const ours = "[mcp_servers.ltm]\ncommand = \"git-ltm\"\n"
	const other = "[mcp_servers.other]\ncommand = \"x\"\n"
	tests := map[string]struct{ text, want string }{
		"a table of others between the comments": {head + "# git ltm: begin\n" + ours + "\n" + other +
			"# git ltm: end\n", head + other},
		"the first comment is lost": {
			head + ours + "\n" + other + "# git ltm: end\n",
			head + other,
		},
		"both comments are lost": {head + other + "\n" + ours, head + other},
		"a table below ours": {
			head + "# git ltm: begin\n" + ours +
				"\n[mcp_servers.ltm.tools.save]\napproval = \"auto\"\n\n" + other + "# git ltm: end\n",
			head + other,
		},
		"ours is gone": {
			head + "# git ltm: begin\n" + other + "# git ltm: end\n",
			head + other,
		},
		"a comment of others": {
			head + ours + "# theirs\n" + other,
			head + "# theirs\n" + other,
		},
		"CRLF": {"[mcp_servers.ltm]\r\ncommand = \"git-ltm\"\r\n\r\n[b]\r\n", "[b]\r\n"},
		"more members": {head +
			"# git ltm: begin\n[mcp_servers.ltm]\ncommand = \"git-ltm\"\nenv = { A = \"b\" }\n# git ltm: end\n", "a = 1\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := settings.CutTable([]byte(tt.text), server(), "\n", "mcp_servers", "ltm")
			if err != nil || string(got) != tt.want {
				t.Errorf("CutTable(%q) = %q, %v, want %q", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestCutTable_refused(t *testing.T) {
	t.Parallel()
	inline := "[mcp_servers]\nltm = { command = \"git-ltm\" }\n# git ltm: end\n"
	got, err := settings.CutTable([]byte(inline), server(), "\n", "mcp_servers", "ltm")
	if _, ok := errors.AsType[*settings.ChangedError](err); !ok {
		t.Errorf("CutTable(%q) = %q, %v, want a *ChangedError", inline, got, err)
	}
	got, err = settings.CutTable([]byte("text = '''\n[mcp_servers.ltm]\n'''\n"), server(), "\n",
		"mcp_servers", "ltm")
	if err == nil {
		t.Errorf("CutTable of a text in quotes = %q, want an error", got)
	}
	if _, err := settings.CutTable([]byte("a = 1\n"), server(), "\n", "mcp_servers", "ltm"); !errors.Is(err,
		settings.ErrAbsent) {
		t.Errorf("CutTable = %v, want ErrAbsent", err)
	}
}
