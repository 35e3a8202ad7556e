package transcript

import (
	"strings"

	"github.com/tidwall/gjson"
)

// callKind says what a tool does, whatever the client calls it.
type callKind int

const (
	otherCall callKind = iota
	shellCall
	writeCall
	readCall
	todoCall
	taskCreateCall
	taskUpdateCall
	planCall
	askCall
	tableCall
)

// kindOf is the kind of a tool under the name that any client gives it.
func kindOf(tool string) callKind {
	switch strings.ToLower(tool) {
	case "bash", "shell", "shell_command", "exec_command", "local_shell", "container.exec", "run_shell_command", "powershell":
		return shellCall
	case "edit", "write", "multiedit", "notebookedit", "apply_patch", "create", "str_replace_editor", "write_file", "replace", "patch":
		return writeCall
	case "read", "read_file", "view", "view_image", "read_many_files", "glob", "grep", "list", "ls", "notebookread", "write_stdin":
		return readCall
	case "todowrite", "todo_write", "write_todos", "update_plan", "update_todo":
		return todoCall
	case "taskcreate":
		return taskCreateCall
	case "taskupdate":
		return taskUpdateCall
	case "sql":
		return tableCall
	case "exitplanmode", "exit_plan_mode":
		return planCall
	case "askuserquestion", "ask_user", "ask_user_question", "request_user_input", "question":
		return askCall
	default:
		return otherCall
	}
}

// call is what an agent asked of a tool.
type call struct {
	tool    string
	kind    callKind
	command string   // of a shell
	paths   []string // that it writes
	what    string   // what it is about, in a few words
	plan    string
	asked   []question
	todos   []Todo
	task    task
	tables  []tableChange // of the list that an agent keeps in a table
}

// newCall takes what is needed out of the arguments of a call.
func newCall(tool string, args gjson.Result) call {
	c := call{tool: head(tool, mostLabel), kind: kindOf(tool)}
	switch c.kind {
	case shellCall:
		c.command = shellLine(args)
		c.what, c.paths = c.command, patched(c.command)
	case writeCall:
		c.paths = written(args)
		c.what = strings.Join(c.paths, " ")
	case todoCall:
		c.todos = todos(args)
	case taskCreateCall, taskUpdateCall:
		c.task = task{
			id:     head(args.Get("taskId").String(), mostLabel),
			text:   head(Told(args.Get("subject").String()), mostLabel),
			status: head(args.Get("status").String(), mostLabel),
		}
	case planCall:
		c.plan = head(Told(first(args, "plan", "summary")), mostPlan)
		c.what = c.plan
	case askCall:
		c.asked = questions(args)
		var texts []string
		for _, q := range c.asked {
			texts = append(texts, q.text)
		}
		c.what = strings.Join(texts, "\n")
	case tableCall:
		c.what = head(first(args, "query"), mostWords)
		c.tables = tableChanges(c.what)
	case readCall, otherCall:
		c.what = first(args, "file_path", "filePath", "path", "absolute_path", "url", "query", "pattern", "description", "prompt")
	}
	c.what = head(Told(c.what), mostPlan)
	return c
}

// shellLine is the command line of a call of a shell, which some clients give as arguments of one.
func shellLine(args gjson.Result) string {
	command := args.Get("command")
	if !command.Exists() {
		command = args.Get("cmd")
	}
	if !command.IsArray() {
		return head(Told(command.String()), mostCommand)
	}
	var words []string
	for _, w := range command.Array() {
		words = append(words, w.String())
	}
	if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") {
		words = words[2:]
	}
	return head(Told(strings.Join(words, " ")), mostCommand)
}

// written are the paths that a call writes.
func written(args gjson.Result) []string {
	if args.Type == gjson.String {
		return patched(args.Str)
	}
	if patch := first(args, "input", "patch", "patchText"); patch != "" {
		return patched(patch)
	}
	if path := first(args, "file_path", "filePath", "notebook_path", "path", "absolute_path"); path != "" {
		return []string{head(Told(path), mostLabel)}
	}
	return nil
}

// patched are the paths that the headers of a patch name.
func patched(text string) []string {
	if !strings.Contains(text, "*** ") {
		return nil
	}
	var paths []string
	for line := range strings.Lines(text) {
		for _, header := range [...]string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if path, ok := strings.CutPrefix(line, header); ok && len(paths) < mostParts {
				paths = append(paths, head(Told(path), mostLabel))
			}
		}
	}
	return paths
}
