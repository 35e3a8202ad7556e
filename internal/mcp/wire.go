package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxOpen is how many calls of one client may wait for an answer.
const maxOpen = 64

// connection is one client. Messages are lines of JSON; what is none is answered, and what follows
// it is heard.
type connection struct {
	*server

	work sync.WaitGroup // calls under way
	gone chan struct{}  // closed when the client reads no more

	mu        sync.Mutex // guards the following, and whole lines of out
	out       io.Writer
	broken    bool                          // out takes nothing any more
	open      map[string]context.CancelFunc // what waits for an answer of ours, by id
	asked     map[string]chan fields        // what we wait for, by id
	questions int                           // asked so far
	client    *client                       // who said initialize; nil before
}

// serveLines answers the lines of the input until it ends, the client reads no more, or ctx ends; and
// then when all calls are answered.
func (c *connection) serveLines(ctx context.Context, in io.Reader) error {
	defer c.work.Wait()
	lines, done := make(chan line), make(chan struct{})
	defer close(done)
	go readLines(in, lines, done)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.gone:
			return nil // Whoever hangs up has what it came for.
		case l := <-lines:
			if errors.Is(l.err, io.EOF) {
				return nil
			}
			if l.err != nil {
				return l.err
			}
			c.takeLine(ctx, l)
		}
	}
}

// takeLine looks at one line: it answers its messages, or what is wrong with it.
func (c *connection) takeLine(ctx context.Context, l line) {
	data := bytes.TrimSpace(l.data)
	switch {
	case l.long:
		c.sendLine(refuseLine(codeParse,
			fmt.Sprintf("the line is longer than %d bytes, which is the most that "+
				"is read", maxLine)))
	case len(data) == 0:
	case !utf8.Valid(data):
		c.sendLine(refuseLine(codeParse, "the line is not UTF-8"))
	case !json.Valid(data):
		c.sendLine(refuseLine(codeParse, "the line is not JSON"))
	default:
		switch m, ok := parseMessage(data); {
		case ok:
			c.acceptMessage(ctx, m)
		case m.id != "" && m.method != "":
			c.sendLine(encodeAnswer(m.id, nil, &fault{Code: codeParams, Message: "the params must be an object"}))
		default:
			c.sendLine(refuseLine(codeInvalid, "the line is no message of JSON-RPC 2.0"))
		}
	}
}

// acceptMessage starts a call, or refuses one that there is no room for. Notices are done at once, and the
// first call before the next message.
func (c *connection) acceptMessage(ctx context.Context, m message) {
	if m.method == "" {
		c.mu.Lock()
		waits := c.asked[m.id]
		delete(c.asked, m.id)
		c.mu.Unlock()
		if waits != nil {
			waits <- m.result
		}
		return
	}
	switch {
	case m.method == "notifications/cancelled" && m.id == "":
		c.mu.Lock()
		end := c.open[string(m.params["requestId"])]
		c.mu.Unlock()
		if end != nil {
			end()
		}
	case m.method == "notifications/roots/list_changed" && m.id == "":
		c.roots.mu.Lock()
		c.roots.asked, c.roots.dirs = false, nil // The next call asks again.
		c.roots.mu.Unlock()
	}
	if m.id == "" {
		return
	}
	ctx, end := context.WithCancel(ctx)
	if refused := c.beginCall(m, end); refused != nil {
		end()
		c.sendLine(encodeAnswer(m.id, nil, refused))
		return
	}
	answer := func() {
		defer end()
		result, failed := c.answerCall(ctx, m)
		c.mu.Lock()
		delete(c.open, m.id)
		c.mu.Unlock()
		c.sendLine(encodeAnswer(m.id, result, failed))
	}
	if m.method == methodInitialize {
		answer()
		return
	}
	c.work.Go(answer)
}

// beginCall notes that a call waits for its answer, or says why it is not taken.
func (c *connection) beginCall(m message, end context.CancelFunc) *fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.open[m.id] != nil:
		return &fault{Code: codeInvalid, Message: "another call with this id waits for its answer"}
	case printable(nil, m.method) != m.method:
		return errNoMethod
	case len(c.open) >= maxOpen:
		return &fault{Code: codeBusy, Message: fmt.Sprintf("%d calls wait for their answers already; "+
			"call again when one is there", maxOpen)}
	}
	c.open[m.id] = end
	return nil
}

// sendLine writes one line.
func (c *connection) sendLine(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return
	}
	if _, err := c.out.Write(append(data, '\n')); err != nil {
		c.broken = true
		close(c.gone)
	}
}

// askClient asks the client, and returns what it answers; nil where it has none in time.
func (c *connection) askClient(ctx context.Context, method string) fields {
	answer := make(chan fields, 1)
	c.mu.Lock()
	c.questions++
	id := strconv.Quote("ltm-" + strconv.Itoa(c.questions))
	c.asked[id] = answer
	c.mu.Unlock()
	data, err := json.Marshal(body{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method})
	if err != nil {
		return nil
	}
	c.sendLine(data)
	select {
	case result := <-answer:
		return result
	case <-ctx.Done():
		return nil
	}
}

// maxLine is the number of bytes of the longest line that is read as a message. The largest packet
// is a hundredth of it.
const maxLine = 4 << 20

// line is one line of the input, or how it ended.
type line struct {
	data []byte
	long bool // it is longer than maxLine, and its data is left out
	err  error
}

// readLines hands on the lines of the input until it ends, or nobody takes them any more.
func readLines(in io.Reader, lines chan<- line, done <-chan struct{}) {
	from := bufio.NewReaderSize(in, 64<<10)
	for {
		l := nextLine(from)
		select {
		case lines <- l:
		case <-done:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// nextLine reads one line, of whatever length, in bounded memory. A last line without an end is one too.
func nextLine(in *bufio.Reader) line {
	var l line
	for {
		part, err := in.ReadSlice('\n')
		if len(l.data)+len(part) > maxLine {
			l.long, l.data = true, nil
		}
		if !l.long {
			l.data = append(l.data, part...)
		}
		switch {
		case err == nil:
			return l
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (len(l.data) > 0 || l.long):
			return l
		case errors.Is(err, io.EOF):
			return line{err: io.EOF}
		default:
			return line{err: err}
		}
	}
}

// body is a JSON object that is written.
type body map[string]any

// The codes of JSON-RPC, and those of the protocol.
const (
	codeParse       = -32700 // the line is no JSON
	codeInvalid     = -32600 // it is no message, or not one for now
	codeMethod      = -32601
	codeParams      = -32602 // also for what is not there
	codeInternal    = -32603
	codeBusy        = -32000 // too many calls wait for an answer
	codeUnsupported = -32022 // the revision is not spoken here
)

// fault is an error as the protocol tells it.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (f *fault) Error() string { return f.Message }

// message is what came from the client.
type message struct {
	id     string // as it was written; "" for a notice
	method string // "" for an answer
	params fields
	result fields // of an answer that says what was asked for
}

// fields are the members of an object, by their names as they are written.
type fields map[string]json.RawMessage

// textMember is a member that is a text; "" for what is none.
func (f fields) textMember(name string) (text string) {
	if json.Unmarshal(f[name], &text) != nil {
		return ""
	}
	return text
}

// objectMember is a member that is an object; nil for what is none.
func (f fields) objectMember(name string) fields {
	var o fields
	if json.Unmarshal(f[name], &o) != nil {
		return nil
	}
	return o
}

// parseMessage reads a message of JSON-RPC 2.0. Its parameters are an object, as the protocol has it: one that
// is refused for them alone keeps its id.
func parseMessage(data []byte) (m message, ok bool) {
	var all fields
	if json.Unmarshal(data, &all) != nil || all.textMember("jsonrpc") != "2.0" {
		return m, false
	}
	m.id, m.method, m.params, m.result = string(all["id"]), all.textMember("method"),
		all.objectMember("params"),
		all.objectMember("result")
	if m.id == "null" {
		m.id = ""
	}
	_, answered := all["result"]
	_, failed := all["error"]
	switch {
	case m.id != "" && !strings.HasPrefix(m.id, `"`) && strings.Trim(m.id, "-0123456789") != "":
		return message{}, false
	case all["params"] != nil && m.params == nil:
		return m, false
	default:
		return m, m.method != "" || m.id != "" && (answered || failed)
	}
}

// encodeAnswer writes an answer.
func encodeAnswer(id string, result body, failed *fault) []byte {
	answer := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result,omitempty"`
		Error   *fault          `json:"error,omitempty"`
	}{"2.0", json.RawMessage(id), result, failed}
	if failed != nil {
		answer.Result = nil
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return refuseLine(codeInternal, "the answer cannot be written")
	}
	return data
}

// refuseLine is an answer to nobody: nobody knows which call it was meant to be.
func refuseLine(code int, why string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, why)
}
