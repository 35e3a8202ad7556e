package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The size of a flood. LTM_FLOODS asks for that of the issue.
const (
	floodEvents, floodInvalid       = 30_000, 10_000
	fewFloodEvents, fewFloodInvalid = 1_200, 400
)

// What a few events of strangers that count cost, at any size of a flood.
const (
	readsOfFew = 1100
	bytesOfFew = 4 << 20
)

// mostOfHook is the memory that a hook may take, in KB.
const mostOfHook = 100 << 10

// TestFloods lets somebody who can push plant events about a record by the thousand, records that are none,
// and records by the thousand with a few events each, and asks every hook twice: none takes much memory, none
// prints a line for each of them, and the second time no more than a few of them are read again, however many
// there are. What is counted is reads, of the program and of all that it starts, beside what the same hook
// reads where nothing was planted.
func TestFloods(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/io"); err != nil {
		t.Skip("the reads of a process are counted in /proc alone")
	}
	events, invalid := fewFloodEvents, fewFloodInvalid
	if os.Getenv("LTM_FLOODS") != "" {
		events, invalid = floodEvents, floodInvalid
	}
	for _, way := range []string{"fetched", "pulled", "many records"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			f := newFlooded(t)
			before := f.ask(t, "before")
			if way == "many records" {
				f.floodWide(t, events*2/3)
			} else {
				f.flood(t, events, invalid)
			}
			if way != "pulled" {
				f.git(t, f.dir, "fetch", "-q", "origin", "+refs/ltm/*:refs/ltm-remotes/origin/*")
			} else {
				f.call(t, nil, "pull")
			}
			f.git(t, f.dir, "pack-refs", "--all")
			names := f.names(t)
			first, second := f.ask(t, "first"), f.ask(t, "second")
			for _, name := range slices.Sorted(maps.Keys(before)) {
				if way == "many records" && name == "ls" {
					continue // They are records, and a person who asks for all of them is shown them.
				}
				was, now := before[name], second[name]
				t.Logf("%-22s before %s\n%22s first  %s\n%22s second %s", name, was, "", first[name], "", now)
				// The names of refs, and of what a remote holds, are files that are read to list them: what
				// is planted makes them longer.
				if most := 2*was.reads + readsOfFew + names/4096*4; now.reads > most {
					t.Errorf("the second %s makes %d reads, want at most %d: without the flood it makes %d",
						name, now.reads, most, was.reads)
				}
				if most := 2*was.bytes + bytesOfFew + 6*names; now.bytes > most {
					t.Errorf("the second %s reads %d bytes, want at most %d: without the flood it reads %d",
						name, now.bytes, most, was.bytes)
				}
				for _, c := range []cost{first[name], now} {
					if c.memory > mostOfHook {
						t.Errorf("%s takes %d MB, want at most %d", name, c.memory>>10, mostOfHook>>10)
					}
					if c.lines > 5 {
						t.Errorf("%s prints %d lines of warnings, want at most 5:\n%s", name, c.lines, c.said)
					}
				}
			}
		})
	}
}

// flooded is a clone and a remote that somebody floods.
type flooded struct {
	*bench

	remote, note string
	calls        int
}

func newFlooded(t *testing.T) *flooded {
	t.Helper()
	f := &flooded{bench: newBench(t)}
	f.remote = filepath.Join(filepath.Dir(f.dir), "remote.git")
	f.git(t, filepath.Dir(f.dir), "init", "-q", "--bare", f.remote)
	f.git(t, f.dir, "remote", "add", "origin", f.remote)
	f.git(t, f.dir, "commit", "-q", "--allow-empty", "-m", "one")
	f.note = strings.TrimSpace(f.call(t, nil, "note", "--kind", "pitfall", "the tests use port 8080").said)
	f.call(t, nil, "task", "add", "write the notes of the release", "--next", "begin")
	f.call(t, nil, "skip", "add", "the nightly run", "--why", "it hangs", "--until", "3d", "--command",
		"make nightly")
	f.call(t, nil, "save", "--goal", "Release it", "--next", "Write the notes", "--attempt",
		"`make release` :: it failed")
	return f
}

// cost is what a command took, with all that it started.
type cost struct {
	reads, bytes int
	memory       int64 // in KB
	cpu, wall    time.Duration
	lines        int    // on standard error
	said         string // on standard output, or the first lines of standard error
}

func (c cost) String() string {
	return fmt.Sprintf("%7d reads, %9d bytes, %4d MB, %6d ms of CPU in %6d ms, %d lines of warnings",
		c.reads, c.bytes, c.memory>>10, c.cpu.Milliseconds(), c.wall.Milliseconds(), c.lines)
}

// call runs a command and measures what it takes, with all that it starts.
func (f *flooded) call(t *testing.T, stdin []byte, args ...string) cost {
	t.Helper()
	f.calls++
	file := filepath.Join(filepath.Dir(f.dir), "io"+strconv.Itoa(f.calls))
	cmd := exec.CommandContext(t.Context(), "measured", append([]string{file, "git-ltm"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = f.dir, f.vars, bytes.NewReader(stdin)
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	began := time.Now()
	err := cmd.Run()
	c := cost{
		wall: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		said: out.String(), lines: strings.Count(diag.String(), "\n"),
	}
	if c.lines > 0 {
		c.said = cutTo(diag.String(), 400)
	}
	if err != nil && args[0] != "pull" {
		t.Fatalf("%s: %v\n%s", args, err, diag.String())
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, _ := strconv.Atoi(value)
		switch name {
		case "rchar":
			c.bytes = n
		case "syscr":
			c.reads = n
		case "memory":
			c.memory = int64(n)
		}
	}
	return c
}

// ask asks every hook of a host that hears, and a listing, each in a session of its own.
func (f *flooded) ask(t *testing.T, when string) map[string]cost {
	t.Helper()
	all := map[string]cost{}
	for i, moment := range moments() {
		said := map[string]any{"session_id": when + strconv.Itoa(i), "cwd": f.dir}
		maps.Copy(said, moment.said)
		if moment.event == agent.Prompt {
			said["prompt"] = "which port do the tests use?"
		}
		if moment.event == agent.SessionStart && i > 0 {
			continue
		}
		name := "hook " + string(moment.event)
		c := f.call(t, encodedJSON(t, said), "hook", "claude-code", string(moment.event))
		if was := all[name]; was.reads > c.reads {
			c.reads, c.bytes = was.reads, was.bytes
		}
		all[name] = c
	}
	all["ls"] = f.call(t, nil, "ls", "--kind", "all")
	return all
}

// fewOfRecord is how many events a record has that is one of many: fewer than those from which on some are
// left out.
const fewOfRecord = 4

// flood plants events about the note, half of them canonical, and texts that are no records.
func (f *flooded) flood(t *testing.T, events, invalid int) {
	t.Helper()
	var p planting
	words := []string{"confirm", "contradict", "retract", "restore", "close", "reopen", "digest", "link"}
	for i := range events {
		p.event(t, i, words[i%len(words)], f.note, i%2 == 0)
	}
	for i := range invalid {
		kind := cmp.Or(map[int]string{0: "packets", 1: "notes"}[i%3], "skips")
		id := ulidAt(floodBegan.Add(-time.Duration(i)*time.Millisecond), i)
		p.plant(kind, id, fmt.Appendf(nil, `{"id":%q,"goal":"no time %d","next_step":"none"}`, id, i))
	}
	f.deliver(t, p)
}

// floodWide plants notes about the same as the one here, and so few events about each that every one of them
// counts.
func (f *flooded) floodWide(t *testing.T, events int) {
	t.Helper()
	var p planting
	words := []string{"confirm", "retract", "restore", "contradict"}
	for i := range events {
		note := ulidAt(floodBegan.Add(-time.Duration(i/fewOfRecord)*time.Millisecond), i/fewOfRecord)
		if i%fewOfRecord == 0 {
			p.record(t, "notes", note, map[string]any{
				"type": "note", "id": note, "created_at": floodBegan.Format(time.RFC3339), "kind": "pitfall",
				"text":       "the tests use port " + strconv.Itoa(i),
				"provenance": map[string]any{"author_human": "Mallory"},
			}, true)
		}
		p.event(t, i, words[i%len(words)], note, true)
	}
	f.deliver(t, p)
}

// floodBegan is when the first of what is planted says that it was made.
var floodBegan = time.Now().Add(-time.Hour).UTC()

// names is how many bytes the files have in which the names of refs stand, and those of what remotes hold.
func (f *flooded) names(t *testing.T) (size int) {
	t.Helper()
	for _, pattern := range []string{"packed-refs", "ltm/holds-*", "ltm/waiting"} {
		found, err := filepath.Glob(filepath.Join(f.dir, ".git", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			size += int(info.Size())
		}
	}
	return size
}

// planting is what somebody plants in a remote: the objects and the refs in the form that git reads.
type planting struct {
	objects, refs bytes.Buffer
	count         int
}

func (p *planting) plant(kind, id string, data []byte) {
	p.count++
	fmt.Fprintf(&p.objects, "blob\nmark :%d\ndata %d\n%s\n", p.count, len(data), data)
	fmt.Fprintf(&p.refs, "create refs/ltm/%s/%s :%d\n", kind, id, p.count)
}

// record plants a record, in its canonical form or in another one.
func (p *planting) record(t *testing.T, kind, id string, text map[string]any, canonical bool) {
	t.Helper()
	data := encodedJSON(t, text)
	if canonical {
		parsed, err := packet.Parse(data, packet.Stored)
		if err != nil {
			t.Fatal(err)
		}
		data = parsed.Encode()
	}
	p.plant(kind, id, data)
}

func (p *planting) event(t *testing.T, i int, word, target string, canonical bool) {
	t.Helper()
	id := ulidAt(floodBegan.Add(time.Duration(i)*time.Millisecond), i)
	event := map[string]any{
		"type": "event", "id": id, "created_at": floodBegan.Format(time.RFC3339), "event": word,
		"targets": []string{target}, "why": "because " + strconv.Itoa(i),
	}
	if word == "digest" || word == "link" {
		event["value"], event["by"] = "short", []string{ulidAt(floodBegan, i)}
	}
	p.record(t, "events", id, event, canonical)
}

// deliver gives the remote what was planted.
func (f *flooded) deliver(t *testing.T, p planting) {
	t.Helper()
	marks := filepath.Join(filepath.Dir(f.dir), "marks")
	f.feedGit(t, p.objects.Bytes(), "fast-import", "--quiet", "--export-marks="+marks)
	data, err := os.ReadFile(marks)
	if err != nil {
		t.Fatal(err)
	}
	oids := map[string]string{}
	for line := range strings.Lines(string(data)) {
		mark, oid, _ := strings.Cut(strings.TrimSpace(line), " ")
		oids[mark] = oid
	}
	var ready bytes.Buffer
	for line := range strings.Lines(p.refs.String()) {
		at := strings.LastIndex(line, " ")
		ready.WriteString(line[:at+1] + oids[strings.TrimSpace(line[at:])] + "\n")
	}
	f.feedGit(t, ready.Bytes(), "update-ref", "--stdin")
	f.git(t, f.remote, "pack-refs", "--all")
}

// feedGit runs git on the remote with an input.
func (f *flooded) feedGit(t *testing.T, input []byte, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = f.remote, f.vars, bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}
