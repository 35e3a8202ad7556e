package mcp_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/mcp"
)

// agent is a client of a server, over real pipes.
type agent struct {
	t       *testing.T
	session *sdk.ClientSession
}

// options are what a server takes in tests.
func options(r *gittest.Repository) mcp.Options {
	return mcp.Options{Version: "0.0.0", Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader}
}

// start starts a server and connects a client.
func start(t *testing.T, o mcp.Options, roots ...string) *agent {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := mcp.Serve(context.WithoutCancel(t.Context()), o, in, out)
		ended <- errors.Join(err, out.Close())
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test-client", Version: "1"}, nil)
	var revision sdk.ClientSessionOptions
	for _, root := range roots {
		client.AddRoots(&sdk.Root{URI: root}) //nolint:staticcheck // Old clients do.
		revision.ProtocolVersion = "2025-11-25"
	}
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer},
		&revision)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return &agent{t: t, session: session}
}

// call calls a tool.
func (a *agent) call(name string, args map[string]any) *sdk.CallToolResult {
	a.t.Helper()
	got, err := a.session.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	return got
}

// compiled is a schema that a client got.
func compiled(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:schema", schema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:schema")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// does calls a tool that must not fail, and returns what it says and its value.
func (a *agent) does(name string, args map[string]any) (text string, value map[string]any) {
	a.t.Helper()
	got := a.call(name, args)
	text = textOf(got)
	if got.IsError {
		a.t.Fatalf("%s: %s", name, text)
	}
	value, _ = got.StructuredContent.(map[string]any)
	return text, value
}

// fails calls a tool that must fail, and returns what it says.
func (a *agent) fails(name string, args map[string]any) string {
	a.t.Helper()
	got := a.call(name, args)
	if !got.IsError {
		a.t.Fatalf("%s with %v does not fail: %s", name, args, textOf(got))
	}
	return textOf(got)
}

func textOf(got *sdk.CallToolResult) string {
	var all []string
	for _, c := range got.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Join(all, "\n")
}

// holds checks that a text holds all parts.
func holds(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: want %q in\n%s", what, part, text)
		}
	}
}

var verbs = []string{"edit", "note", "recall", "resume", "save", "status"}

// TestTools_described: each tool says in few words what it is for, what it takes and what it does to the
// memory.
func TestTools_described(t *testing.T) {
	t.Parallel()
	a := start(t, options(gittest.Repo(t, gittest.Plain)))
	var got []string
	for tool, err := range a.session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, tool.Name)
		if n := len(tool.Description); n < 20 || n > 400 || tool.Title == "" {
			t.Errorf("%s is described in %d bytes, with the title %q", tool.Name, n, tool.Title)
		}
		compiled(t, tool.InputSchema)
		typed(t, tool.Name, tool.InputSchema)
		h := tool.Annotations
		if h == nil || h.OpenWorldHint == nil || *h.OpenWorldHint {
			t.Errorf("%s says nothing of what it does", tool.Name)
			continue
		}
		reads := !slices.Contains([]string{"save", "note", "edit"}, tool.Name)
		if h.ReadOnlyHint != reads ||
			!reads && (h.DestructiveHint == nil || *h.DestructiveHint != (tool.Name == "edit")) {
			t.Errorf("%s: reads %v, destroys %v", tool.Name, h.ReadOnlyHint, h.DestructiveHint)
		}
		always, _ := tool.Meta["anthropic/alwaysLoad"].(bool)
		if want := tool.Name == "save" || tool.Name == "resume"; always != want {
			t.Errorf("%s: always loaded is %v", tool.Name, always)
		}
	}
	if !slices.Equal(got, verbs) {
		t.Errorf("the tools are %v, want %v", got, verbs)
	}
}

// typed checks that each value of a schema has one type: some clients send no tool whose schema leaves it
// open.
func typed(t *testing.T, at string, schema any) {
	t.Helper()
	s, _ := schema.(map[string]any)
	kind, _ := s["type"].(string)
	switch kind {
	case "object":
		for name, of := range s["properties"].(map[string]any) {
			typed(t, at+"/"+name, of)
		}
	case "array":
		typed(t, at, s["items"])
	case "string", "integer", "boolean":
	default:
		t.Errorf("%s has the type %q", at, kind)
	}
}

// TestTools_inputs: what a tool says that it takes is what its input holds, by the same names.
func TestTools_inputs(t *testing.T) {
	t.Parallel()
	a := start(t, options(gittest.Repo(t, gittest.Plain)))
	for tool, err := range a.session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]string{
			"recall": namesOf(command.Question{}), "save": namesOf(command.Packet{}),
			"edit": namesOf(command.Edit{}),
		}[tool.Name]
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		if tool.Name == "note" {
			properties = properties["notes"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)
			for name := range properties {
				if !slices.Contains(namesOf(command.Note{}), name) {
					t.Errorf("note takes %s, which no note has", name)
				}
			}
		}
		for _, name := range want {
			if properties[name] == nil {
				t.Errorf("%s does not say that it takes %s", tool.Name, name)
			}
		}
	}
}

// namesOf are the names that the members of a struct have in JSON.
func namesOf(input any) []string {
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(input)) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// TestTools_bytes: the list is paid for by each session of each model.
func TestTools_bytes(t *testing.T) {
	t.Parallel()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	for name, input := range map[string]string{
		"a client of today": hello + fmt.Sprintf(list, 1),
		"one of the newest revision": `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta +
			"}}\n",
	} {
		var out bytes.Buffer
		if err := mcp.Serve(t.Context(), options(gittest.Repo(t, gittest.Plain)), strings.NewReader(input),
			&out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if n := len(lines[len(lines)-1]); n > 8192 || n < 4096 {
			t.Errorf("%s gets %d bytes for tools/list, want at most 8192", name, n)
		}
	}
}

// TestServer_says: two sentences for the model, no capability that is out of use, and nothing for others to
// keep.
func TestServer_says(t *testing.T) {
	t.Parallel()
	a := start(t, options(gittest.Repo(t, gittest.Plain)))
	said := a.session.InitializeResult()
	if n := strings.Count(said.Instructions+" ", ". "); n != 2 || len(said.Instructions) > 400 {
		t.Errorf("the instructions are %d sentences: %s", n, said.Instructions)
	}
	data, err := json.Marshal(said.Capabilities)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(data), `{"prompts":{},"tools":{}}`; got != want {
		t.Errorf("capabilities are %s, want %s", got, want)
	}
	listed, err := a.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if listed.CacheScope != "private" {
		t.Errorf("the list may be kept by %q", listed.CacheScope)
	}
}
