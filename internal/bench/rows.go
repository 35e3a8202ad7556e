package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A row is one command as people or hooks call it, beside plain git.
type row struct {
	name string
	side string  // the name of the other side
	goal float64 // the most that it may cost, times the other side; 0 where none is set
	// the most that the ratio may grow from the smallest size to the largest; 0 where that is not judged
	growth float64
	mb     float64 // the most memory that it may take; 0 for what every command may
	styles []style // nil for all
	hook   bool    // the small program for hooks answers it, where there is one
	grows  bool    // what it does may grow with the memory
	fails  bool    // it may end with a code of its own
	alters bool    // it changes the memory, and is measured after what does not
	says   says
	before func(context.Context, *repo) // is not counted
	args   func(*repo) []string         // nil for the words of its name
	dir    func(*repo) string
	stdin  func(*repo) []byte
}

// says is what a row has to print.
type says int

// What rows print. Nothing that is told unasked is of strangers.
const (
	something says = iota
	nothing
	warning // something of what this clone made, and nothing of strangers
	whatever
)

// The growths of the goals.
const (
	flat    = 1.5
	shallow = 2
	none    = 1.2 // The goal is none at all; the rest is noise.
)

// The most memory in MB that a command may take, and what builds everything anew.
const (
	mostMB  = 64
	mostMBs = 128
)

// rows lists what is measured, as the page has it.
func rows() []*row {
	onlyPulled, onlyOwn := []style{pulled}, []style{own}
	silent, known := toolCall("zzqx --version"), func(r *repo) []byte { return toolCall(r.attempt)(r) }
	claude := func(event string) func(*repo) []string { return fixedArgs("hook", "claude-code", event) }
	// What every agent calls at each step, mostly answered by the small program.
	small := func(name string, goal float64, says says, host, event string, stdin func(*repo) []byte) *row {
		args := fixedArgs("hook", host, event)
		return &row{name: name, goal: goal, growth: flat, says: says, hook: true, args: args, stdin: stdin}
	}
	list := func(name string, says says, args ...string) *row {
		return &row{name: name, goal: 8, growth: shallow, says: says, args: fixedArgs(args...)}
	}
	draft := func(r *repo) []byte { return r.draftInput() }
	return []*row{
		{name: "version", side: "cobra", goal: 2.2, growth: none},
		{
			name: "version, hook program", side: "cobra", goal: 1.3, growth: none, hook: true,
			args: fixedArgs("version"),
		},
		small("hook before a tool, silent", 2.5, nothing, "claude-code", "tool", silent),
		small("hook before a tool, words of many rules", 2.5, nothing, "claude-code", "tool",
			toolCall("npm run test --watch")),
		small("hook before a tool, an edit of 40 lines", 6, whatever, "claude-code", "tool", (*repo).editCall),
		small("hook before a tool, warning", 6, warning, "claude-code", "tool", known),
		small("hook after a tool, nothing failed", 2.5, nothing, "gemini", "after-tool", silent),
		{
			name: "hook after a tool, failed", goal: 6, growth: flat, says: whatever,
			args: fixedArgs("hook", "qwen", "tool-failure"), stdin: (*repo).failedCall,
		},
		{
			name: "hook at a prompt of 200 words", goal: 8, growth: flat, says: whatever,
			args: claude("prompt"), stdin: promptInput(1300),
		},
		{
			name: "hook at a prompt with 10 KB pasted", goal: 12, growth: flat, says: whatever,
			args: claude("prompt"), stdin: promptInput(10 << 10),
		},
		{
			name: "session start", goal: 25, growth: shallow, says: something,
			args: claude("session-start"), stdin: sessionStart,
		},
		{
			name: "session start again, nothing new", goal: 15, growth: shallow, says: whatever,
			before: startSession, args: claude("session-start"), stdin: func(r *repo) []byte {
				return r.saidAgain(map[string]any{"source": "resume"})
			},
		},
		{name: "context", goal: 25, growth: shallow},
		{name: "recall", goal: 10, growth: shallow, args: (*repo).recallArgs},
		{
			name: "recall after a ref changed", goal: 10, growth: shallow, alters: true, before: saveNote,
			args: (*repo).recallArgs,
		},
		{
			name: "recall after packed-refs was rewritten", grows: true, alters: true, before: packRefs,
			args: (*repo).recallArgs,
		},
		{name: "why", goal: 10, growth: shallow, args: func(r *repo) []string { return []string{"why", r.commonFile()} }},
		{name: "why of a line", goal: 10, growth: shallow, args: func(r *repo) []string {
			return []string{"why", r.commonFile() + ":3"}
		}},
		list("status", something, "status"),
		list("stats", something, "stats"),
		list("ls", something, "ls", "--limit", "20"),
		list("ls --kind pitfall", whatever, "ls", "--limit", "20", "--kind", "pitfall"),
		list("ls --tag nosuch", nothing, "ls", "--tag", "nosuch"),
		list("ls --topic nosuch", nothing, "ls", "--kind", "all", "--topic", "nosuch"),
		list("ls --branch nosuch", nothing, "ls", "--branch", "nosuch"),
		list("ls --author nosuch", nothing, "ls", "--author", "nosuch"),
		list("ls --since 3d", something, "ls", "--limit", "20", "--since", "3d"),
		list("log --limit 10", something, "log", "--limit", "10"),
		{
			name: "save", side: "save", goal: 3, growth: flat, alters: true, args: fixedArgs("save", "-"),
			stdin: draft,
		},
		{name: "note", side: "save", goal: 3, growth: flat, alters: true, args: func(r *repo) []string {
			return []string{"note", "--kind", "pitfall", r.words.makeText(100)}
		}},
		{name: "skip", side: "save", goal: 3, growth: flat, alters: true, args: (*repo).skipArgs},
		{name: "task", side: "save", goal: 3, growth: flat, alters: true, args: func(r *repo) []string {
			return []string{"task", "add", r.words.makeText(60), "--next", r.words.makeText(40)}
		}},
		{name: "confirm", side: "save", alters: true, args: func(r *repo) []string {
			return []string{"edit", r.nextPacket(), "--confirm"}
		}},
		{name: "rm", side: "save", alters: true, args: func(r *repo) []string {
			return []string{"rm", r.nextPacket()}
		}},
		{name: "resume", goal: 7, growth: flat},
		{name: "show", goal: 7, growth: flat, args: func(r *repo) []string {
			return []string{"show", string(r.middlePacket())}
		}},
		{name: "skip check", args: func(r *repo) []string {
			return []string{"skip", "check", "--command", r.attempt}
		}},
		{name: "skip ls"},
		{name: "task ls", says: whatever},
		{name: "verify of one", args: func(r *repo) []string {
			return []string{"verify", string(r.middlePacket())}
		}},
		{name: "doctor", fails: true, says: whatever},
		{
			name: "hook pre-push, nothing to do", goal: 4, growth: none, says: nothing, stdin: pushInput,
			args: func(r *repo) []string { return []string{"hook", "pre-push", "origin", "file://" + r.remote} },
		},
		{
			name: "hook pre-receive, nothing to do", goal: 4, growth: none, says: nothing,
			dir: func(r *repo) string {
				return r.remote
			}, args: fixedArgs("hook", "pre-receive"), stdin: receiveInput,
		},
		{
			name: "hook at the end of a session", says: nothing, alters: true,
			args: claude("session-end"), stdin: sessionStart,
		},
		{
			name: "first build of the view", grows: true, side: "read all", goal: 5, mb: mostMBs,
			before: forgetView, args: (*repo).recallArgs, styles: []style{own, strangers},
		},
		{
			name: "first build after a plain fetch", grows: true, side: "read all", goal: 8, mb: mostMBs,
			before: fetchPlainly, dir: inFresh, args: (*repo).recallArgs, styles: onlyPulled,
		},
		{
			name: "check", grows: true, side: "read all", goal: 5, mb: -1, args: fixedArgs("check", "--quiet"),
			says: nothing,
		},
		{name: "export", grows: true, side: "read all", mb: -1},
		{
			name: "first pull", grows: true, side: "fetch", goal: 3, mb: mostMBs, styles: onlyPulled,
			says: whatever, before: freshClone, dir: inFresh, args: fixedArgs("pull"),
		},
		{
			name: "sync, nothing new", grows: true, side: "ls-remote", goal: 2, styles: onlyPulled,
			says: whatever, before: syncRemote, args: fixedArgs("sync"),
		},
		{
			name: "sync of one", grows: true, side: "ls-remote", goal: 4, styles: onlyPulled, alters: true,
			says: whatever, before: saveAlone, args: fixedArgs("sync"),
		},
		{name: "purge of one", alters: true, says: whatever, styles: onlyOwn, args: func(r *repo) []string {
			return []string{"purge", "--yes", "--local", r.nextPacket()}
		}},
	}
}

// inOrder is the order in which rows are measured.
func inOrder(all []*row) []*row {
	changes := func(w *row) bool { return w.alters }
	return append(slices.DeleteFunc(slices.Clone(all), changes),
		slices.DeleteFunc(slices.Clone(all), func(w *row) bool { return !changes(w) })...)
}

// fitsStyle tells whether a row is measured in a style.
func (w *row) fitsStyle(s style) bool { return w.styles == nil || slices.Contains(w.styles, s) }

// goalSize is the number of records for which goals are.
const goalSize = 10_000

// fitsAt tells the same of a size. What reads all records takes minutes beyond the size of the goals, so that
// it is measured there in one style, and only where a goal is set.
func (w *row) fitsAt(s style, size int) bool {
	if size <= goalSize || !w.grows {
		return w.fitsStyle(s)
	}
	return w.goal > 0 && s == append(w.styles, own)[0]
}

// nextCall prepares the next run of a row.
func (w *row) nextCall(ctx context.Context, r *repo) call {
	if w.before != nil {
		within("before", func() { w.before(ctx, r) })
	}
	c := call{file: r.tools.ltm, args: strings.Fields(w.name), env: []string{"NO_COLOR=1"}, fails: w.fails}
	if w.args != nil {
		c.args = w.args(r)
	}
	if w.hook {
		c.file = r.tools.hook
	}
	if w.stdin != nil {
		c.stdin = w.stdin(r)
	}
	if w.dir != nil {
		c.dir = w.dir(r)
	}
	return c
}

// checkOutput ends the run where a row did not print what it should: what does nothing is fast.
func (w *row) checkOutput(r *repo, out string) {
	want := w.says
	if want == warning {
		want = nothing
		if r.style == own {
			want = something
		}
	}
	if want == nothing && out != "" || want == something && out == "" {
		panic(failure{fmt.Errorf("printed %q", out[:min(len(out), 200)])})
	}
}

// runBeside runs the other side once.
func (w *row) runBeside(ctx context.Context, r *repo) sample {
	git := func(dir, stdin string, args ...string) sample {
		return r.measureCall(ctx, call{file: "git", dir: dir, stdin: []byte(stdin), args: args})
	}
	switch w.side {
	case "cobra":
		return r.measureCall(ctx, call{file: r.tools.empty})
	case "save":
		// Stores a record as durably as git-ltm does, by two commands.
		hash := git("", string(r.draftInput()), "-c", "core.fsync=loose-object", "hash-object", "-w", "--stdin")
		r.count++
		hash.add(git("", "", "-c", "core.fsync=reference", "update-ref", "refs/plain/"+strconv.Itoa(r.count),
			strings.TrimSpace(hash.out), strings.Repeat("0", 40)))
		return hash
	case "read all":
		// Lists all refs and reads all their objects.
		dir, below := "", "refs/ltm"
		if w.dir != nil {
			dir, below = inFresh(r), "refs/ltm-remotes"
		}
		names := git(dir, "", "for-each-ref", "--format=%(objectname)", below)
		names.add(git(dir, names.out, "cat-file", "--batch"))
		return names
	case "fetch":
		return git(r.cloneEmpty(ctx, filepath.Join(r.home, "plain")), "", "fetch", "-q", "origin", plainFetch)
	case "ls-remote":
		return git("", "", "ls-remote", "origin", "refs/ltm/*")
	default:
		return git("", "", "rev-parse", "HEAD")
	}
}

// plainFetch is what plain git brings the records by.
const plainFetch = "+refs/ltm/*:refs/ltm-remotes/origin/*"

// fixedArgs are the same for each run.
func fixedArgs(all ...string) func(*repo) []string { return func(*repo) []string { return all } }

// hookInput is what an agent says, each time of a session of its own, which is told again what another one
// was told.
func (r *repo) hookInput(members map[string]any) []byte {
	r.count++
	return r.saidAgain(members)
}

// saidAgain is said in the same session as the last.
func (r *repo) saidAgain(members map[string]any) []byte {
	members["session_id"], members["cwd"] = fmt.Sprint("bench-", r.count), r.dir
	return must(json.Marshal(members))
}

func toolCall(command string) func(*repo) []byte {
	return func(r *repo) []byte {
		return r.hookInput(map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}})
	}
}

// editCall writes forty lines of words of the memory into a file.
func (r *repo) editCall() []byte {
	var text strings.Builder
	for range 40 {
		fmt.Fprintf(&text, "\t%s := %s(%s)\n", r.words.makeText(1), r.words.makeText(1), r.words.makeText(20))
	}
	return r.hookInput(map[string]any{"tool_name": "Edit", "tool_input": map[string]any{
		"file_path": filepath.Join(r.dir, r.commonFile()), "old_string": r.words.makeText(60),
		"new_string": text.String(),
	}})
}

// failedCall is a command that is known to fail, and did again.
func (r *repo) failedCall() []byte {
	return r.hookInput(map[string]any{
		"tool_name": "Bash", "tool_input": map[string]any{"command": r.attempt},
		"error": "exit status 1: " + r.words.makeText(80),
	})
}

func promptInput(size int) func(*repo) []byte {
	return func(r *repo) []byte { return r.hookInput(map[string]any{"prompt": "Please " + r.words.makeText(size)}) }
}

func sessionStart(r *repo) []byte { return r.hookInput(map[string]any{"source": "startup"}) }

// startSession lets a session begin, which begins again then.
func startSession(ctx context.Context, r *repo) {
	r.measureCall(ctx,
		call{file: r.tools.ltm, args: []string{"hook", "claude-code", "session-start"}, stdin: sessionStart(r)})
}

// saveNote writes a note.
func saveNote(ctx context.Context, r *repo) { r.runLTM(ctx, "note", r.words.makeText(100)) }

// saveAlone writes a note that is all that the remote lacks.
func saveAlone(ctx context.Context, r *repo) {
	r.runLTM(ctx, "sync")
	saveNote(ctx, r)
}

// packRefs writes the file of packed refs anew, in which nothing of ours changed.
func packRefs(ctx context.Context, r *repo) {
	r.count++
	r.runGit(ctx, "-C", r.dir, "update-ref", "refs/plain/"+strconv.Itoa(r.count), "HEAD")
	r.runGit(ctx, "-C", r.dir, "pack-refs", "--all")
}

// forgetView removes what can be made again, and leaves what tells whose the records are.
func forgetView(_ context.Context, r *repo) {
	folder := filepath.Join(r.dir, ".git", "ltm")
	for _, entry := range must(os.ReadDir(folder)) {
		if name := entry.Name(); !strings.HasPrefix(name, "seen") && name != "spool" {
			check(os.RemoveAll(filepath.Join(folder, name)))
		}
	}
}

// inFresh is the clone that was made for one run.
func inFresh(r *repo) string { return filepath.Join(r.home, "fresh") }

func freshClone(ctx context.Context, r *repo) { r.cloneEmpty(ctx, inFresh(r)) }

// fetchPlainly makes a clone that plain git brought the records to.
func fetchPlainly(ctx context.Context, r *repo) {
	freshClone(ctx, r)
	r.runGit(ctx, "-C", inFresh(r), "fetch", "-q", "origin", plainFetch)
}

// syncRemote lets everything be exchanged, once.
func syncRemote(ctx context.Context, r *repo) {
	if !r.synced {
		r.synced = true
		r.runLTM(ctx, "sync")
	}
}

// recallArgs asks for two words of which one stands in many records.
func (r *repo) recallArgs() []string { return []string{"recall", r.words.own[4], r.words.own[120]} }

// commonFile is one that many records speak of.
func (r *repo) commonFile() string { return "src/" + r.words.own[1] + ".go" }

func (r *repo) skipArgs() []string {
	return []string{
		"skip", "add", r.words.makeText(60), "--why", r.words.makeText(60), "--until", "3d",
		"--command", r.words.makeCommand(r.count),
	}
}

// nextPacket is a packet that none of the rows has changed yet.
func (r *repo) nextPacket() string {
	r.count++
	return string(r.packets[r.count%len(r.packets)])
}

// pushInput is what git says of a push of the branch.
func pushInput(r *repo) []byte {
	return []byte("refs/heads/main " + r.commit + " refs/heads/main " + r.commit + "\n")
}

// receiveInput is what git says of it at the other end.
func receiveInput(r *repo) []byte { return []byte(r.commit + " " + r.commit + " refs/heads/main\n") }

// draftInput is a packet that nobody has saved.
func (r *repo) draftInput() []byte {
	f := filler{words: r.words}
	decision := map[string]any{"what": f.makeText(100), "why": f.makeText(300)}
	attempt := map[string]any{"tried": f.makeText(100), "outcome": "failed", "learned": f.makeText(300)}
	return f.writeRecord("", time.Time{}, map[string]any{
		"goal": f.makeText(120), "next_step": f.makeText(100), "constraints": []string{f.makeText(90)},
		"decisions": []map[string]any{decision}, "attempts": []map[string]any{attempt},
	})
}
