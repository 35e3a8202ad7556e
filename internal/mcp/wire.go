package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// errGone says that the client reads no answers any more.
var errGone = errors.New("the client has hung up")

// wire carries messages as lines of JSON. Where the transports of the SDK end at the first line that is no message, this one
// answers it and goes on.
type wire struct {
	in  io.Reader
	out io.Writer
}

// Connect begins to read.
func (w *wire) Connect(context.Context) (sdk.Connection, error) {
	c := &connection{out: w.out, open: calls{}, lines: make(chan line), closed: make(chan struct{})}
	c.settled = sync.NewCond(&c.mu)
	go c.read(w.in)
	return c, nil
}

// connection is one client.
type connection struct {
	lines  chan line // from the goroutine that reads
	queue  []jsonrpc.Message
	closed chan struct{} // closed by Close
	once   sync.Once

	mu      sync.Mutex // guards the following, and whole lines of out
	settled *sync.Cond // something in open was answered, or the connection was closed
	out     io.Writer
	open    calls // what waits for an answer
	broken  bool  // out takes nothing any more, or Close was called
}

// SessionID is empty: a process serves one client.
func (c *connection) SessionID() string { return "" }

// Close ends the connection. A read that waits for the client is left behind; the process is about to end.
func (c *connection) Close() error {
	c.once.Do(func() { close(c.closed) })
	c.mu.Lock()
	c.broken = true
	c.mu.Unlock()
	c.settled.Broadcast()
	return nil
}

// Read returns the next message. What is none is answered here. The end of the input is told when all calls are answered.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if len(c.queue) > 0 {
			msg := c.queue[0]
			c.queue = c.queue[1:]
			return msg, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.lines:
			if l.err != nil {
				c.settle()
				return nil, l.err
			}
			if err := c.take(l); err != nil {
				return nil, err
			}
		}
	}
}

// settle waits until what was asked is answered.
func (c *connection) settle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.open.waiting() > 0 && !c.broken {
		c.settled.Wait()
	}
}

// Write sends one message. Answers to a batch are kept until it is complete.
func (c *connection) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.settled.Broadcast()
	if answer, ok := msg.(*jsonrpc.Response); ok {
		if data = c.open.answered(answer.ID, data); data == nil {
			return nil
		}
	}
	return c.send(data)
}

// send writes one line. The caller holds the lock.
func (c *connection) send(data []byte) error {
	if c.broken {
		return errGone
	}
	if _, err := c.out.Write(append(bytes.TrimRight(data, "\n"), '\n')); err != nil {
		c.broken = true
		return errors.Join(errGone, err)
	}
	return nil
}
