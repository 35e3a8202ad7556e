package transcript

import (
	"regexp"
	"slices"
	"strings"
	"sync"

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
	case "bash", "shell", "shell_command", "exec_command", "local_shell", "container.exec",
		"run_shell_command", "powershell":
		return shellCall
	case "edit", "write", "multiedit", "notebookedit", "apply_patch", "create", "str_replace_editor",
		"write_file", "replace", "patch":
		return writeCall
	case "read", "read_file", "view", "view_image", "read_many_files", "glob", "grep", "list", "ls",
		"notebookread", "write_stdin":
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
	c := call{tool: headOfText(tool, mostLabel), kind: kindOf(tool)}
	switch c.kind {
	case shellCall:
		c.command = shellLine(args)
		c.what, c.paths = c.command, patchedPaths(c.command)
	case writeCall:
		c.paths = writtenPaths(args)
		c.what = strings.Join(c.paths, " ")
	case todoCall:
		c.todos = todoList(args)
	case taskCreateCall, taskUpdateCall:
		c.task = task{
			id:     headOfText(args.Get("taskId").String(), mostLabel),
			text:   headOfText(Told(args.Get("subject").String()), mostLabel),
			status: headOfText(args.Get("status").String(), mostLabel),
		}
	case planCall:
		c.plan = headOfText(Told(firstText(args, "plan", "summary")), mostPlan)
		c.what = c.plan
	case askCall:
		c.asked = askedQuestions(args)
		var texts []string
		for _, q := range c.asked {
			texts = append(texts, q.text)
		}
		c.what = strings.Join(texts, "\n")
	case tableCall:
		c.what = headOfText(firstText(args, "query"), mostWords)
		// Reads the changes of single rows in some statements of SQL. What else a statement may do it leaves
		// alone.
		var all []tableChange
		words := sqlWords(c.what)
		for len(words) > 0 {
			end := 0
			for end < len(words) && words[end] != ";" {
				end++
			}
			statement := words[:end]
			words = words[min(end+1, len(words)):]
			switch {
			case begins(statement, "insert", "into", "todos"):
				all = append(all, insertedRows(statement[3:])...)
			case begins(statement, "update", "todos", "set"):
				all = append(all, updatedRows(statement[3:])...)
			case begins(statement, "delete", "from", "todos"):
				all = append(all, rowsWhere(statement[3:], "deleted")...)
			}
		}
		c.tables = all[:min(len(all), mostParts)]
	case readCall, otherCall:
		c.what = firstText(args, "file_path", "filePath", "path", "absolute_path", "url", "query", "pattern",
			"description", "prompt")
	}
	c.what = headOfText(Told(c.what), mostPlan)
	return c
}

// shellLine is the command line of a call of a shell, which some clients give as arguments of one.
func shellLine(args gjson.Result) string {
	command := args.Get("command")
	if !command.Exists() {
		command = args.Get("cmd")
	}
	if !command.IsArray() {
		return headOfText(Told(command.String()), mostCommand)
	}
	var words []string
	for _, w := range command.Array() {
		words = append(words, w.String())
	}
	if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") {
		words = words[2:]
	}
	return headOfText(Told(strings.Join(words, " ")), mostCommand)
}

// writtenPaths are the paths that a call writes.
func writtenPaths(args gjson.Result) []string {
	if args.Type == gjson.String {
		return patchedPaths(args.Str)
	}
	if patch := firstText(args, "input", "patch", "patchText"); patch != "" {
		return patchedPaths(patch)
	}
	if path := firstText(args, "file_path", "filePath", "notebook_path", "path", "absolute_path"); path != "" {
		return []string{headOfText(Told(path), mostLabel)}
	}
	return nil
}

// patchedPaths are the paths that the headers of a patch name.
func patchedPaths(text string) []string {
	if !strings.Contains(text, "*** ") {
		return nil
	}
	var paths []string
	for line := range strings.Lines(text) {
		for _, header := range [...]string{
			"*** Add File: ", "*** Update File: ", "*** Delete File: ",
			"*** Move to: ",
		} {
			if path, ok := strings.CutPrefix(line, header); ok && len(paths) < mostParts {
				paths = append(paths, headOfText(Told(path), mostLabel))
			}
		}
	}
	return paths
}

// tableChange is a change of one row of the table todos, in which Copilot CLI keeps the steps of an agent.
type tableChange struct {
	makes bool
	task  task
}

// apply makes the changes in the list of steps.
func (s *steps) apply(changes []tableChange) {
	for _, c := range changes {
		if c.makes {
			s.createStep(c.task, c.task.id)
		} else {
			s.updateStep(c.task)
		}
	}
}

// sqlWord finds a comment, a text in quotes, in which a quote is doubled, a name, or a sign of a statement.
var sqlWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`--[^\n]*|'(?:[^']|'')*'?|[A-Za-z_:-]+|\S`)
})

// sqlWords are the words of statements: names in small letters, texts with a quote before them, and signs.
func sqlWords(query string) []string {
	var all []string
	for _, word := range sqlWord().FindAllString(query, -1) {
		switch low := strings.ToLower(word); {
		case strings.HasPrefix(word, "--"), low == "or", low == "ignore", low == "replace":
		case word[0] == '\'':
			all = append(all, "'"+strings.ReplaceAll(strings.TrimSuffix(word[1:], "'"), "''", "'"))
		default:
			all = append(all, low)
		}
	}
	return all
}

func begins(words []string, with ...string) bool {
	for i, w := range with {
		if i >= len(words) || words[i] != w {
			return false
		}
	}
	return true
}

// insertedRows reads what follows INSERT INTO todos: the names of columns, VALUES, and rows.
func insertedRows(words []string) []tableChange {
	columns, words := sqlRow(words)
	if !begins(words, "values") {
		return nil
	}
	var all []tableChange
	for words = words[1:]; len(words) > 0 && len(all) < mostParts; {
		var row []string
		if row, words = sqlRow(words); row == nil {
			break
		}
		words = trimComma(words)
		change := tableChange{makes: true}
		for i, value := range row {
			if i < len(columns) {
				change.task = change.task.with(columns[i], value)
			}
		}
		all = append(all, change)
	}
	return all
}

func trimComma(words []string) []string {
	if begins(words, ",") {
		return words[1:]
	}
	return words
}

// sqlRow reads values in parentheses, each of which is one word; others are empty.
func sqlRow(words []string) (row, rest []string) {
	if !begins(words, "(") {
		return nil, words
	}
	value, depth := "", 0
	for i, w := range words[1:] {
		switch {
		case depth == 0 && (w == "," || w == ")"):
			row, value = append(row, value), ""
			if w == ")" {
				return row, words[i+2:]
			}
		case w == "(":
			depth++
		case w == ")":
			depth--
		default:
			value = w
		}
	}
	return nil, nil
}

// with sets what a column holds.
func (t task) with(column, value string) task {
	value = headOfText(Told(strings.TrimPrefix(value, "'")), mostLabel)
	switch column {
	case "id":
		t.id = value
	case "title":
		t.text = value
	case "status":
		t.status = value
	}
	return t
}

// updatedRows reads what follows UPDATE todos SET: assignments and the rows.
func updatedRows(words []string) []tableChange {
	var change task
	for i := 0; i+2 < len(words) && words[i] != "where"; i++ {
		if words[i+1] == "=" && strings.HasPrefix(words[i+2], "'") {
			change = change.with(words[i], words[i+2])
		}
	}
	all := rowsWhere(words, change.status)
	for i := range all {
		all[i].task.text = change.text
	}
	return all
}

// rowsWhere reads which rows are meant by their ids, and gives them a state.
func rowsWhere(words []string, status string) []tableChange {
	for len(words) > 0 && words[0] != "where" {
		words = words[1:]
	}
	var ids []string
	switch {
	case begins(words, "where", "id", "=") && len(words) == 4:
		ids = words[3:]
	case begins(words, "where", "id", "in"):
		ids, _ = sqlRow(words[3:])
	}
	var all []tableChange
	for _, id := range ids {
		all = append(all, tableChange{task: task{status: status}.with("id", id)})
	}
	return all
}

// addCommits takes down the commits that a command made, as git printed them or as the client noticed them.
func (b *builder) addCommits(command, output, noticed string) {
	if !makesCommits(command) || b.leavesRepository(command) {
		return
	}
	found := 0
	for line := range strings.Lines(output) {
		if id, subject, ok := commitLine(line); ok {
			found++
			b.addCommit(Commit{ID: id, Subject: headOfText(subject, mostLabel)})
		}
	}
	if found == 0 && isObjectName(noticed) {
		b.addCommit(Commit{ID: headOfText(noticed, mostLabel)})
	}
}

func (b *builder) addCommit(c Commit) {
	c.N = b.next()
	b.commits.put(c.ID, c)
	if len(b.commits.values) > mostRest {
		b.commits.cut(0)
	}
}

// leavesRepository says whether a command line works in a repository other than that of the session, such
// as one made to try something.
func (b *builder) leavesRepository(command string) bool {
	if strings.Contains(command, "git init") {
		return true
	}
	for _, step := range [...]string{"cd ", "git -C "} {
		_, rest, _ := strings.Cut(command, step)
		dir, _, _ := strings.Cut(rest, " ")
		if dir = strings.Trim(dir, `"';&`); strings.HasPrefix(dir, "/") && b.s.Dir != "" &&
			!isWithin(dir, b.s.Dir) && !isWithin(b.s.Dir, dir) {
			return true
		}
	}
	return false
}

// isWithin says whether a directory is another one or lies below it.
func isWithin(dir, top string) bool {
	return dir == top || strings.HasPrefix(dir, strings.TrimRight(top, "/")+"/")
}

// makesCommits says whether a command line may make a commit with git.
func makesCommits(command string) bool {
	if !strings.Contains(command, "git") {
		return false
	}
	return slices.ContainsFunc([]string{
		"commit", "cherry-pick", "revert", "merge", "am", "rebase",
	}, func(verb string) bool { return strings.Contains(command, verb) })
}

// commitLine reads a line as git commit prints it: [branch 1a2b3c4] subject.
func commitLine(line string) (id, subject string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "[")
	if !ok {
		return "", "", false
	}
	place, subject, ok := strings.Cut(rest, "] ")
	words := strings.Fields(place)
	if !ok || len(words) < 2 || !isObjectName(words[len(words)-1]) {
		return "", "", false
	}
	return headOfText(words[len(words)-1], mostLabel), strings.TrimSpace(subject), true
}

// isObjectName says whether a word is the name of an object of git, which may be abbreviated.
func isObjectName(word string) bool {
	if len(word) < 7 || len(word) > 64 {
		return false
	}
	return strings.IndexFunc(word, func(r rune) bool {
		return !strings.ContainsRune("0123456789abcdef", r)
	}) < 0
}
