package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http" //nolint:depguard // The test asks for pages as a browser does.
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestProvenance plants strings in every kind of record and event, by people who are trusted here and by
// people who are not, and looks at every output. Each string has a number, by which it says who wrote it.
//
// What hooks add to a session holds no string of somebody who is not trusted, not even a name. Where a string
// is shown on request, the name of whoever wrote it stands beside it, and never only that of somebody else.
// SPEC.
//
// With LTM_TEST_PROVENANCE=all each level of trust goes through each delivery and each host; otherwise they
// take turns.
func TestProvenance(t *testing.T) {
	t.Parallel()
	turn := 0
	for _, level := range distrusts() {
		for _, way := range deliveries() {
			turn++
			if os.Getenv("LTM_TEST_PROVENANCE") != "all" && !level.always[way.name] ||
				way.name == "by the program" && level.key != "" {
				continue // The program signs with keys of its user alone, and well.
			}
			t.Run(level.name+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, level, turn)
				way.do(t, s)
				s.answers(t)
				s.look(t)
				s.verdict(t)
			})
		}
	}
}

// distrust is a reason why what somebody wrote is not trusted here.
type distrust struct {
	name   string
	key    string // whose key signs; "" for none
	store  string // the store that the signature names
	broken bool   // the signature is over something else
	always map[string]bool
}

// distrusts are all the reasons. What a key signed that has expired since is trusted (SPEC ).
func distrusts() []distrust {
	fetched := map[string]bool{"fetched": true}
	return []distrust{
		{name: "unsigned", always: map[string]bool{"fetched": true, "by the program": true}},
		{name: "unknown key", key: "mallory", store: stageStore},
		{name: "bad signature", key: "bob", store: stageStore, broken: true, always: fetched},
		{name: "other store", key: "bob", store: "another-store"},
	}
}

// delivery is how what others wrote comes into the clone.
type delivery struct {
	name string
	do   func(t *testing.T, s *stage)
}

func deliveries() []delivery {
	return []delivery{
		{"fetched", func(t *testing.T, s *stage) {
			t.Helper()
			s.plantAll(t)
			s.git(t, s.dir, "fetch", "-q", "origin", "+refs/ltm/*:refs/ltm-remotes/origin/*")
		}},
		{"pulled", func(t *testing.T, s *stage) {
			t.Helper()
			s.plantAll(t)
			s.pull(t)
		}},
		{"by the program", func(t *testing.T, s *stage) {
			t.Helper()
			s.must(t, "", "push")
			s.typeAll(t)
			s.pull(t)
		}},
	}
}

// stageStore is the id of the store of the clone.
const stageStore = "stage-store"

// writer is who wrote a string, and in what.
type writer struct {
	number  int
	name    string // "" where nobody is named
	trusted bool
	what    string // such as "event set" or "note pitfall"
	about   string // the record that an event speaks of: the owner's or the stranger's
}

func (w writer) String() string {
	who := "a stranger's "
	if w.trusted {
		who = "a trusted "
	}
	if w.name == "" {
		who = "a nameless "
	}
	return who + w.what + w.about
}

// text is a string of the writer, which says in which member it stands. It fits where words are bounded to
// letters and digits.
func (w writer) text(member string) string { return fmt.Sprintf("qt%04d%s", w.number, member) }

// The forms of strings and of names.
var (
	plantedText = regexp.MustCompile(`[qQ]t(0[01]\d{2})[A-Za-z]*`)
	plantedName = regexp.MustCompile(`[qQ]n(0[01]\d{2})|Ada Tester`)
	anyID       = regexp.MustCompile(`(?i)01[0-9A-HJKMNP-TV-Z]{24}`)
	nameless    = regexp.MustCompile(`(?i)unsigned|foreign|unknown|unnamed|nobody|not trusted|no name`)
	// Who asks to change a record stands in front of its text, and did not write it.
	whoAsks = regexp.MustCompile(`\([^()]* asks to [^()]*\)`)
)

// The words by which hooks and searches ask; every record holds the first.
const (
	stageWord    = "qzloom7"
	stageCommand = "qzfrobnicate --now"
	stagePath    = "qzgen/api.go"
)

// newWriter is somebody who writes one record or event.
func (s *stage) newWriter(what, about string, trusted bool) writer {
	n := len(s.writers)
	w := writer{number: n, name: fmt.Sprintf("Qn%04d Doe", n), what: what, about: about, trusted: trusted}
	s.writers = append(s.writers, w)
	return w
}

// owner is the writer of one thing that is made in the clone.
func (s *stage) owner(what, about string) writer {
	w := s.newWriter(what, about, true)
	w.name = "Ada Tester"
	s.writers[w.number] = w
	return w
}

// verdict tells all that was found, each kind of violation once, with how often and where it was seen first.
func (s *stage) verdict(t *testing.T) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(s.found)) {
		f := s.found[key]
		t.Errorf("%s, %d times:\n%s\nfirst in %s:\n%s", key, f.times,
			strings.Join(slices.Sorted(maps.Keys(f.of)), "\n"), f.where, f.excerpt)
	}
	never := map[string]bool{}
	for _, w := range s.writers {
		if !s.seen[w.number] && w.trusted {
			never[w.String()] = true
		}
	}
	if len(never) > 0 && s.whole() {
		t.Errorf("shown by no output: %s", strings.Join(slices.Sorted(maps.Keys(never)), ", "))
	}
}

// violation is one kind of thing that must not be, in one output.
type violation struct {
	times          int
	of             map[string]bool // strings by the member and the record
	where, excerpt string
}

func (s *stage) violates(where, group, problem, excerpt string, w writer, member string) {
	key := group + ": " + problem
	f := s.found[key]
	if f == nil {
		f = &violation{where: where, excerpt: cutTo(excerpt, 700), of: map[string]bool{}}
		s.found[key] = f
	}
	f.times++
	f.of["  "+member+" of "+w.String()] = true
}

func cutTo(text string, most int) string {
	if len(text) > most {
		return text[:most] + " ..."
	}
	return text
}

// memberOf is the member that a planted string says it stands in.
func memberOf(planted string) string { return strings.ToLower(planted[len("qt0000"):]) }

// withoutChance is a text in which no id of a record, which is random, looks like something planted.
func withoutChance(text string) string {
	return anyID.ReplaceAllStringFunc(text, strings.NewReplacer("q", "0", "Q", "0").Replace)
}

// automatic checks an output that nobody asked for.
func (s *stage) automatic(where, group, text string) {
	text = withoutChance(text)
	for _, form := range []*regexp.Regexp{plantedText, plantedName} {
		for _, at := range form.FindAllStringSubmatchIndex(text, -1) {
			if at[2] < 0 {
				continue
			}
			w := s.writers[numbered(text[at[2]:at[3]])]
			s.seen[w.number] = true
			member := "name"
			if form == plantedText {
				member = memberOf(text[at[0]:at[1]])
			}
			if !w.trusted {
				s.violates(where, group, "not trusted, and shown automatically", lineAround(text, at[0]), w,
					member)
			}
		}
	}
}

func numbered(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err)
	}
	return n
}

// lineAround is the line at a place of a text.
func lineAround(text string, at int) string {
	from := strings.LastIndex(text[:at], "\n") + 1
	if end := strings.Index(text[at:], "\n"); end >= 0 {
		return strings.TrimSpace(text[max(from, at-300) : at+end])
	}
	return text[max(from, at-300):]
}

// named tells whether a piece of output names somebody, and whether it names the writer.
func (w writer) named(piece string) (anybody, own bool) {
	for _, name := range plantedName.FindAllString(piece, -1) {
		own = own || w.name != "" && strings.HasPrefix(strings.ToLower(w.name), strings.ToLower(name))
	}
	anybody = own || plantedName.MatchString(whoAsks.ReplaceAllString(piece, ""))
	if w.name == "" && nameless.MatchString(piece) {
		return true, true
	}
	return anybody, own
}

// beside checks that of the pieces of an output around a string, from the nearest to the widest, the first
// that names anybody names the writer. What somebody wrote who is trusted may stand beside no name, and what
// a program prints as it is stored too, where nobody is named in it.
func (s *stage) beside(where, group, planted string, pieces ...string) {
	w := s.writers[numbered(planted[2:6])]
	s.seen[w.number] = true
	member := memberOf(planted)
	for _, piece := range pieces {
		anybody, own := w.named(piece)
		if own {
			return
		}
		if anybody {
			s.violates(where, group, "beside the name of somebody else", pieces[0]+"\n  within: "+piece, w,
				member)
			return
		}
	}
	stored := w.name == "" &&
		slices.Contains([]string{"export --all", "show --raw", "export --format markdown"}, group)
	// A place of a graph has edges to who names it.
	if !w.trusted && !stored && (member != "path" || !strings.Contains(group, "graph")) {
		s.violates(where, group, "beside no name", pieces[0], w, member)
	}
}

// The forms of lines.
var (
	itemBegins = regexp.MustCompile(
		`^(\|? *(- |[0-9]+\. |## )|\* |[0-9A-HJKMNP-TV-Z]{26}\b|(\| )?\d{4}-\d\d-\d\dT|[A-Z][!?]? )`)
	blankLine  = regexp.MustCompile(`^\|? *$`)
	headAuthor = regexp.MustCompile(`(?m)^(?:\| )?(Author|provenance): .*$|^[^(\n]*written by .*$`)
)

// lines checks a text of lines: the name stands in the same line, else in the item around it, else in the
// head of the output.
func (s *stage) lines(where, group, text string) {
	all := strings.Split(text, "\n")
	head := strings.Join(headAuthor.FindAllString(text, 1), "\n")
	for i, line := range all {
		for _, planted := range plantedText.FindAllString(line, -1) {
			from, to := i, i+1
			for from > 0 && !itemBegins.MatchString(all[from]) && !blankLine.MatchString(all[from-1]) {
				from--
			}
			for to < len(all) && !itemBegins.MatchString(all[to]) && !blankLine.MatchString(all[to]) {
				to++
			}
			field := fieldOf(line, planted)
			if w := s.writers[numbered(planted[2:6])]; w.trusted && field != line &&
				!plantedName.MatchString(field) {
				s.seen[w.number] = true // In a table the name beside another field is for that field.
				continue
			}
			s.beside(where, group, planted, field, line, strings.Join(all[from:to], "\n"), head)
		}
	}
}

// fieldOf is the part of a line of a table that holds a string.
func fieldOf(line, planted string) string {
	for field := range strings.SplitSeq(line, "\t") {
		if strings.Contains(field, planted) {
			return field
		}
	}
	return line
}

// json checks JSON, one value or one a line: the name stands in the same object, else in the nearest around
// it.
func (s *stage) json(where, group, text string) {
	dec := json.NewDecoder(strings.NewReader(text))
	for dec.More() {
		var v any
		if err := dec.Decode(&v); err != nil {
			s.lines(where, group, text)
			return
		}
		s.value(where, group, v, nil)
	}
}

// value walks a value of JSON. The pieces are the objects around it, the innermost first.
func (s *stage) value(where, group string, v any, around []string) {
	switch v := v.(type) {
	case string:
		for _, planted := range plantedText.FindAllString(v, -1) {
			s.beside(where, group, planted, append([]string{v}, around...)...)
		}
	case []any:
		for _, item := range v {
			s.value(where, group, item, around)
		}
	case map[string]any:
		around = append([]string{strings.Join(own(v), "\n")}, around...)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			s.value(where, group, v[name], around)
		}
	}
}

// own are the strings of an object, also those of objects that are no items of a list.
func own(object map[string]any) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch v := object[name].(type) {
		case string:
			all = append(all, name+": "+v)
		case map[string]any:
			all = append(all, own(v)...)
		}
	}
	return all
}

// The forms of pages.
var (
	pageTag    = regexp.MustCompile(`<(/?)([a-z0-9]+)[^>]*>`)
	pageBlocks = []string{"li", "article", "section", "summary", "tr", "aside", "details", "figure"}
	pageAuthor = regexp.MustCompile(`<dt>Author</dt><dd>[^<]*</dd>`)
	pageData   = regexp.MustCompile(`(?s)<script[^>]*type="application/json"[^>]*>(.*?)</script>`)
	pageScript = regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>`)
)

// page checks HTML: the name stands in the same block, else in the nearest around it, else where a page of
// one record names its author.
func (s *stage) page(where, group, text string) {
	for _, data := range pageData.FindAllStringSubmatch(text, -1) {
		s.json(where, group, data[1])
	}
	text = pageScript.ReplaceAllString(text, "")
	head := strings.Join(pageAuthor.FindAllString(text, 1), "\n")
	blocks := blocksOf(text)
	for _, at := range plantedText.FindAllStringIndex(text, -1) {
		if strings.LastIndexByte(text[:at[0]], '<') > strings.LastIndexByte(text[:at[0]], '>') {
			continue // It stands in a tag, as the address of a link does.
		}
		line := lineAround(text, at[0])
		pieces := []string{strings.Join(strings.Fields(pageTag.ReplaceAllString(line, " ")), " ")}
		for _, block := range blocks {
			if block[0] <= at[0] && at[1] <= block[1] {
				pieces = append(pieces,
					strings.Join(strings.Fields(pageTag.ReplaceAllString(text[block[0]:block[1]], " ")), " "))
			}
		}
		s.beside(where, group, text[at[0]:at[1]], append(pieces, head)...)
	}
}

// blocksOf are the places of the blocks of a page, an inner one before the one around it.
func blocksOf(text string) (blocks [][2]int) {
	type open struct {
		name string
		at   int
	}
	var stack []open
	for _, tag := range pageTag.FindAllStringSubmatchIndex(text, -1) {
		name := text[tag[4]:tag[5]]
		if !slices.Contains(pageBlocks, name) {
			continue
		}
		if tag[2] == tag[3] {
			stack = append(stack, open{name, tag[0]})
			continue
		}
		for len(stack) > 0 {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			blocks = append(blocks, [2]int{last.at, tag[1]})
			if last.name == name {
				break
			}
		}
	}
	return blocks
}

// digestOf is the digest of bytes, as the trailer of a signature names it.
func digestOf(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

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
	s.files(t, "export --format markdown", "export", "--format", "markdown", "--all", "--output")
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
		"log --limit 0", "log --limit 0 --json", "status", "status --json", "stats",
		"stats --json", "lint", "lint --json",
		"verify", "verify --json", "check", "check --format json", "consolidate", "consolidate --json",
		"achievements",
		"graph --all --limit 0", "graph --all --limit 0 --json", "graph --all --limit 0 --format dot",
		"graph --all --limit 0 --format mermaid",
		"export --all",
	}
	for _, id := range s.chosen() {
		lines = append(lines, "show "+id, "show "+id+" --json", "show "+id+" --raw", "show "+id+" --events", "graph "+id)
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
			s.automatic(name, "hook "+string(moment.event), unescaped(forModel(t, stdout))+stderr)
		}
	}
}

// forModel is an answer to a host without the line for the person, who may read there that somebody asks for a
// change.
func forModel(t *testing.T, answer string) string {
	fields := map[string]any{}
	if json.Unmarshal([]byte(answer), &fields) != nil {
		return answer
	}
	delete(fields, "systemMessage")
	return string(encodedJSON(t, fields))
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
	}
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

// TestProvenance_rank lets a stranger say of the owner's records whatever changes no more than a text or a
// weight, and compares what is shown automatically with what it was before: neither the texts nor their order
// changes.
func TestProvenance_rank(t *testing.T) {
	t.Parallel()
	s := newStage(t, distrusts()[0], 1)
	before := s.unasked(t)
	s.unchanged(t, "nothing", before)
	s.others["reference"] = s.plant(t, s.newWriter("note ", "reference", false), s.level, "notes", noteText,
		"reference")
	weighs := []string{"set", "digest", "link", "contradict", "confirm", "impact"}
	for _, h := range sayings() {
		if slices.Contains(weighs, h.event) {
			s.plantEvent(t, h, s.newWriter("event ", h.what, false), s.owned[h.what], s.level)
			s.plantEvent(t, h, s.newWriter("event ", h.what, false), s.owned[h.what], s.level)
		}
	}
	s.feed(t, s.remote, s.refs.String(), "update-ref", "--stdin")
	s.git(t, s.dir, "fetch", "-q", "origin", "+refs/ltm/*:refs/ltm-remotes/origin/*")
	s.unchanged(t, "a fetch of a stranger's events", before)
	s.pull(t)
	s.unchanged(t, "a pull of a stranger's events", before)
}

// passing is what differs from one call to the next.
var passing = regexp.MustCompile(
	`nonce=\\?"[0-9a-f]+\\?"|just now|[0-9]+ (second|minute)s? ago|score [0-9.]+|ltm-context [0-9a-f]{16}`)

// unasked is what is shown automatically.
func (s *stage) unasked(t *testing.T) map[string]string {
	t.Helper()
	counts, err := filepath.Glob(filepath.Join(s.dir, ".git", "ltm", "usage*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range counts { // What was shown often and never used comes later, whatever strangers say.
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	shown := map[string]string{}
	for _, line := range []string{
		"context --trusted --budget 0", "context --trusted",
		"recall --trusted --limit 200 " + stageWord,
	} {
		_, stdout, _ := s.run(t.Context(), nil, strings.Fields(line)...)
		shown[line] = passing.ReplaceAllString(stdout, "")
	}
	for i, moment := range moments()[:6] {
		said := map[string]any{"session_id": t.Name() + string(rune('a'+len(s.writers)%20)) +
			string(rune('a'+i)), "cwd": s.dir}
		maps.Copy(said, moment.said)
		_, stdout, _ := s.run(t.Context(), encodedJSON(t, said), "hook", "claude-code", string(moment.event))
		shown["hook "+string(moment.event)+" "+
			string(rune('1'+i))] = passing.ReplaceAllString(unescaped(forModel(t, stdout)), "")
	}
	return shown
}

func (s *stage) unchanged(t *testing.T, after string, before map[string]string) {
	t.Helper()
	s.newWriter("session", "", false) // Sessions are told each thing once, so these are others.
	now := s.unasked(t)
	for _, what := range slices.Sorted(maps.Keys(before)) {
		if before[what] != now[what] {
			t.Errorf("%s changed after %s:\n%s", what, after,
				diff.Diff("before", []byte(before[what]), "after", []byte(now[what])))
		}
	}
}
