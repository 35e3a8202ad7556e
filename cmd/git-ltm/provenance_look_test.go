package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"net/http" //nolint:depguard // The test asks for pages as a browser does.
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// look takes every output, and checks it.
func (s *stage) look(t *testing.T) {
	t.Helper()
	s.hooks(t)
	for _, line := range automaticLines() {
		code, stdout, stderr := s.run(t.Context(), nil, strings.Fields(line)...)
		s.asked(t, line, code)
		s.automatic("git ltm "+line, withoutIDs(line), stdout+stderr)
	}
	for _, line := range s.requests() {
		code, stdout, _ := s.run(t.Context(), nil, strings.Fields(line)...)
		s.asked(t, line, code)
		s.requested("git ltm "+line, withoutIDs(line), stdout)
	}
	s.files(t, "web --export", "web", "--export")
	s.files(t, "export --format markdown", "export", "--format", "markdown", "--all", "--out")
	s.served(t)
	s.tools(t)
}

// asked fails the test where a command line is none: a flag that was renamed would hide an output from it.
func (s *stage) asked(t *testing.T, line string, code int) {
	t.Helper()
	if code == codeUsage {
		t.Errorf("git ltm %s is no command line", line)
	}
}

// automaticLines are the commands whose answers are added to sessions by those who run them from hooks of
// their own.
func automaticLines() []string {
	return []string{
		"context --trusted", "context --trusted --format json", "context --trusted --format dsl",
		"context --trusted --budget 0",
		"resume --trusted", "resume --trusted --format json",
		"recall --trusted --limit 200 " + stageWord, "recall --trusted --limit 200 --json " + stageWord,
	}
}

// requests are commands that somebody types.
func (s *stage) requests() []string {
	lines := []string{
		"context --budget 0", "context --budget 0 --format json", "context --budget 0 --format dsl",
		"resume --latest", "resume --format json", "resume --format dsl",
		"recall --limit 200 " + stageWord, "recall --limit 200 --json " + stageWord,
		"recall --limit 200 --explain " + stageWord,
		"why qzgen/api.go", "why qzgen --json",
		"ls --kind all --all --limit 0", "ls --kind all --all --limit 0 --json", "task ls --all",
		"task ls --all --json", "skip ls --all",
		"skip ls --all --json", "skip check --command qzfrobnicate", "skip check --path " + stagePath,
		"identity", "allow", "allow --json",
		"log --limit 0", "log --limit 0 --json", "log --graph", "status", "status --json", "stats",
		"stats --json", "lint", "lint --json",
		"verify", "verify --json", "check", "check --format json", "consolidate", "consolidate --json",
		"achievements",
		"graph --all --limit 0", "graph --all --limit 0 --json", "graph --all --limit 0 --format dot",
		"graph --all --limit 0 --format mermaid",
		"export --all", "export --all --format memory",
	}
	for _, id := range s.chosen() {
		lines = append(lines, "show "+id, "show "+id+" --json", "show "+id+" --events", "graph "+id)
	}
	for _, id := range s.packets() {
		lines = append(lines, "show "+id, "show --as 0.2 "+id)
		for _, form := range []string{"md", "json", "dsl"} {
			lines = append(lines, "resume --format "+form+" "+id)
		}
	}
	if s.whole() {
		return lines
	}
	var some []string
	for i, line := range lines {
		if (i+s.turn)%4 == 0 {
			some = append(some, line)
		}
	}
	return some
}

// whole tells whether every output is looked at, and not only those whose turn it is.
func (s *stage) whole() bool { return s.turn == 1 || os.Getenv("LTM_TEST_PROVENANCE") == "all" }

// chosen are the records that are shown one by one: all, or those whose turn it is.
func (s *stage) chosen() (ids []string) {
	share := 8
	if os.Getenv("LTM_TEST_PROVENANCE") == "all" {
		share = 1
	}
	i := s.turn
	for _, records := range []map[string]string{s.owned, s.others} {
		for _, what := range slices.Sorted(maps.Keys(records)) {
			if i++; i%share == 0 {
				ids = append(ids, records[what])
			}
		}
	}
	return ids
}

// packets are those of the owner and of the stranger, and those of one that go on from one of the other.
func (s *stage) packets() []string {
	all := []string{s.owned["packet"], s.owned["heir"], s.others["packet"], s.others["child"]}
	return slices.DeleteFunc(all, func(id string) bool { return id == "" })
}

// served checks the pages that a browser is shown.
func (s *stage) served(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var diag bytes.Buffer
		run(ctx, &env{
			dir: s.dir, vars: s.vars, stdin: strings.NewReader(""), stdout: in, stderr: &diag, now: time.Now,
			entropy: rand.Reader,
			width:   func(any) (int, bool) { return 0, false },
		}, []string{"web", "--port", "0"})
		_ = in.Close()
	}()
	defer func() { cancel(); _ = out.Close(); <-ended }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Errorf("the address of the pages: %v", err)
		return
	}
	pages := []string{
		"", "graph.html", "notes.html", "tasks.html", "skips.html",
		"recall.html?q=" + stageWord,
	}
	for _, id := range append(s.chosen(), s.packets()...) {
		pages = append(pages, "records/"+id+".html")
	}
	for _, page := range pages {
		text, err := browse(ctx, strings.TrimSpace(address)+page)
		if err != nil {
			t.Errorf("page %q: %v", page, err)
		}
		name, _, _ := strings.Cut(page, "/")
		s.requested("web "+page, "web "+name, text)
	}
}

// browse asks for a page.
func browse(ctx context.Context, address string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	data, err := io.ReadAll(answer.Body)
	return string(data), err
}

// withoutIDs is a command without what it is about.
func withoutIDs(line string) string {
	var words []string
	for word := range strings.FieldsSeq(line) {
		if len(word) != 26 && word != stageWord {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// requested checks an output that somebody asked for.
func (s *stage) requested(where, group, text string) {
	text = withoutChance(text)
	switch {
	case strings.Contains(text, "<!DOCTYPE html") || strings.Contains(text, "<!doctype html"):
		s.page(where, group, text)
	case decoded(text):
		s.json(where, group, text)
	default:
		s.lines(where, group, text)
	}
}

// files checks the files that a command writes.
func (s *stage) files(t *testing.T, group string, args ...string) {
	t.Helper()
	dir := filepath.Join(filepath.Dir(s.dir), strings.ReplaceAll(group, " ", ""))
	_, stdout, _ := s.run(t.Context(), nil, append(args, dir)...)
	s.requested(group, group, stdout)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name := strings.TrimPrefix(path, dir)
		part := filepath.Dir(name)
		if part == "/" && filepath.Ext(name) == ".html" {
			part = name
		}
		s.requested(group+" "+name, strings.TrimSuffix(group+" "+part, " /"), string(data))
		return err
	})
	if err != nil {
		t.Errorf("%s: %v", group, err)
	}
}

// hooks asks every hook of the hosts.
func (s *stage) hooks(t *testing.T) {
	t.Helper()
	hosts := agent.Hosts()
	if os.Getenv("LTM_TEST_PROVENANCE") != "all" {
		hosts = []agent.Host{hosts[s.turn%len(hosts)]}
	}
	for _, host := range hosts {
		for i, moment := range moments() {
			said := map[string]any{"session_id": string(host) + string(rune('a'+i)), "cwd": s.dir}
			maps.Copy(said, moment.said)
			_, stdout, stderr := s.run(t.Context(), encodedJSON(t, said), "hook", string(host),
				string(moment.event))
			name := "hook " + string(host) + " " + string(moment.event)
			s.automatic(name, "hook "+string(moment.event), unescaped(stdout)+stderr)
		}
	}
}

// unescaped puts the text of an answer to a host on lines.
func unescaped(answer string) string { return strings.ReplaceAll(answer, `\n`, "\n") }

type stageMoment struct {
	event agent.Event
	said  map[string]any
}

func moments() []stageMoment {
	command := map[string]any{"tool_name": "Bash", "tool_input": map[string]string{"command": stageCommand}}
	edit := map[string]any{
		"tool_name":  "Edit",
		"tool_input": map[string]string{"file_path": stagePath, "new_string": stageWord},
	}
	failed := map[string]any{"error": "Exit code 2\n" + stageWord}
	maps.Copy(failed, command)
	return []stageMoment{
		{agent.SessionStart, map[string]any{"source": "startup"}},
		{agent.SessionStart, map[string]any{"source": "resume"}},
		{agent.SessionStart, map[string]any{"source": "clear"}},
		{agent.SessionStart, map[string]any{"source": "compact"}},
		{agent.Prompt, map[string]any{"prompt": "Please mend " + stageWord + " in " + stagePath}},
		{agent.Tool, command},
		{agent.Tool, edit},
		{agent.AfterTool, command},
		{agent.AfterTool, edit},
		{agent.ToolFailure, failed},
		{agent.Compact, map[string]any{"trigger": "auto"}},
		{agent.Compacted, map[string]any{"compact_summary": stageWord}},
		{agent.Stop, map[string]any{}},
		{agent.SessionEnd, map[string]any{}},
	}
}

// tools asks the server of the Model Context Protocol by every tool that reads, every resource and every
// prompt.
func (s *stage) tools(t *testing.T) {
	t.Helper()
	var calls []any
	var names []string
	ask := func(name, method string, params any) {
		names = append(names, name)
		calls = append(calls,
			map[string]any{"jsonrpc": "2.0", "id": len(names), "method": method, "params": params})
	}
	tool := func(name string, arguments map[string]any) {
		ask("mcp "+name, "tools/call", map[string]any{"name": name, "arguments": arguments})
	}
	tool("recall", map[string]any{"budget": 100_000})
	tool("recall", map[string]any{"query": stageWord, "limit": 50, "budget": 100_000})
	tool("resume", map[string]any{})
	tool("recall", map[string]any{"kinds": []string{"packet", "note", "skip"}, "all": true, "limit": 100})
	tool("recall", map[string]any{"path": stagePath})
	tool("recall", map[string]any{"action": stageCommand})
	tool("recall", map[string]any{"kinds": []string{"task"}, "all": true})
	tool("status", map[string]any{})
	for _, id := range s.chosen() {
		tool("recall", map[string]any{"id": id})
	}
	for _, id := range s.packets() {
		tool("resume", map[string]any{"id": id})
		ask("mcp resource packet", "resources/read", map[string]any{"uri": "ltm://packet/" + id})
	}
	ask("mcp resource context", "resources/read", map[string]any{"uri": "ltm://context"})
	ask("mcp resource packet", "resources/read", map[string]any{"uri": "ltm://packet/@"})
	ask("mcp resource thread", "resources/read", map[string]any{"uri": "ltm://thread/main"})
	ask("mcp resources", "resources/list", map[string]any{})
	ask("mcp prompt resume", "prompts/get", map[string]any{"name": "resume"})

	// A server takes only so many calls at once, so each is asked for when the one before was answered.
	for first := 0; first < len(calls); first += 32 {
		part := calls[first:min(first+32, len(calls))]
		var in strings.Builder
		enc := json.NewEncoder(&in)
		hello := map[string]any{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": map[string]any{
			"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
			"clientInfo": map[string]string{"name": "t", "version": "1"},
		}}
		for _, call := range append(
			[]any{hello, map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}}, part...) {
			if err := enc.Encode(call); err != nil {
				t.Fatal(err)
			}
		}
		_, stdout, _ := s.run(t.Context(), []byte(in.String()), "mcp")
		s.replies(t, stdout, names)
	}
}

// replies checks each answer of the server: its texts, and what is structured.
func (s *stage) replies(t *testing.T, stdout string, names []string) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(stdout))
	for dec.More() {
		var reply struct {
			ID     int `json:"id"`
			Result struct {
				Content           []struct{ Text string } `json:"content"`
				Contents          []struct{ Text string } `json:"contents"`
				StructuredContent any                     `json:"structuredContent"`
				Messages          []struct {
					Content struct{ Text string } `json:"content"`
				} `json:"messages"`
				Resources any `json:"resources"`
			} `json:"result"`
			Error any `json:"error"`
		}
		if err := dec.Decode(&reply); err != nil {
			t.Fatalf("%v in %.300s", err, stdout)
		}
		if reply.ID == 0 {
			continue
		}
		name := names[reply.ID-1]
		for _, c := range append(reply.Result.Content, reply.Result.Contents...) {
			s.requested(name, name, c.Text)
		}
		for _, m := range reply.Result.Messages {
			s.requested(name, name, m.Content.Text)
		}
		for _, v := range []any{reply.Result.StructuredContent, reply.Result.Resources, reply.Error} {
			s.value(name, name+" (structured)", v, nil)
		}
	}
}

// feed runs git with an input.
func (s *stage) feed(t *testing.T, dir, input string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, s.vars, strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}
