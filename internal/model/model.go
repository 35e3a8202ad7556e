// Package model asks a model that the user named: by a command that reads a question and prints an answer, or
// by an endpoint that has the chat API of OpenAI.
//
// What it hands on is what it was given, and nothing else: a command runs in an empty directory and without
// the variables that tell of a repository or of the session of an agent, an endpoint has to be on this
// machine unless the user said otherwise. What comes back is hostile: it is bounded in size and time, and it
// is no more than a JSON object for the caller to judge.
package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

// Question is what a model is asked.
type Question struct {
	Task   string // required: what to do
	Facts  []byte // required: what it is about, as JSON
	Schema []byte // required: the JSON schema of the answer
}

// Asker asks a model. What it returns is one JSON object, which nobody has judged.
type Asker interface {
	Ask(ctx context.Context, q Question) ([]byte, error)
}

// Settings say which model is asked.
type Settings struct {
	Command string        // required: a command line, or the address of an endpoint
	Model   string        // the name of the model at an endpoint
	Key     string        // the key of an endpoint
	Remote  bool          // an endpoint may be on another machine
	Timeout time.Duration // required
	Env     []string      // required: the environment that a command is made from
}

// The errors that a caller may tell apart.
var (
	// ErrNested says that this process was itself started to answer for a model.
	ErrNested = errors.New("this process was started by one that asks a model")
	// ErrRemote says that an endpoint is on another machine.
	ErrRemote = errors.New("the endpoint is not on this machine")
	// ErrTimeout says that there was no answer in time.
	ErrTimeout = errors.New("there was no answer in time")
	// ErrTooLong says that an answer was longer than any that is of use.
	ErrTooLong = errors.New("the answer is too long")
	// ErrNoObject says that an answer holds no JSON object.
	ErrNoObject = errors.New("the answer is no JSON object")
)

// The variables that a command finds in its environment.
const (
	mark      = "GIT_LTM_MODEL"   // it answers for a model: nothing it starts asks one again
	disable   = "GIT_LTM_DISABLE" // nothing it starts tells or keeps anything
	schemaVar = "GIT_LTM_SCHEMA"  // the schema of the answer
)

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 256 << 10

// Open returns who asks the model.
func Open(s Settings) (Asker, error) {
	if nested, _ := program.LookupEnv(s.Env, mark); nested != "" {
		return nil, ErrNested
	}
	if strings.TrimSpace(s.Command) == "" {
		return nil, errors.New("no model is named")
	}
	low := strings.ToLower(s.Command)
	if strings.HasPrefix(low, "http://") || strings.HasPrefix(low, "https://") {
		return newEndpoint(s)
	}
	return &command{s}, nil
}

// limitTime bounds the time of a question. The second result tells an error that came of it.
func limitTime(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w (%s)", ErrTimeout, limit))
}

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
