package mcp

import (
	"bytes"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// calls are what waits for an answer, by the id of the call.
type calls map[jsonrpc.ID]pending

type pending struct {
	listens bool   // it is answered when the client hangs up
	of      *batch // nil for a call that came alone
}

// methodListen is a call that stays open for notifications.
const methodListen = "subscriptions/listen"

func (c calls) has(id jsonrpc.ID) bool {
	_, ok := c[id]
	return ok
}

// waiting counts the calls that are answered soon.
func (c calls) waiting() (n int) {
	for _, p := range c {
		if !p.listens {
			n++
		}
	}
	return n
}

// answered takes a call off the list and returns what is to be sent: its answer, or all of its batch, or nothing yet.
func (c calls) answered(id jsonrpc.ID, data []byte) []byte {
	p, ok := c[id]
	delete(c, id)
	if !ok || p.of == nil {
		return data
	}
	p.of.open--
	p.of.done = append(p.of.done, data)
	if p.of.open > 0 || !p.of.read {
		return nil
	}
	return p.of.join()
}

// batch is an array of messages, whose answers go back as an array.
type batch struct {
	open int // calls that wait for an answer
	read bool
	done [][]byte
}

func (b *batch) join() []byte {
	return append(append([]byte("["), bytes.Join(b.done, []byte(","))...), ']')
}
