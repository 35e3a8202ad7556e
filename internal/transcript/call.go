package transcript

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/words"
)

// callKind says what a tool does, whatever the client calls it.
type callKind string

const (
	otherCall      callKind = ""
	shellCall      callKind = "shell"
	writeCall      callKind = "write"
	todoCall       callKind = "todo"
	taskCreateCall callKind = "taskCreate"
	taskUpdateCall callKind = "taskUpdate"
	planCall       callKind = "plan"
	askCall        callKind = "ask"
	tableCall      callKind = "table"
)

// kindOf is the kind of a tool under the name that any client gives it.
func kindOf(tool string) callKind {
	kind, _ := phrases.Value("kinds", strings.ToLower(tool))
	return callKind(kind)
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
	steps   []stepChange
}

// newCall takes what is needed out of the arguments of a call.
func newCall(tool string, args gjson.Result) call {
	c := call{tool: headOfText(tool, mostLabel), kind: kindOf(tool)}
	switch c.kind {
	case shellCall:
		c.command = headOfText(Told(agent.CommandOf(args)), mostCommand)
		c.what, c.paths = c.command, keptPaths(agent.PatchedFiles(c.command))
	case writeCall:
		patch := args.Str
		if patch == "" {
			patch = firstText(args, "input", "patch", "patchText")
		}
		if c.paths = keptPaths(agent.PatchedFiles(patch)); patch == "" {
			c.paths = keptPaths(agent.PathsOf(args))
		}
		c.what = strings.Join(c.paths, " ")
	case todoCall:
		c.todos = todoList(args)
	case taskCreateCall, taskUpdateCall:
		c.steps = []stepChange{{
			makes:  c.kind == taskCreateCall,
			id:     headOfText(args.Get("taskId").String(), mostLabel),
			text:   headOfText(Told(args.Get("subject").String()), mostLabel),
			status: headOfText(args.Get("status").String(), mostLabel),
		}}
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
		c.steps = tableChanges(c.what)
	case otherCall:
		c.what = firstText(args, "file_path", "filePath", "path", "absolute_path", "url", "query", "pattern",
			"description", "prompt")
	}
	c.what = headOfText(Told(c.what), mostPlan)
	return c
}

// keptPaths are paths as a session keeps them.
func keptPaths(paths []string) []string {
	for i, path := range paths {
		paths[i] = headOfText(Told(path), mostLabel)
	}
	return paths
}

// The parts of statements of SQL in which texts are told by their numbers.
//
//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	sqlText     = words.Compiled(`'(?:[^']|'')*'|--[^\n]*`)
	insertTodos = words.Compiled(`(?is)^\s*insert\s+(?:or\s+\w+\s+)?into\s+todos\s*\(([^()]*)\)\s*values(.*)`)
	sqlRow      = words.Compiled(`\(((?:[^()]|\([^()]*\))*)\)`)
	changeTodos = words.Compiled(`(?is)^\s*(?:update\s+todos\s+set\s+(.*?)|delete\s+from\s+todos)\s+where\s+` +
		`id\s*(?:=|in)\s*\(?((?:\s*'\d+'\s*,?)+)\)?\s*$`)
	sqlSet    = words.Compiled(`(\w+)\s*=\s*'(\d+)'`)
	sqlNumber = words.Compiled(`'(\d+)'`)
)

// tableChanges reads the changes of single rows of the table todos, in which Copilot CLI keeps the steps of an
// agent, in some statements of SQL. What else a statement may do it leaves alone.
func tableChanges(query string) (all []stepChange) {
	var texts []string
	query = sqlText().ReplaceAllStringFunc(query, func(found string) string {
		if found[0] == '-' {
			return ""
		}
		texts = append(texts, strings.ReplaceAll(found[1:len(found)-1], "''", "'"))
		return fmt.Sprintf("'%d'", len(texts)-1)
	})
	textsIn := func(part string) (found []string) {
		for _, m := range sqlNumber().FindAllStringSubmatch(part, -1) {
			if n, err := strconv.Atoi(m[1]); err == nil && n < len(texts) {
				found = append(found, texts[n])
			}
		}
		return found
	}
	for statement := range strings.SplitSeq(query, ";") {
		if m := insertTodos().FindStringSubmatch(statement); m != nil {
			columns := strings.Split(m[1], ",")
			for _, row := range sqlRow().FindAllStringSubmatch(m[2], mostParts) {
				change := stepChange{makes: true}
				for i, value := range strings.Split(row[1], ",") {
					if said := textsIn(value); i < len(columns) && len(said) > 0 {
						change = change.with(columns[i], said[0])
					}
				}
				all = append(all, change)
			}
		} else if m := changeTodos().FindStringSubmatch(statement); m != nil {
			change := stepChange{}
			for _, set := range sqlSet().FindAllStringSubmatch(m[1], -1) {
				for _, value := range textsIn(set[0]) {
					change = change.with(set[1], value)
				}
			}
			if m[1] == "" {
				change.status = "deleted"
			}
			for _, id := range textsIn(m[2]) {
				all = append(all, change.with("id", id))
			}
		}
	}
	return all[:min(len(all), mostParts)]
}

// with sets what a column holds.
func (t stepChange) with(column, value string) stepChange {
	value = headOfText(Told(value), mostLabel)
	switch strings.ToLower(strings.TrimSpace(column)) {
	case "id":
		t.id = value
	case "title":
		t.text = value
	case "status":
		t.status = value
	}
	return t
}

// addCommits takes down the commits that a command made, as git printed them.
func (b *builder) addCommits(command, output string) {
	if !makesCommits().MatchString(command) || b.leavesRepository(command) {
		return
	}
	if n := len(b.commits.values); n > 0 && strings.Contains(command, "--amend") &&
		strings.Contains(output, "] ") {
		last := &b.commits.values[n-1] // Another takes its place.
		last.Subject, last.Replaced = "", true
	}
	for line := range strings.Lines(output) {
		if id, subject, ok := commitLine(line); ok {
			b.addCommit(Commit{ID: id, Subject: headOfText(subject, mostLabel)})
		}
	}
}

func (b *builder) addCommit(c Commit) {
	c.N, b.changed = b.next(), true
	b.commits.putBounded(c.ID, c, mostRest)
}

// leavesRepository says whether a command line works in a repository other than that of the session, such
// as one made to try something.
func (b *builder) leavesRepository(command string) bool {
	if strings.Contains(command, "git init") {
		return true
	}
	return slices.ContainsFunc(goesTo().FindAllStringSubmatch(command, -1), func(m []string) bool {
		return b.s.Dir != "" && !isWithin(m[1], b.s.Dir) && !isWithin(b.s.Dir, m[1])
	})
}

// goesTo finds where a command line goes.
var goesTo = words.Compiled(`(?:cd |git -C )["']?(/[^\s"';&]*)`)

// isWithin says whether a directory is another one or lies below it.
func isWithin(dir, top string) bool {
	return dir == top || strings.HasPrefix(dir, strings.TrimRight(top, "/")+"/")
}

// makesCommits finds what makes commits with git, or takes them away.
var makesCommits = words.Compiled(`(?s)git.*(?:commit|cherry-pick|revert|merge|am|rebase|reset|pull)`)

// commitLine reads a line as git commit prints it: [branch 1a2b3c4] subject.
func commitLine(line string) (id, subject string, ok bool) {
	m := committed().FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], strings.TrimSpace(m[2]), true
}

var committed = words.Compiled(`^\s*\[[^\]]* ([0-9a-f]{7,64})\] (.*)`)
