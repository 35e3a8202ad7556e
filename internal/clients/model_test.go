package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"          //nolint:depguard // A model answers over HTTP; this one does so on loopback.
	"net/http/httptest" //nolint:depguard // As above.
	"slices"
	"strings"
	"sync"
	"testing"
)

// model plays the API of a model on loopback: it asks for calls of tools, one an answer, and then says its
// last words. It keeps what clients send.
type model struct {
	url   string
	asks  []call
	words string

	mu       sync.Mutex
	requests []string // the bodies in the order in which they came, without white space between their parts
}

// call is a call of a tool: of the client's shell with a command, or of one of ours with its arguments.
type call struct {
	command string
	tool    string
	with    object
	after   string // it is asked for only where the request holds these words
}

// input is what the shell or the tool is called with; member is what the client calls a command.
func (c call) input(member string) object {
	if c.tool == "" {
		return object{member: c.command, "description": "Run it"}
	}
	return c.with
}

// object is an object of JSON.
type object = map[string]any

// newModel starts a model that ends with the test.
func newModel(t *testing.T, words string, asks ...call) *model {
	t.Helper()
	m := &model{asks: asks, words: words}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// sent are the requests so far that offer the model a tool.
func (m *model) sent() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// ServeHTTP answers the request of a client. One that offers no shell is not a turn of a session, but asks
// for a title or a count.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	var body bytes.Buffer
	if err != nil || json.Compact(&body, data) != nil {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":[],"models":[]}`)
		return
	}
	api := apiAt(r.URL.Path)
	if api == nil {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"input_tokens":1}`)
		return
	}
	tool := api.shell(body.String())
	if tool != "" {
		m.mu.Lock()
		m.requests = append(m.requests, body.String())
		m.mu.Unlock()
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if done := strings.Count(body.String(), api.result()); tool != "" && done < len(m.asks) &&
		strings.Contains(body.String(), m.asks[done].after) {
		api.ask(w, done, tool, m.asks[done])
	} else {
		api.say(w, m.words)
	}
}

// apiAt is the API whose path that is; nil for what else clients ask.
func apiAt(path string) api {
	for end, api := range map[string]api{
		"/messages": messages{}, "/responses": responses{}, "/chat/completions": completions{},
		":streamGenerateContent": contents{},
	} {
		if strings.HasSuffix(path, end) {
			return api
		}
	}
	return nil
}

// api is a way in which clients talk with models.
type api interface {
	shell(request string) string // shell is the tool that runs a command; "" where the request offers none
	result() string              // result stands in a request once for each call that was answered
	ask(w io.Writer, n int, shell string, c call)
	say(w io.Writer, words string)
}

// event writes an event of a stream. One without a name has the form of chat completions.
func event(w io.Writer, name string, data object) {
	if name != "" {
		data["type"] = name
		_, _ = fmt.Fprintf(w, "event: %s\n", name)
	}
	_, _ = fmt.Fprintf(w, "data: %s\n\n", encoded(data))
}

// encoded is a value as a text of JSON.
func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // All parts are plain types.
	}
	return string(text)
}
