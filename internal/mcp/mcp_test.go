package mcp_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/mcp"
)

const example = `{"ltm_version":"0.3","goal":"An example","next_step":"Read it"}`

// agent is a client of a server, over real pipes.
type agent struct {
	t       *testing.T
	session *sdk.ClientSession
	output  map[string]*jsonschema.Schema
}

// options are what a server takes in tests.
func options(r *gittest.Repository) mcp.Options {
	return mcp.Options{Version: "0.0.0", Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader, Example: []byte(example)}
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
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &revision)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return &agent{t: t, session: session, output: map[string]*jsonschema.Schema{}}
}

// call calls a tool and holds what it returns against its schema.
func (a *agent) call(name string, args map[string]any) *sdk.CallToolResult {
	a.t.Helper()
	got, err := a.session.CallTool(a.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	if !got.IsError {
		a.fits(name, got.StructuredContent)
	}
	return got
}

// fits holds a value against the output schema of a tool.
func (a *agent) fits(name string, value any) {
	a.t.Helper()
	if len(a.output) == 0 {
		for tool, err := range a.session.Tools(a.t.Context(), nil) {
			if err != nil {
				a.t.Fatal(err)
			}
			a.output[tool.Name] = compiled(a.t, tool.OutputSchema)
		}
	}
	if err := a.output[name].Validate(value); err != nil {
		a.t.Errorf("what %s returns does not fit its schema: %v", name, err)
	}
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

var verbs = []string{
	"context", "example", "ls", "note", "recall", "resume", "rm", "save", "show", "skip_add", "skip_check", "status", "supersede", "task", "why",
}

// TestTools_described: each tool says in few words what it is for, what it takes and what it does to the memory.
func TestTools_described(t *testing.T) {
	t.Parallel()
	a := start(t, options(gittest.Repo(t, gittest.Plain)))
	var got []string
	for tool, err := range a.session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, tool.Name)
		if n := len(tool.Description); n < 20 || n > 260 || tool.Title == "" {
			t.Errorf("%s is described in %d bytes, with the title %q", tool.Name, n, tool.Title)
		}
		compiled(t, tool.InputSchema)
		closed(t, tool.Name, tool.InputSchema)
		h := tool.Annotations
		if h == nil || h.OpenWorldHint == nil || *h.OpenWorldHint || h.DestructiveHint == nil {
			t.Errorf("%s says nothing of what it does", tool.Name)
			continue
		}
		reads := !slices.Contains([]string{"save", "note", "skip_add", "task", "supersede", "rm"}, tool.Name)
		destroys := tool.Name == "rm" || tool.Name == "supersede"
		if h.ReadOnlyHint != reads || *h.DestructiveHint != destroys || h.IdempotentHint != (reads || destroys) {
			t.Errorf("%s: reads %v, destroys %v, idempotent %v", tool.Name, h.ReadOnlyHint, *h.DestructiveHint, h.IdempotentHint)
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

// closed checks that no object of a schema takes what it does not name, and that each value has one type.
func closed(t *testing.T, at string, schema any) {
	t.Helper()
	switch s := schema.(type) {
	case map[string]any:
		if kind, has := s["type"]; has {
			if _, one := kind.(string); !one {
				if _, member := kind.(map[string]any); !member {
					t.Errorf("%s has the type %v", at, kind)
				}
			}
			if kind == "object" && s["additionalProperties"] != false {
				t.Errorf("%s takes members that it does not name", at)
			}
			if kind == "array" && s["maxItems"] == nil {
				t.Errorf("%s has no bound", at)
			}
			if kind == "string" && s["maxLength"] == nil && s["enum"] == nil && !strings.HasSuffix(at, "_at") {
				t.Errorf("%s has no bound", at)
			}
		}
		for name, value := range s {
			closed(t, at+"/"+name, value)
		}
	case []any:
		for _, value := range s {
			closed(t, at, value)
		}
	}
}

// TestServer_says: two sentences for the model, no capability that is out of use, and nothing for others to keep.
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
	if got, want := string(data), `{"prompts":{},"resources":{},"tools":{}}`; got != want {
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
