package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The bounds of what one client may ask at once.
const (
	maxOpen  = 64 // calls that wait for an answer
	maxBatch = 32 // messages in one array
)

// codeBusy says that too many calls wait for an answer.
const codeBusy = -32000

// take looks at one line: it queues its messages, or answers what is wrong with it.
func (c *connection) take(l line) error {
	data := bytes.TrimSpace(l.data)
	switch {
	case l.long:
		return c.refuse(jsonrpc.CodeParseError, fmt.Sprintf("the line is longer than %d bytes, which is the most that is read", maxLine))
	case len(data) == 0:
		return nil
	case !utf8.Valid(data):
		return c.refuse(jsonrpc.CodeParseError, "the line is not UTF-8")
	case !json.Valid(data):
		return c.refuse(jsonrpc.CodeParseError, "the line is not JSON")
	case data[0] == '[':
		var parts []json.RawMessage
		if err := json.Unmarshal(data, &parts); err != nil || len(parts) == 0 {
			return c.refuse(jsonrpc.CodeInvalidRequest, "the array holds no message")
		}
		if len(parts) > maxBatch {
			return c.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("the array holds more than %d messages", maxBatch))
		}
		b := &batch{}
		for _, part := range parts {
			msg, err := jsonrpc.DecodeMessage(part)
			if err != nil {
				b.done = append(b.done, refusal(jsonrpc.CodeInvalidRequest, "one of them is no message of JSON-RPC 2.0"))
				continue
			}
			if err := c.accept(msg, b); err != nil {
				return err
			}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if b.read = true; b.open == 0 && len(b.done) > 0 {
			return c.send(b.join())
		}
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return c.refuse(jsonrpc.CodeInvalidRequest, "the line is no message of JSON-RPC 2.0")
	}
	return c.accept(msg, nil)
}

// accept queues a message, and refuses a call that there is no room for.
func (c *connection) accept(msg jsonrpc.Message, of *batch) error {
	req, ok := msg.(*jsonrpc.Request)
	if !ok || !req.IsCall() {
		c.queue = append(c.queue, msg)
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	why, code := "", int64(jsonrpc.CodeInvalidRequest)
	switch {
	case c.open.has(req.ID):
		why = "another call with this id waits for its answer"
	case printable(nil, req.Method) != req.Method:
		why, code = "there is no method of that name", jsonrpc.CodeMethodNotFound
	case len(c.open) >= maxOpen:
		why, code = fmt.Sprintf("%d calls wait for their answers already; call again when one is there", maxOpen), codeBusy
	}
	if why == "" {
		c.open[req.ID] = pending{listens: req.Method == methodListen, of: of}
		if of != nil {
			of.open++
		}
		c.queue = append(c.queue, msg)
		return nil
	}
	data, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: req.ID, Error: &jsonrpc.Error{Code: code, Message: why}})
	switch {
	case err != nil:
		return err
	case of != nil:
		of.done = append(of.done, data)
		return nil
	default:
		return c.send(data)
	}
}

// refuse answers what is no message. Nobody knows which call it was meant to be.
func (c *connection) refuse(code int64, why string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send(refusal(code, why))
}

// refusal is an answer to nobody.
func refusal(code int64, why string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, code, why)
}
