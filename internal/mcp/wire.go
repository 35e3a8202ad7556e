package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"unicode/utf8"
)

// The bounds of what one client may ask at once.
const (
	maxOpen  = 64 // calls that wait for an answer
	maxBatch = 32 // messages in one array
)

// connection is one client. Messages are lines of JSON; what is none is answered, and what follows it is heard.
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

// serve answers the lines of the input until it ends, the client reads no more, or ctx ends; and then when all calls are answered.
func (c *connection) serve(ctx context.Context, in io.Reader) error {
	defer c.work.Wait()
	lines, done := make(chan line), make(chan struct{})
	defer close(done)
	go read(in, lines, done)
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
			c.take(ctx, l)
		}
	}
}

// take looks at one line: it answers its messages, or what is wrong with it.
func (c *connection) take(ctx context.Context, l line) {
	data := bytes.TrimSpace(l.data)
	switch {
	case l.long:
		c.send(refusal(codeParse, fmt.Sprintf("the line is longer than %d bytes, which is the most that is read", maxLine)))
	case len(data) == 0:
	case !utf8.Valid(data):
		c.send(refusal(codeParse, "the line is not UTF-8"))
	case !json.Valid(data):
		c.send(refusal(codeParse, "the line is not JSON"))
	case data[0] == '[':
		c.takeBatch(ctx, data)
	default:
		if m, ok := parse(data); ok {
			if start := c.accept(ctx, m, nil); start != nil {
				start()
			}
		} else {
			c.send(refusal(codeInvalid, "the line is no message of JSON-RPC 2.0"))
		}
	}
}

// takeBatch answers the messages of an array.
func (c *connection) takeBatch(ctx context.Context, data []byte) {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil || len(parts) == 0 {
		c.send(refusal(codeInvalid, "the array holds no message"))
		return
	}
	if len(parts) > maxBatch {
		c.send(refusal(codeInvalid, fmt.Sprintf("the array holds more than %d messages", maxBatch)))
		return
	}
	b := &batch{}
	var starts []func()
	for _, part := range parts {
		if m, ok := parse(part); !ok {
			c.finish("", b, refusal(codeInvalid, "one of them is no message of JSON-RPC 2.0"))
		} else if start := c.accept(ctx, m, b); start != nil {
			starts = append(starts, start)
		}
	}
	for _, start := range starts { // Of two with one id, the second is refused, however soon the first is done.
		start()
	}
	c.mu.Lock()
	b.read = true
	whole := b.joined()
	c.mu.Unlock()
	c.send(whole)
}

// accept returns what starts a call, or refuses one that there is no room for. Notices are done at once, and the first call before
// the next message.
func (c *connection) accept(ctx context.Context, m message, of *batch) (start func()) {
	if m.method == "" {
		c.mu.Lock()
		waits := c.asked[m.id]
		delete(c.asked, m.id)
		c.mu.Unlock()
		if waits != nil {
			waits <- m.result
		}
		return nil
	}
	if m.id == "" {
		c.notice(m)
		return nil
	}
	ctx, end := context.WithCancel(ctx)
	if refused := c.begin(m, of, end); refused != nil {
		end()
		c.finish("", of, encode(m.id, nil, refused))
		return nil
	}
	answer := func() {
		defer end()
		result, failed := c.answer(ctx, m)
		c.finish(m.id, of, encode(m.id, result, failed))
	}
	if m.method == methodInitialize {
		return answer
	}
	return func() { c.work.Go(answer) }
}

// begin notes that a call waits for its answer, or says why it is not taken.
func (c *connection) begin(m message, of *batch, end context.CancelFunc) *fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.open[m.id] != nil:
		return &fault{Code: codeInvalid, Message: "another call with this id waits for its answer"}
	case printable(nil, m.method) != m.method:
		return errNoMethod
	case len(c.open) >= maxOpen:
		return &fault{Code: codeBusy, Message: fmt.Sprintf("%d calls wait for their answers already; call again when one is there", maxOpen)}
	}
	c.open[m.id] = end
	if of != nil {
		of.open++
	}
	return nil
}

// finish sends an answer, or keeps it until its batch is complete. The id is that of a call that was begun; "" for another.
func (c *connection) finish(id string, of *batch, data []byte) {
	c.mu.Lock()
	if id != "" {
		delete(c.open, id)
	}
	if of != nil {
		if id != "" {
			of.open--
		}
		of.done = append(of.done, data)
		data = of.joined()
	}
	c.mu.Unlock()
	c.send(data)
}

// send writes one line; nothing is none.
func (c *connection) send(data []byte) {
	if data == nil {
		return
	}
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

// ask asks the client, and returns what it answers; nil where it has none in time.
func (c *connection) ask(ctx context.Context, method string) fields {
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
	c.send(data)
	select {
	case result := <-answer:
		return result
	case <-ctx.Done():
		return nil
	}
}
