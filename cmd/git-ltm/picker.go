package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// pickable is how many packets the picker offers.
const pickable = 200

// pick lets the person choose a packet. It returns false if they chose none.
func (e *env) pick(ctx context.Context, m *memory.Memory) (memory.Entry, bool, error) {
	p := picker{now: e.now(), columns: 80, rows: 24}
	for entry, err := range m.List(ctx, memory.Query{}) {
		if err != nil {
			return memory.Entry{}, false, err
		}
		shown, why := entry.Open(memory.Asked)
		if why != "" {
			continue
		}
		p.all = append(p.all, shown)
		if len(p.all) == pickable {
			break
		}
	}
	p.all = slices.DeleteFunc(reply.Wide(ctx, m, []memory.Query{{}}, memory.Asked, p.all, pickable), func(entry memory.Shown) bool {
		return entry.Withheld(memory.Asked) != ""
	})
	if len(p.all) == 0 {
		return memory.Entry{}, false, fmt.Errorf("packet to resume from: %w", memory.ErrNotFound)
	}
	p.shown = p.all
	program := tea.NewProgram(p, tea.WithContext(ctx), tea.WithInput(e.stdin), tea.WithOutput(e.stderr), tea.WithEnvironment(e.vars))
	end, err := program.Run()
	if err != nil {
		return memory.Entry{}, false, fmt.Errorf("pick a packet: %w", err)
	}
	p, ok := end.(picker)
	if ok && p.interrupted {
		return memory.Entry{}, false, context.Canceled
	}
	if !ok || !p.done {
		return memory.Entry{}, false, nil
	}
	return p.shown[p.cursor].Entry, true, nil
}

// picker is a list to choose from, narrowed by what the person types, with a
// preview of the packet at the cursor.
type picker struct {
	all, shown    []memory.Shown
	filter        string
	cursor        int
	columns, rows int
	now           time.Time
	done, quit    bool
	interrupted   bool
}

func (p picker) Init() tea.Cmd { return nil }

func (p picker) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.columns, p.rows = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return p.key(msg)
	}
	return p, nil
}

func (p picker) key(msg tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	switch msg.String() {
	case "ctrl+c":
		p.quit, p.interrupted = true, true
		return p, tea.Quit
	case "esc":
		p.quit = true
		return p, tea.Quit
	case "enter":
		if len(p.shown) == 0 {
			return p, nil
		}
		p.done = true
		return p, tea.Quit
	case "up", "ctrl+p":
		p.cursor = max(0, p.cursor-1)
	case "down", "ctrl+n":
		p.cursor = max(0, min(len(p.shown)-1, p.cursor+1))
	case "backspace":
		_, last := utf8.DecodeLastRuneInString(p.filter)
		p = p.narrow(p.filter[:len(p.filter)-last])
	default:
		if msg.Text != "" {
			p = p.narrow(p.filter + msg.Text)
		}
	}
	return p, nil
}

// narrow shows the packets that hold every word of the filter.
func (p picker) narrow(filter string) picker {
	p.filter, p.cursor, p.shown = filter, 0, nil
	words := strings.Fields(strings.ToLower(filter))
	for _, entry := range p.all {
		if matches(entry, words) {
			p.shown = append(p.shown, entry)
		}
	}
	return p
}

func matches(entry memory.Shown, words []string) bool {
	k := entry.Packet()
	text := strings.ToLower(strings.Join([]string{string(entry.ID), k.Anchor.Branch, k.Goal, k.NextStep, strings.Join(k.Tags, " ")}, " "))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

// View draws the list in the upper half and the preview in the lower.
func (p picker) View() tea.View {
	if p.done || p.quit {
		return tea.NewView("")
	}
	var out strings.Builder
	line := func(text string) { out.WriteString(clean.Truncate(text, max(20, p.columns-1)) + "\n") }
	line("Resume from: " + clean.Line(p.filter) + "_")
	height := max(3, (p.rows-6)/2)
	first := max(0, min(p.cursor-height/2, len(p.shown)-height))
	for i := first; i < min(first+height, len(p.shown)); i++ {
		mark := "  "
		if i == p.cursor {
			mark = "> "
		}
		line(mark + row(p.shown[i], p.now))
	}
	if len(p.shown) == 0 {
		line("  no packet holds these words")
	}
	line("")
	for _, text := range p.preview(height) {
		line(text)
	}
	line("enter resumes, up and down move, typing narrows, esc leaves")
	return tea.NewView(out.String())
}

func (p picker) preview(height int) []string {
	if len(p.shown) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimRight(reply.Describe(p.shown[p.cursor], p.now), "\n"), "\n")
	return lines[:min(height, len(lines))]
}
