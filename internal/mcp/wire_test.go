package mcp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/mcp"
)

// message is a message as it stands on a line.
type message struct {
	ID     any `json:"id"`
	Result struct {
		ProtocolVersion   string            `json:"protocolVersion"`
		SupportedVersions []string          `json:"supportedVersions"`
		Tools             []json.RawMessage `json:"tools"`
		IsError           bool              `json:"isError"`
		CacheScope        string            `json:"cacheScope"`
		Content           []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

const (
	hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	list = `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}` + "\n"
)

// told runs a server over all of an input and returns its answers.
func told(t *testing.T, o mcp.Options, input string) map[string]message {
	t.Helper()
	var out bytes.Buffer
	if err := mcp.Serve(t.Context(), o, strings.NewReader(input), &out); err != nil {
		t.Fatalf("the server ended with %v", err)
	}
	single := map[string]message{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		id := fmt.Sprint(m.ID)
		for single[id].Error != nil || single[id].ID != nil { // Several have no id.
			id += "'"
		}
		single[id] = m
	}
	return single
}

// TestWire_survives: what is no message is answered and left, and what follows it is heard. SPEC.
func TestWire_survives(t *testing.T) {
	t.Parallel()
	o := options(gittest.Repo(t, gittest.Plain))
	for name, c := range map[string]struct {
		line string
		code int // of the answer; 0 for none
	}{
		"garbage":           {"this is no JSON\n", -32700},
		"half an object":    {`{"jsonrpc":"2.0","id":5,` + "\n", -32700},
		"two on a line":     {`{"jsonrpc":"2.0","id":5,"method":"ping"}{"jsonrpc":"2.0","id":6,"method":"ping"}` + "\n", -32700},
		"a byte order mark": {"\ufeff{}\n", -32700},
		"a null byte":       {"\x00\n", -32700},
		"what is not UTF-8": {`{"jsonrpc":"2.0","id":5,"method":"` + "\xff" + `"}` + "\n", -32700},
		"a huge line": {`{"jsonrpc":"2.0","id":5,"method":"` + strings.Repeat("x", 5<<20) + `"}` +
			"\n", -32700},
		"a deep line": {`{"jsonrpc":"2.0","method":"ping","params":` +
			strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}\n", -32600},
		"another version":        {`{"jsonrpc":"1.0","id":5,"method":"ping"}` + "\n", -32600},
		"an id that is none":     {`{"jsonrpc":"2.0","id":{},"method":"ping"}` + "\n", -32600},
		"a number":               {"42\n", -32600},
		"an array":               {`[{"jsonrpc":"2.0","id":5,"method":"ping"}]` + "\n", -32600},
		"blank lines":            {"\n\r\n  \t\n", 0},
		"line ends of Windows":   {`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}` + "\r\n", 0},
		"an answer nobody asked": {`{"jsonrpc":"2.0","id":77,"result":{}}` + "\n", 0},
		"an unknown notice":      {`{"jsonrpc":"2.0","method":"notifications/unheard"}` + "\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := told(t, o, hello+c.line+fmt.Sprintf(list, 9))
			if n := len(got["9"].Result.Tools); n != len(verbs) {
				t.Errorf("after it %d tools are listed", n)
			}
			answer, answered := got["<nil>"]
			if c.code == 0 && answered ||
				c.code != 0 && (answer.Error == nil || answer.Error.Code != c.code) {
				t.Errorf("it is answered with %+v, want the code %d", answer.Error, c.code)
			}
		})
	}
}

// TestWire_calls: wrong calls are answered under their ids.
func TestWire_calls(t *testing.T) {
	t.Parallel()
	o := options(gittest.Repo(t, gittest.Plain))
	got := told(t, o, hello+
		`{"jsonrpc":"2.0","id":1,"method":"no/such"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`+"\n"+
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"purge","arguments":{}}}`+"\n"+
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"save","arguments":[1]}}`+"\n"+
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"save","arguments":{"goal":"a","goal":3}}}`+"\n"+
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`+"\n"+
		`{"jsonrpc":"2.0","id":"eight","method":"tools/call","params":null}`+"\n"+
		`{"jsonrpc":"2.0","id":9,"method":"ping","params":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+"}\n"+
		// Without a line end.
		`{"jsonrpc":"2.0","id":"six","method":"tools/call","params":{"name":"status"}}`)
	for id, code := range map[string]int{"1": -32601, "2": -32600, "3": -32602, "7": -32602, "eight": -32602, "9": -32602} {
		if e := got[id].Error; e == nil || e.Code != code {
			t.Errorf("call %s is answered with %+v, want the code %d", id, e, code)
		}
	}
	for id, want := range map[string]string{
		"4": "the arguments must be an object",
		"5": "/goal: must be a string",
	} {
		if r := got[id].Result; !r.IsError || !strings.Contains(r.Content[0].Text, want) {
			t.Errorf("call %s is answered with %+v", id, got[id])
		}
	}
	if r := got["six"].Result; r.IsError || len(r.Content) == 0 {
		t.Errorf("the last line is answered with %+v", got["six"])
	}
}

// TestWire_revisions: old and new clients are served.
func TestWire_revisions(t *testing.T) {
	t.Parallel()
	o := options(gittest.Repo(t, gittest.Plain))
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		got := told(t, o, strings.Replace(hello, "2025-06-18", revision, 1)+fmt.Sprintf(list, 1)+
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"save","arguments":{"goal":"g","next_step":"n"}}}`+"\n"+
			`{"jsonrpc":"2.0","id":3,"method":"ping"}`+"\n")
		if v := got["0"].Result.ProtocolVersion; v != revision {
			t.Errorf("%s is answered with %s", revision, v)
		}
		if len(got["1"].Result.Tools) != len(verbs) || got["2"].Result.IsError || got["2"].Error != nil ||
			got["3"].Error != nil {
			t.Errorf("%s: %+v", revision, got)
		}
	}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`
	got := told(t, o, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta+`}}`+"\n"+
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"status","arguments":{},`+meta+`}}`+
		"\n")
	if len(got["1"].Result.SupportedVersions) == 0 || len(got["2"].Result.Tools) != len(verbs) ||
		got["2"].Result.CacheScope != "private" {
		t.Errorf("2026-07-28: %+v", got)
	}
	if got["4"].Result.IsError || len(got["4"].Result.Content) == 0 {
		t.Errorf("2026-07-28: %+v", got["4"])
	}
}

// TestWire_sideBySide: calls that come at once are all answered, and each saves its own packet.
func TestWire_sideBySide(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	const n = 24
	var input strings.Builder
	input.WriteString(hello)
	for i := 1; i <= n; i++ {
		tool := fmt.Sprintf(`"save","arguments":{"goal":"Goal %d","next_step":"n"}`, i)
		switch i % 3 {
		case 1:
			tool = `"recall","arguments":{}`
		case 2:
			tool = fmt.Sprintf(`"note","arguments":{"text":"Fact %d of the server"}`, i)
		}
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s}}`+"\n", i,
			tool)
	}
	got := told(t, options(repo), input.String())
	for i := 1; i <= n; i++ {
		m, ok := got[strconv.Itoa(i)]
		if !ok || m.Error != nil || m.Result.IsError {
			t.Errorf("call %d is answered with %+v", i, m)
		}
	}
	refs := strings.Fields(
		repo.Git("for-each-ref", "--format=%(refname)", "refs/ltm/packets", "refs/ltm/notes"))
	if len(refs) != n/3*2 {
		t.Errorf("%d records are stored, want %d", len(refs), n/3*2)
	}
}

// TestWire_flood: more calls than are taken at once are refused and not kept.
func TestWire_flood(t *testing.T) {
	t.Parallel()
	const n = 400
	var input strings.Builder
	input.WriteString(hello)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"recall"}}`+"\n",
			i)
	}
	got := told(t, options(gittest.Repo(t, gittest.Plain)), input.String())
	refused := 0
	for i := 1; i <= n; i++ {
		m, ok := got[strconv.Itoa(i)]
		switch {
		case !ok:
			t.Errorf("call %d has no answer", i)
		case m.Error != nil && m.Error.Code == -32000:
			refused++
		case m.Error != nil || m.Result.IsError:
			t.Errorf("call %d is answered with %+v", i, m)
		}
	}
	if refused == 0 || refused == n {
		t.Errorf("%d of %d are refused", refused, n)
	}
}

// deaf is a client that reads nothing any more.
type deaf struct {
	mu   sync.Mutex
	left int
}

func (d *deaf) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left--; d.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// TestWire_deaf: a client that hangs up ends the server, and what it asked for is done all the same.
func TestWire_deaf(t *testing.T) {
	t.Parallel()
	repo := gittest.Repo(t, gittest.Plain)
	in, toServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- mcp.Serve(t.Context(), options(repo), in, &deaf{left: 1}) }()
	go func() {
		_, _ = io.WriteString(toServer,
			hello+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"save","arguments":{"goal":"g","next_step":"n"}}}`+"\n")
	}()
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if got := repo.Git("for-each-ref", "refs/ltm/packets"); got == "" {
		t.Error("nothing is stored")
	}
}
