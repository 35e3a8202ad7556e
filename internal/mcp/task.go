package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// What task does.
const (
	taskAdd    = "add"
	taskList   = "ls"
	taskSet    = "set"
	taskDone   = "done"
	taskReopen = "reopen"
)

// The category of what only this session needs, and how long that is kept.
const (
	sessionNote   = "session_note"
	sessionLength = "7d"
)

func taskTool() tool {
	fields := described(packet.Fields(packet.KindNote), []said{
		{name: "category", about: "Default active_work; session_note is private and ends after 7 days"},
		{name: "status", about: "Default active"},
		{name: "priority", about: "The greatest comes first"},
		{name: "next_action", about: "The next action"},
		{name: "why", about: "The reason"},
		{name: "topic", about: "Such as warehouse/snowflake"},
		{name: "tags", about: "Lower-case words with hyphens"},
	})
	own := []field{
		need("action", word("add a task, ls the open ones, set fields, done, reopen", taskAdd, taskList, taskSet, taskDone, taskReopen)),
		may("title", bounded("Of a new task", 2048)),
		may("ids", list("Tasks to set, done or reopen", idsMost, idField(""))),
		may("all", flag("ls: also what is done, archived or hidden")),
		expiresField(), privateField(), redactField(), dryRunField(), repoField(),
	}
	return tool{
		name: "task", title: "Tasks", does: adds, own: names(own), search: "todo: add, list, change, finish tasks",
		about:  "Keep what is to be done next, across sessions: add, ls, set, done, reopen.",
		input:  object(append(own, fields...)...),
		output: schema{is: isObject, open: true},
		run:    task,
	}
}

// The arguments of a task that are needed or that mean nothing.
var (
	errNoTitle  = errors.New("title says what is to be done")
	errNoIDs    = errors.New("ids name the tasks")
	errNoChange = errors.New("name what to change: status, priority, category or next_action")
)

func task(ctx context.Context, c *call) (answer, error) {
	action := c.args.text("action")
	if action == taskAdd {
		return c.addTask(ctx)
	}
	if action == taskList {
		all, status := c.args.flag("all"), c.args.text("status")
		q := replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteTask}, Hidden: all}
		found, err := reply.List(ctx, c.m, []replay.Query{q}, replay.Asked, 0)
		if err != nil {
			return answer{}, err
		}
		found = slices.DeleteFunc(found, func(entry replay.Shown) bool {
			switch is := reply.TaskStatus(entry); {
			case status != "":
				return is != status
			default:
				return !all && (entry.Life.Resting() || is != "active" && is != "paused")
			}
		})
		slices.SortStableFunc(found, reply.ByUrgency)
		if left := len(found) - listMost; left > 0 {
			c.notef("%d more are left out", left)
			found = found[:listMost]
		}
		return c.listed("tasks", found)
	}
	if len(c.args.texts("ids")) == 0 {
		return answer{}, badArgument("/ids", errNoIDs)
	}
	tasks, err := c.tasks(ctx, c.args.texts("ids"))
	if err != nil {
		return answer{}, err
	}
	why := c.args.text("why")
	if action == taskDone {
		return c.happen(ctx, gate.Happen{Event: "close", Targets: c.args.texts("ids"), Why: why}, "done")
	}
	if action == taskReopen {
		change, of, err := c.m.ReopenTasks(ctx, tasks, why)
		if err != nil {
			return answer{}, err
		}
		return c.changed(change, of, "reopened"), nil
	}
	return c.setTasks(ctx, tasks, why)
}

func (c *call) addTask(ctx context.Context) (answer, error) {
	if c.args.text("title") == "" {
		return answer{}, badArgument("/title", errNoTitle)
	}
	more := map[string]any{"kind": packet.NoteTask, "text": c.args.text("title")}
	for name, value := range map[string]string{"category": "active_work", "status": "active"} {
		if c.args.text(name) == "" {
			more[name] = value
		}
	}
	if c.args.text("category") == sessionNote {
		if _, said := c.args["private"]; !said && c.UserStore == "" {
			c.args["private"] = json.RawMessage("true")
		}
		if c.args.text("expires") == "" {
			c.args["expires"] = json.RawMessage(`"` + sessionLength + `"`)
		}
	}
	return c.small(ctx, packet.KindNote, more)
}

func (c *call) setTasks(ctx context.Context, tasks []replay.Entry, why string) (answer, error) {
	change := packet.Change{Category: c.args.text("category"), Status: c.args.text("status"), NextAction: c.args.text("next_action")}
	if _, said := c.args["priority"]; said {
		n := c.args.number("priority")
		change.Priority = &n
	}
	if change == (packet.Change{}) {
		return answer{}, badArgument("", errNoChange)
	}
	if err := change.Check(); err != nil {
		return answer{}, err
	}
	done, of, err := c.m.SetTasks(ctx, tasks, change, why)
	if err != nil {
		return answer{}, err
	}
	return c.changed(done, of, "changed"), nil
}
