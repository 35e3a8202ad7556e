package clients_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"
)

// tools are the names of our tools, sorted.
func tools() []string {
	return []string{"edit", "note", "recall", "resume", "save", "status"}
}

// inspectorDesk is a desk with the inspector, and a memory that holds one record of each kind.
func inspectorDesk(t *testing.T) (*desk, held) {
	t.Helper()
	d := newDesk(t, clientsOr(t, "mcp-inspector", inspectorAlone))
	ltm := func(words ...string) string {
		return strings.TrimSpace(d.must(t, nil, "git-ltm", words...))
	}
	ltm("skip", "add", "The nightly bench", "--why", "The runner is down", "--until", "3d")
	ltm("task", "add", "Mend the parser")
	return d, held{
		packet: d.remember(t),
		note: ltm("note", "--kind", "pitfall", "Run the linter with one job", "--why",
			"It needs 4 GB a job"),
	}
}

// held are the ids of records.
type held struct{ packet, note string }

// inspect asks our server something through the inspector.
func (d *desk) inspect(t *testing.T, method string, more ...string) printed {
	t.Helper()
	server := []string{"--cli", filepath.Join(programs, "git-ltm"), "mcp", "--method", method}
	return d.run(t, nil, "mcp-inspector", append(server, more...)...)
}

// tool calls a tool.
func (d *desk) tool(t *testing.T, name string, arguments object, more ...string) printed {
	t.Helper()
	return d.inspect(t, "tools/call",
		append([]string{"--tool-name", name, "--tool-args-json", encoded(arguments)}, more...)...)
}

// TestInspector_lists asks for all that the server offers. With --strict the inspector refuses schemas that
// some client cannot read.
func TestInspector_lists(t *testing.T) {
	t.Parallel()
	d, _ := inspectorDesk(t)
	p := d.inspect(t, "tools/list", "--strict")
	if p.code != 0 {
		t.Errorf("the inspector finds fault with the tools: %s", p.err)
	}
	var names []string
	for _, tool := range gjson.Get(p.out, "tools").Array() {
		names = append(names, tool.Get("name").Str)
		for _, part := range []string{"description", "inputSchema.properties", "annotations.openWorldHint"} {
			if !tool.Get(part).Exists() {
				t.Errorf("tool %s has no %s", tool.Get("name"), part)
			}
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff(tools(), names); diff != "" {
		t.Errorf("tools (-want +got)\n%s", diff)
	}
	for method, list := range map[string]struct{ path, want string }{
		"prompts/list": {
			"prompts.#.name",
			`["handoff","resume","remember","recall","memories","forget"]`,
		},
	} {
		if got := gjson.Get(d.inspect(t, method).out, list.path).Raw; strings.Join(strings.Fields(got), "") !=
			list.want {
			t.Errorf("%s lists %s, want %s", method, got, list.want)
		}
	}
}

// TestInspector_tools calls each tool once, as package mcp does in many ways. What it answers in words it answers as an
// object too.
func TestInspector_tools(t *testing.T) {
	t.Parallel()
	reading, left := inspectorDesk(t)
	called := map[string]bool{}
	for _, call := range toolCalls() {
		called[call.tool] = true
		t.Run(call.tool+" "+call.path, func(t *testing.T) {
			t.Parallel()
			d, held := reading, left
			if call.changes {
				d, held = inspectorDesk(t)
			}
			p := d.tool(t, call.tool, call.with(held))
			answer := gjson.Parse(p.out)
			if p.code != 0 || answer.Get("isError").Bool() || answer.Get("content.0.text").Str == "" {
				t.Fatalf("%s: exit %d: %s%s", call.tool, p.code, p.out, p.err)
			}
			want := call.want
			if call.wants != nil {
				want = call.wants(held)
			}
			if got := answer.Get("structuredContent." + call.path).String(); got != want {
				t.Errorf("%s answers %s with %q, want %q:\n%s", call.tool, call.path, got, want, p.out)
			}
		})
	}
	for _, name := range tools() {
		if !called[name] {
			t.Errorf("no test calls %s", name)
		}
	}
}

// toolCall is a call of a tool, and what stands at a path of its answer.
type toolCall struct {
	tool    string
	changes bool
	with    func(held) object
	path    string
	want    string
	wants   func(held) string
}

func toolCalls() []toolCall {
	nothing := func(held) object { return object{} }
	packet := func(h held) string { return h.packet }
	return []toolCall{
		{
			tool: "edit", changes: true, with: func(h held) object {
				return object{"ids": []string{h.note}, "do": "rm"}
			},
			path: "changed.0", wants: func(h held) string { return h.note },
		},
		{
			tool: "note", changes: true, with: func(held) object {
				return object{"notes": []object{
					{"text": "Run the tests in order", "kind": "procedure"},
					{"text": "The slow test", "kind": "skip", "why": "Broken upstream", "until": "3d"},
				}}
			},
			path: "stored.#", want: "2",
		},
		{tool: "recall", with: func(held) object {
			return object{"query": "emulator"}
		}, path: "answers.0.id", wants: packet},
		{tool: "resume", with: nothing, path: "id", wants: packet},
		{tool: "save", changes: true, with: func(held) object {
			return object{"goal": "Go on", "next_step": "Measure"}
		}, path: "beside.id", wants: packet},
		{tool: "status", with: nothing, path: "records", want: "4"},
	}
}

// key is a text that looks like a key, put together so that none stands here.
func key() string { return "ghp_" + strings.Repeat("a1B2", 9) }

// TestInspector_errors calls tools in ways that go wrong: each is told with the way out, and changes nothing.
func TestInspector_errors(t *testing.T) {
	t.Parallel()
	d, _ := inspectorDesk(t)
	before := d.must(t, nil, "git", "for-each-ref")
	for name, c := range map[string]struct {
		tool string
		with object
		env  []string // of the server
		want []string
	}{
		"an unknown argument": {
			tool: "save", with: object{"gol": "x"},
			want: []string{
				"/gol: is not known here; did you mean goal?", "/goal: is missing",
				"/next_step: is missing",
			},
		},
		"a secret": {
			tool: "save", with: object{"goal": "Go on", "next_step": "Use " + key()},
			want: []string{"github-token", "take it out"},
		},
		"no git": {
			tool: "status", with: object{}, env: []string{"PATH=/nowhere"},
			want: []string{"git is not installed"},
		},
		"a policy that cannot be read": {
			tool: "resume", with: object{}, want: []string{"ltm.requireSigned", "tell the user"},
			env: []string{
				"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=ltm.requireSigned",
				"GIT_CONFIG_VALUE_0=perhaps",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var more []string
			for _, variable := range c.env {
				more = append(more, "-e", variable)
			}
			p := d.tool(t, c.tool, c.with, more...)
			if p.code != 5 || !gjson.Get(p.out, "isError").Bool() {
				t.Fatalf("exit %d, want 5 for an error of the tool: %s%s", p.code, p.out, p.err)
			}
			text := gjson.Get(p.out, "content.0.text").Str
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("the tool says %q, want %q", text, want)
				}
			}
			if strings.Contains(p.out+p.err, key()) {
				t.Error("the answer holds the secret")
			}
			if after := d.must(t, nil, "git", "for-each-ref"); after != before {
				t.Errorf("refs before and after:\n%s\n%s", before, after)
			}
		})
	}
}

// TestInspector_reads reads prompts.
func TestInspector_reads(t *testing.T) {
	t.Parallel()
	d, held := inspectorDesk(t)
	p := d.inspect(t, "prompts/get", "--prompt-name", "resume")
	if p.code != 0 || !strings.Contains(gjson.Get(p.out, "messages.0.content.text").Str, held.packet) {
		t.Errorf("the prompt resume: exit %d: %s%s", p.code, p.out, p.err)
	}
	if p := d.tool(t, "no_such_tool", object{}); p.code == 0 {
		t.Errorf("a tool that is none: %s", p.out)
	}
}
