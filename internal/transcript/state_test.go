package transcript_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

const spoke = `{"type":"assistant","message":{"content":[{"type":"text","text":"done"}]}}` + "\n"

// TestRead_samePrompt holds that a prompt counts once for each time that it was typed.
func TestRead_samePrompt(t *testing.T) {
	t.Parallel()
	again := typed(t, "go on")
	got := prompts(t, again+again+spoke+again+typed(t, "other")+again)
	if diff := cmp.Diff([]string{"go on", "go on", "other", "go on"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRead_todos holds that the list counts that was changed last.
func TestRead_todos(t *testing.T) {
	t.Parallel()
	whole := ran("1", "TodoWrite", `{"todos":[{"content":"whole","status":"completed"}]}`, false, "ok")
	single := ran("2", "TaskCreate", `{"subject":"single"}`, false, "Task #7 created successfully: single")
	refused := ran("3", "TodoWrite", `{"todos":[{"content":"refused","status":"completed"}]}`, true,
		"No such tool available: TodoWrite")
	done := ran("4", "TaskUpdate", `{"taskId":"7","status":"completed"}`, false, "ok")
	for name, test := range map[string]struct{ text, want string }{
		"whole list last":  {single + whole, "completed whole"},
		"single step last": {whole + single, "pending single"},
		"refused":          {whole + refused, "completed whole"},
		"changed":          {single + whole + done, "completed single"},
		"no answer":        {whole + strings.SplitAfter(single, "\n")[0], "completed whole"},
		"emptied":          {whole + ran("5", "TodoWrite", `{"todos":[]}`, false, "ok"), ""},
	} {
		var got []string
		for _, todo := range read(t, []byte(test.text), transcript.ClaudeCode).Todos {
			got = append(got, string(todo.Status)+" "+todo.Text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestRead_table shows what is read of statements that change the table of steps.
func TestRead_table(t *testing.T) {
	t.Parallel()
	const two = "insert or replace into todos(id,title,status) " +
		"values('a','One','in_progress'),('b','Two','blocked');"
	for query, want := range map[string]string{
		two: "in_progress One|pending Two",
		two + "UPDATE todos SET status='done' WHERE id IN ('a','b')":                                  "completed One|completed Two",
		two + "UPDATE todos SET title = 'It''s one', status = 'done' WHERE id = 'a'":                  "completed It's one|pending Two",
		two + "DELETE FROM todos WHERE id = 'a'":                                                      "pending Two",
		two + "UPDATE todos SET status='done' WHERE id='a' OR 1=1":                                    "in_progress One|pending Two",
		two + "UPDATE todos SET status='done'":                                                        "in_progress One|pending Two",
		two + "INSERT INTO todos (title, id) SELECT title, id FROM other":                             "in_progress One|pending Two",
		two + "INSERT INTO other (id, title) VALUES ('c', 'Three')":                                   "in_progress One|pending Two",
		"INSERT INTO todos (title, id) VALUES ('Title; with (all) ''kinds'', of -- signs', 'c') -- x": "pending Title; with (all) 'kinds', of -- signs",
		"INSERT INTO todos (id, title) VALUES ('c', upper('x')), ('d', 'Four'":                        "pending x",
		"INSERT INTO todos": "",
		"INSERT INTO todos (id, title) VALUES ('c', 'never closed": "",
		"UPDATE todos SET": "",
		"'":                "",
	} {
		text := fmt.Sprintf(
			`{"type":"tool.execution_start","data":{"toolCallId":"1","toolName":"sql","arguments":{"query":%q}}}`+"\n", query) +
			`{"type":"tool.execution_complete","data":{"toolCallId":"1","success":true,"result":{"content":"ok"}}}`
		var got []string
		for _, todo := range read(t, []byte(text), transcript.Copilot).Todos {
			got = append(got, string(todo.Status)+" "+todo.Text)
		}
		if diff := cmp.Diff(want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestRead_edited(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i, path := range []string{"a", "b", "a"} {
		all.WriteString(ran(strconv.Itoa(i), "Write", `{"file_path":"`+path+`"}`, false, "written"))
	}
	all.WriteString(ran("9", "Write", `{"file_path":"c"}`, true, "disk full"))
	if diff := cmp.Diff([]string{"b", "a"},
		read(t, []byte(all.String()), transcript.ClaudeCode).Edited); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRead_commits shows which output tells of a commit.
func TestRead_commits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, output, want string }{
		{
			"git commit -m x", "[main 1a2b3c4] Subject with [brackets] in it",
			"1a2b3c4 Subject with [brackets] in it",
		},
		{"git commit -m x", "[main (root-commit) 1a2b3c4] First", "1a2b3c4 First"},
		{"git commit -m x", "[detached HEAD 1a2b3c4d5e] Away", "1a2b3c4d5e Away"},
		{
			"git cherry-pick y", "hook says hi\n[main 1a2b3c4] One\n 1 file\n[main 2a2b3c4] Two\n",
			"1a2b3c4 One|2a2b3c4 Two",
		},
		{"cat log.txt", "[main 1a2b3c4] Subject", ""},
		{"git commit -m x", "[INFO 2026-09-14] nothing", ""},
		{"git commit -m x", "[main 1a2b3] too short", ""},
	} {
		var got []string
		for _, c := range read(t,
			[]byte(ran("1", "Bash", fmt.Sprintf(`{"command":%q}`, test.command), false, test.output)),
			transcript.ClaudeCode).Commits {
			got = append(got, c.ID+" "+c.Subject)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.output, diff)
		}
	}
}

// TestRead_replacedCommits: an amend takes the place of the commit before it. What a rebase or a reset did, the
// history says, which whoever keeps a session asks.
func TestRead_replacedCommits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ command, output, want string }{
		{"git commit --amend --no-edit", "[main 2a2b3c4] One", "-1a2b3c4 |2a2b3c4 One"},
		{"git commit --amend", "error: nothing to amend", "1a2b3c4 One"},
		{"git reset --soft HEAD~1 && git commit -m One", "[main 2a2b3c4] One", "1a2b3c4 One|2a2b3c4 One"},
	} {
		var got []string
		for _, c := range read(t, []byte(ran("1", "Bash", `{"command":"git commit -m One"}`, false, "[main 1a2b3c4] One")+
			ran("2", "Bash", fmt.Sprintf(`{"command":%q}`, test.command), false, test.output)), transcript.ClaudeCode).Commits {
			mark := ""
			if c.Replaced {
				mark = "-"
			}
			got = append(got, mark+c.ID+" "+c.Subject)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.command, diff)
		}
	}
}

// TestRead_deep holds that a record that is too deep is none, and that what follows is read.
func TestRead_deep(t *testing.T) {
	t.Parallel()
	deep := strings.Replace(typed(t, "deep"), `"type"`,
		`"x":`+strings.Repeat("[", 1_000_000)+strings.Repeat("]", 1_000_000)+`,"type"`, 1)
	if diff := cmp.Diff([]string{"after"}, prompts(t, deep+typed(t, "after"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRead_repeated holds that the last record under an id counts, whatever the earlier ones told.
func TestRead_repeated(t *testing.T) {
	t.Parallel()
	record := func(tool, status, answer string) string {
		result := fmt.Sprintf(`,"result":[{"functionResponse":{"response":%s}}],"status":%q`, answer, status)
		if status == "executing" {
			result = ""
		}
		return fmt.Sprintf(`{"id":"m","type":"gemini","content":"","toolCalls":[{"id":"c","name":%q,"args":{"command":"make","url":"u"}%s}]}`+"\n", tool, result)
	}
	failed := record("run_shell_command", "success", `{"output":"Output: no\nExit Code: 2"}`)
	passed := record("run_shell_command", "success", `{"output":"Output: yes"}`)
	denied := record("run_shell_command", "cancelled",
		`{"error":"[Operation Cancelled] Reason: User did not allow tool call"}`)
	for name, test := range map[string]struct{ text, want string }{
		"failed, then not": {failed + passed, "commands 1 failed 0 decisions 0"},
		"not, then failed": {passed + failed, "commands 1 failed 1 decisions 0"},
		"ran, then denied": {failed + denied, "commands 0 failed 0 decisions 1"},
		"denied, then ran": {denied + failed, "commands 1 failed 1 decisions 0"},
		"has not ended": {
			record("run_shell_command", "executing", ""),
			"commands 0 failed 0 decisions 0",
		},
		"ended in the end": {
			record("run_shell_command", "executing", "") + failed,
			"commands 1 failed 1 decisions 0",
		},
		"in a list of all": {
			failed + `{"$set":{"messages":[` + strings.TrimSpace(passed) + `]}}`,
			"commands 1 failed 0 decisions 0",
		},
		"patch of something": {
			failed + `{"$set":{"lastUpdated":"2026-09-14T08:00:00Z"}}`,
			"commands 1 failed 1 decisions 0",
		},
	} {
		s := read(t, []byte(test.text), transcript.Gemini)
		n := 0
		for _, c := range s.Commands {
			if c.Failed {
				n++
			}
		}
		got := fmt.Sprintf("commands %d failed %d decisions %d", len(s.Commands), n, len(s.Decisions))
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestRead_order holds that a session tells what came after what: a correction, work behind a summary, words
// behind work.
func TestRead_order(t *testing.T) {
	t.Parallel()
	for file, corrects := range map[string][]bool{
		"review.jsonl":      {false, true, false},
		"plan-handed.jsonl": {false, false, true},
		"plan.jsonl":        {false, true, true},
	} {
		s := read(t, readFile(t, filepath.Join("testdata", "claude", file)), transcript.ClaudeCode)
		var got []bool
		for _, p := range s.Prompts {
			got = append(got, p.Corrects)
		}
		if diff := cmp.Diff(corrects, got); diff != "" {
			t.Errorf("%s: prompts that correct (-want +got):\n%s", file, diff)
		}
		if s.LastN < s.WorkN || s.SummaryN > s.WorkN || len(s.Words) == 0 ||
			s.Words[len(s.Words)-1].N != s.LastN {
			t.Errorf("%s: last words at %d, summary at %d, work at %d, words %v", file, s.LastN, s.SummaryN,
				s.WorkN, s.Words)
		}
	}
}

// TestRead_wordsAreBounded holds that a session of any length keeps a bounded part of what its agent said,
// the last.
func TestRead_wordsAreBounded(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&all, `{"type":"assistant","message":{"content":[{"type":"text","text":"%d %s"}]}}`+"\n",
			i, strings.Repeat("x", 1000))
	}
	s, size := read(t, []byte(all.String()), transcript.ClaudeCode), 0
	for _, w := range s.Words {
		size += len(w.Text)
	}
	if size > 1<<20 || size < 1<<19 || !strings.HasPrefix(s.Words[len(s.Words)-1].Text, "2999 ") {
		t.Errorf("%d bytes of words are kept, want a mebibyte at most, the last", size)
	}
}
