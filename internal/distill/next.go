package distill

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// mostTodos is how many open steps a next step lists.
const mostTodos = 6

// next says what comes next, where something says so: the agent's own list, or else its last words, or the summary.
func (n *notes) next(s transcript.Session, x Extra) {
	text, origin := openSteps(s.Todos), "todo list"
	if text == "" {
		text, origin = stated(s.Last), "last message"
	}
	if text == "" {
		text, origin = section(x.Summary, nextHeadings()...), fromSummary
	}
	if text == "" {
		text, origin = section(s.Summary, nextHeadings()...), fromSummary
	}
	if text == "" {
		return
	}
	n.doc.Next, n.origins["/next_step"] = line(text, mostNext), origin
}

func nextHeadings() []string {
	return []string{"optional next step", "next step", "next steps", "pending tasks", "remaining", "remaining work", "current work"}
}

// openSteps joins the steps that are not done, the one in progress first.
func openSteps(todos []transcript.Todo) string {
	var open []string
	for _, status := range []transcript.TodoStatus{transcript.InProgress, transcript.Pending} {
		for _, t := range todos {
			if text := line(t.Text, mostNext); t.Status == status && text != "" && len(open) < mostTodos {
				open = append(open, strings.TrimRight(text, ". "))
			}
		}
	}
	return strings.Join(open, "; then: ")
}

// stated returns the next step that the last words of an agent state: below a heading, or in a sentence that begins so.
func stated(last string) string {
	if text := section(last, "next step", "next steps", "next", "what's next", "remaining", "remaining work", "still to do", "to do", "todo", "left to do", "follow-up", "follow-ups"); text != "" {
		return text
	}
	for _, para := range paragraphs(last) {
		for _, sentence := range sentences(para) {
			if text := unmarked(sentence); saysNext(text) {
				return text
			}
		}
	}
	return ""
}

// saysNext tells a sentence that says what comes next.
func saysNext(text string) bool {
	low := strings.ToLower(text)
	for _, begin := range []string{
		"the next step is", "the next step would be", "next step is", "next up is", "next i will", "next, i will", "next i'll", "next, i'll", "next we need", "next, we need",
		"next you need", "next, you need", "still to do", "what remains is", "what's left is", "remaining work is", "it remains to", "you still need to", "we still need to",
		"i still need to", "not done yet:", "still missing:", "als nächstes",
	} {
		if strings.HasPrefix(low, begin) {
			return true
		}
	}
	return false
}
