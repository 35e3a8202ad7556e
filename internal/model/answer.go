package model

import (
	"bytes"
	"encoding/json"
)

// jsonObject returns the JSON object that an answer holds. Clients that run without a terminal wrap it: in an
// object of their own that holds it as it is or as a text, and models put it into a fence.
func jsonObject(answer []byte) ([]byte, error) {
	answer = bytes.TrimSpace(withoutFence(bytes.TrimSpace(answer)))
	var wrapped struct {
		Type       string          `json:"type"`
		Structured json.RawMessage `json:"structured_output"`
		Result     *string         `json:"result"`
		Response   *string         `json:"response"`
	}
	if !isObject(answer) || json.Unmarshal(answer, &wrapped) != nil {
		return nil, ErrNoObject
	}
	inner := wrapped.Structured
	for _, text := range []*string{wrapped.Result, wrapped.Response} {
		if !isObject(inner) && text != nil {
			inner = bytes.TrimSpace(withoutFence(bytes.TrimSpace([]byte(*text))))
		}
	}
	switch {
	case isObject(inner):
		return inner, nil
	case wrapped.Result != nil || wrapped.Response != nil || len(wrapped.Structured) > 0:
		return nil, ErrNoObject
	}
	return answer, nil
}

// isObject tells whether a text is one JSON object.
func isObject(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && text[0] == '{' && json.Valid(text)
}

// withoutFence takes a fence away that stands around a whole text.
func withoutFence(text []byte) []byte {
	fence := []byte("```")
	if !bytes.HasPrefix(text, fence) || !bytes.HasSuffix(text, fence) || len(text) < 2*len(fence) {
		return text
	}
	_, inner, ok := bytes.Cut(text[:len(text)-len(fence)], []byte("\n"))
	if !ok {
		return text
	}
	return inner
}
