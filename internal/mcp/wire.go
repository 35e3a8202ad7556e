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
		if m, ok := parseMessage(data); ok {
			c.acceptMessage(ctx, m)
		} else {
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
