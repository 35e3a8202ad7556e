package distill

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// The bounds of what is told beside the packet, in characters.
const (
	mostLast    = 1500
	mostSummary = 2400
	mostTold    = 800 // of one prompt or output, to a model
	mostPrompts = 8
	mostRan     = 30
)

// summary is how the session ended: the commits that it made, the last words of the agent, and the client's own summary.
func summary(s transcript.Session, x Extra) string {
	var parts []string
	var commits []string
	for _, c := range s.Commits[max(0, len(s.Commits)-mostItemsKept):] {
		commits = append(commits, strings.TrimSpace(line(c.ID, 40)+" "+line(c.Subject, 120)))
	}
	if len(commits) > 0 {
		parts = append(parts, "Commits: "+strings.Join(commits, "; "))
	}
	for _, part := range []string{short(s.Last, mostLast), short(cmp.Or(x.Summary, s.Summary), mostSummary)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}

// short returns a text with its lines, cut to a number of characters.
func short(text string, most int) string {
	text = clean.Text(withoutBlocks(text))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// The JSON shape of what a model is told.
type (
	told struct {
		Prompts  []string `json:"prompts,omitempty"`
		Commands []ran    `json:"commands,omitempty"`
		Todos    []todo   `json:"todos,omitempty"`
		Summary  string   `json:"summary,omitempty"`
		Draft    document `json:"draft"`
	}
	ran struct {
		Command string `json:"command"`
		Failed  bool   `json:"failed,omitempty"`
		Exit    int    `json:"exit,omitempty"`
		Output  string `json:"output,omitempty"`
	}
	todo struct {
		Text   string `json:"text"`
		Status string `json:"status"`
	}
)

// facts returns what a model is told: the draft as it stands and what it was taken from, bounded.
func facts(s transcript.Session, x Extra, d document) []byte {
	t := told{Draft: d, Summary: summary(s, x)}
	prompts := s.Prompts
	if len(prompts) > mostPrompts {
		prompts = append(prompts[:1:1], prompts[len(prompts)-mostPrompts+1:]...)
	}
	for _, p := range prompts {
		if text := short(p.Text, mostTold); text != "" && !isMachine(strings.TrimSpace(p.Text)) {
			t.Prompts = append(t.Prompts, text)
		}
	}
	for _, c := range s.Commands[max(0, len(s.Commands)-mostRan):] {
		r := ran{Command: line(plain(c.Text), mostCommand), Failed: c.Failed, Exit: c.Exit}
		if c.Failed {
			r.Output = short(c.Output, mostTold)
		}
		t.Commands = append(t.Commands, r)
	}
	for _, step := range s.Todos[:min(len(s.Todos), mostRan)] {
		t.Todos = append(t.Todos, todo{line(step.Text, mostNext), string(step.Status)})
	}
	data, err := json.Marshal(t)
	if err != nil {
		return nil // It holds nothing but texts.
	}
	return data
}
