package clients_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

// tools are the names of our tools, sorted.
func tools() []string {
	return []string{
		"context", "example", "ls", "note", "recall", "resume", "rm", "save", "show", "skip_add", "skip_check", "status",
		"supersede", "task", "why",
	}
}

// inspectorDesk is a desk with the inspector.
func inspectorDesk(t *testing.T) *desk {
	t.Helper()
	return newDesk(t, clientsOr(t, "mcp-inspector", inspectorAlone))
}

// inspect asks our server something through the inspector.
func (d *desk) inspect(t *testing.T, method string, more ...string) printed {
	t.Helper()
	return d.run(t, nil, "mcp-inspector", append([]string{"--cli", "git-ltm", "mcp", "--method", method}, more...)...)
}

// tool calls a tool.
func (d *desk) tool(t *testing.T, name string, arguments object) printed {
	t.Helper()
	return d.inspect(t, "tools/call", "--tool-name", name, "--tool-args-json", encoded(arguments))
}

func TestInspector_lists(t *testing.T) {
	t.Parallel()
	d := inspectorDesk(t)
	listed := gjson.Parse(d.inspect(t, "tools/list").out)
	var names []string
	for _, tool := range listed.Get("tools").Array() {
		names = append(names, tool.Get("name").Str)
		for _, part := range []string{"description", "inputSchema.additionalProperties", "annotations.readOnlyHint", "annotations.destructiveHint"} {
			if !tool.Get(part).Exists() {
				t.Errorf("tool %s has no %s", tool.Get("name"), part)
			}
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff(tools(), names); diff != "" {
		t.Errorf("tools (-want +got)\n%s", diff)
	}
}
