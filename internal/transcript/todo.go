package transcript

import (
	"strings"

	"github.com/tidwall/gjson"
)

// todos reads the list that a call sets: of values, or of lines with boxes.
func todos(args gjson.Result) []Todo {
	var all []Todo
	for _, path := range [...]string{"todos", "plan"} {
		list := args.Get(path)
		if list.Type == gjson.String {
			return boxes(list.Str)
		}
		list.ForEach(func(_, v gjson.Result) bool {
			all = appendTodo(all, first(v, "content", "step", "description", "text", "subject"), v.Get("status").String())
			return true
		})
	}
	return all
}

// boxes reads lines such as "- [x] done".
func boxes(text string) []Todo {
	var all []Todo
	for line := range strings.Lines(text) {
		box, words, ok := strings.Cut(strings.TrimLeft(strings.TrimSpace(line), "-*+ "), "]")
		if mark, found := strings.CutPrefix(box, "["); ok && found {
			all = appendTodo(all, words, mark)
		}
	}
	return all
}

func appendTodo(all []Todo, words, status string) []Todo {
	words = head(Told(words), mostLabel)
	if s, ok := todoStatus(status); ok && words != "" && len(all) < mostParts {
		all = append(all, Todo{Text: words, Status: s})
	}
	return all
}

// todoStatus is what a client's word for a state means. A step that is given up has none.
func todoStatus(word string) (TodoStatus, bool) {
	switch strings.ToLower(word) {
	case "completed", "complete", "done", "x":
		return Completed, true
	case "in_progress", "inprogress", "active", "~", "-", "/":
		return InProgress, true
	case "cancelled", "canceled", "deleted":
		return "", false
	default:
		return Pending, true
	}
}

// task is one step that a call makes or changes.
type task struct {
	id, text, status string
}

// taskID is the id that the answer to a call that makes a task tells.
func taskID(answer string) string {
	_, rest, ok := strings.Cut(answer, "#")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if !ok || end <= 0 {
		return ""
	}
	return head(rest[:end], mostLabel)
}

// steps is the agent's own list, set as a whole or changed step by step; whichever came last counts.
type steps struct {
	whole  []Todo
	single list[Todo]
	last   callKind
}

// create adds a step, which is pending.
func (s *steps) create(t task, id string) {
	if t.text == "" || len(s.single.values) >= mostParts {
		return
	}
	s.last = taskCreateCall
	s.single.put(id, Todo{Text: t.text, Status: Pending})
	s.update(task{id: id, status: t.status})
}

// update changes a step or takes it out.
func (s *steps) update(t task) {
	i := s.single.find(t.id)
	if i < 0 {
		return
	}
	s.last = taskCreateCall
	if t.text != "" {
		s.single.values[i].Text = t.text
	}
	if t.status == "" {
		return
	}
	status, ok := todoStatus(t.status)
	if !ok {
		s.single.cut(i)
		return
	}
	s.single.values[i].Status = status
}

func (s *steps) all() []Todo {
	if s.last == taskCreateCall {
		return s.single.values
	}
	return s.whole
}
