package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
)

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

// parseMessage reads a message of JSON-RPC 2.0. Its parameters are an object, as the protocol has it.
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
		return m, false
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
