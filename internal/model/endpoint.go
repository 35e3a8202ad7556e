package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http" //nolint:depguard // An endpoint that the user named is what this file is for.
	"net/url"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/local"
)

// endpoint asks by the chat API of OpenAI, which many servers have.
type endpoint struct {
	settings Settings
	url      string
	client   *http.Client
}

// chatPath is where servers have the API.
const chatPath = "/chat/completions"

// newEndpoint checks the address and makes a client that goes there and nowhere else.
func newEndpoint(s Settings) (*endpoint, error) {
	u, err := url.Parse(s.Command)
	if err != nil || u.Host == "" {
		return nil, errors.New("the address of the endpoint is not valid")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New(
			"the address of the endpoint holds more than a place; a key is named by ltm.distillKeyEnv")
	}
	if !s.Remote && !isLoopback(u.Hostname()) {
		return nil, fmt.Errorf("%s: %w", u.Hostname(), ErrRemote)
	}
	if s.Key != "" && u.Scheme != "https" && !isLoopback(u.Hostname()) {
		return nil, errors.New("a key is sent over https alone")
	}
	switch path := strings.TrimRight(u.Path, "/"); {
	case strings.HasSuffix(path, chatPath):
	case path == "":
		u.Path = "/v1" + chatPath
	default:
		u.Path = path + chatPath
	}
	dialer := &net.Dialer{}
	transport := &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}
	if s.Remote {
		transport.Proxy = http.ProxyFromEnvironment
	} else {
		// No connection goes to another machine, whatever its name resolved to.
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			host, _, err := net.SplitHostPort(address)
			if err != nil || net.ParseIP(host) == nil || !isLoopback(host) {
				return ErrRemote
			}
			return nil
		}
	}
	stay := func(*http.Request, []*http.Request) error { return errors.New("the endpoint sends it elsewhere") }
	return &endpoint{
		settings: s, url: u.String(),
		client: &http.Client{Transport: transport, CheckRedirect: stay},
	}, nil
}

// isLoopback tells a host that is this machine.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Ask sends the question and reads the answer. Neither the key nor what the server says of a failure is told.
func (e *endpoint) Ask(ctx context.Context, q Question) (answer []byte, err error) {
	ctx, cancel := limitTime(ctx, e.settings.Timeout)
	defer cancel()
	type object map[string]any
	ask := object{
		"messages": []object{
			{"role": "system", "content": q.Task}, {"role": "user", "content": string(q.Facts)},
		},
		"response_format": object{"type": "json_schema", "json_schema": object{
			"name": "packet", "strict": true, "schema": json.RawMessage(q.Schema),
		}},
		"temperature": 0, "stream": false,
	}
	if e.settings.Model != "" {
		ask["model"] = e.settings.Model
	}
	body, err := json.Marshal(ask)
	if err != nil {
		return nil, fmt.Errorf("ask the endpoint: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask the endpoint: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if e.settings.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.settings.Key)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, e.failureOf(ctx, err)
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask the endpoint: it answers %d %s", resp.StatusCode,
			http.StatusText(resp.StatusCode))
	}
	data, err := local.ReadAll(resp.Body, maxAnswer)
	if errors.Is(err, local.ErrTooLarge) {
		return nil, ErrTooLong
	}
	if err != nil {
		return nil, e.failureOf(ctx, err)
	}
	var said struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal(data, &said); err != nil || len(said.Choices) == 0 {
		return nil, ErrNoObject
	}
	return jsonObject([]byte(said.Choices[0].Message.Content))
}

// failureOf says why there is no answer, without the address, which may hold more than a place.
func (e *endpoint) failureOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	return fmt.Errorf("ask the endpoint: %w", err)
}
