package settings_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/settings"
)

// server is a block that defines a table.
func server() settings.Block {
	return settings.Block{Name: "git ltm", Lines: []string{"[mcp_servers.ltm]", `command = "git-ltm"`}}
}

func TestAppendTable(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"no file": {"", "# git ltm: begin\n[mcp_servers.ltm]\ncommand = \"git-ltm\"\n# git ltm: end\n"},
		"a file": {
			"a = 1 # one\n",
			"a = 1 # one\n\n# git ltm: begin\n[mcp_servers.ltm]\ncommand = \"git-ltm\"\n# git ltm: end\n",
		},
		"no end": {
			"a = 1",
			"a = 1\n\n# git ltm: begin\n[mcp_servers.ltm]\ncommand = \"git-ltm\"\n# git ltm: end\n",
		},
		"CRLF": {
			"a = 1\r\n",
			"a = 1\r\n\r\n# git ltm: begin\r\n[mcp_servers.ltm]\r\ncommand = \"git-ltm\"\r\n# git ltm: end\r\n",
		},
		"other servers": {
			"[mcp_servers.x]\ncommand = \"y\"\n",
			"[mcp_servers.x]\ncommand = \"y\"\n\n# git ltm: begin\n[mcp_servers.ltm]\ncommand = \"git-ltm\"\n# git ltm: end\n",
		},
		"a mark ahead": {
			"\ufeffa = 1\n",
			"\ufeffa = 1\n\n# git ltm: begin\n[mcp_servers.ltm]\ncommand = \"git-ltm\"\n# git ltm: end\n",
		},
		"a blank line": {
			"a = 1\n\n",
			"a = 1\n\n\n# git ltm: begin\n[mcp_servers.ltm]\ncommand = \"git-ltm\"\n# git ltm: end\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := settings.AppendTable([]byte(tt.text), server(), "mcp_servers", "ltm")
			if err != nil || string(got) != tt.want {
				t.Fatalf("AppendTable(%q) = %q, %v, want %q", tt.text, got, err, tt.want)
			}
			back, err := server().Cut(got, settings.Ending([]byte(tt.text)))
			if err != nil || string(back) != tt.text {
				t.Errorf("Cut(%q) = %q, %v, want %q", got, back, err, tt.text)
			}
			more := string(got) + "[later]\n"
			back, err = server().Cut([]byte(more), settings.Ending([]byte(tt.text)))
			if _, ok, parsing := settings.TableValue(back, "later"); err != nil || !ok || parsing != nil {
				t.Errorf("Cut(%q) = %q, %v, want the table behind ours to stay", more, back, err)
			}
		})
	}
}

func TestAppendTable_refused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"the table is there":      "[mcp_servers.ltm]\ncommand = \"x\"\n",
		"by a dotted name":        "mcp_servers.ltm.command = \"x\"\n",
		"with quotes":             "[ mcp_servers . \"ltm\" ]\n",
		"the parent stands alone": "mcp_servers = { x = { command = \"y\" } }\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := settings.AppendTable([]byte(text), server(), "mcp_servers", "ltm")
			if _, ok := errors.AsType[*settings.TakenError](err); !ok {
				t.Errorf("AppendTable(%q) = %q, %v, want a *TakenError", text, got, err)
			}
		})
	}
	_, err := settings.AppendTable([]byte("a = 1\nb = = 2\n"), server(), "mcp_servers", "ltm")
	if err == nil || !strings.HasPrefix(err.Error(), "line 2, column ") {
		t.Errorf("AppendTable of a broken text = %v, want an error in line 2", err)
	}
}

func TestBlock_Within(t *testing.T) {
	t.Parallel()
	text := server().Append([]byte("a = 1\r\n"))
	lines, ok := server().Within(text)
	if diff := cmp.Diff(server().Lines, lines); !ok || diff != "" {
		t.Errorf("Within (-want +got):\n%s", diff)
	}
	if _, ok := server().Within([]byte("# git ltm: end\n# git ltm: begin\n")); ok {
		t.Error("Within found a block that does not end")
	}
	if _, err := server().Cut([]byte("a = 1\n"), "\n"); !errors.Is(err, settings.ErrAbsent) {
		t.Errorf("Cut = %v, want ErrAbsent", err)
	}
}
