package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/plot"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

const (
	pickable = 200 // packets that may be picked
	offered  = 20  // of them that are shown at once
)

// pick lets the person at the terminal choose a packet, by its number in a list that words narrow. It returns
// false if they chose none.
func (e *env) pick(ctx context.Context, m *memory.Memory) (replay.Entry, bool, error) {
	var all []replay.Shown
	for entry, err := range m.List(ctx, replay.Query{}) {
		if err != nil {
			return replay.Entry{}, false, err
		}
		shown, why := entry.Open(replay.Asked)
		if why != "" {
			continue
		}
		all = append(all, shown)
		if len(all) == pickable {
			break
		}
	}
	all = slices.DeleteFunc(reply.Wide(ctx, m, []replay.Query{{}}, replay.Asked, all, pickable),
		func(entry replay.Shown) bool {
			return entry.Withheld(replay.Asked) != ""
		})
	if len(all) == 0 {
		return replay.Entry{}, false, fmt.Errorf("packet to resume from: %w", replay.ErrNotFound)
	}
	lines := e.typed(ctx)
	for shown := all; ; {
		e.offer(shown)
		var line string
		select {
		case <-ctx.Done():
			return replay.Entry{}, false, ctx.Err()
		case more, ok := <-lines:
			if line = strings.TrimSpace(more); !ok || line == "q" {
				return replay.Entry{}, false, nil
			}
		}
		if n, err := strconv.Atoi(cmp.Or(line, "1")); err == nil && n >= 1 && n <= min(len(shown), offered) {
			return shown[n-1].Entry, true, nil
		}
		words := strings.Fields(strings.ToLower(line))
		shown = slices.DeleteFunc(slices.Clone(all), func(entry replay.Shown) bool {
			return !matches(entry, words)
		})
	}
}

// typed are the lines that the person types, until they type no more. Whoever waits for one may stop waiting:
// the process is about to end.
func (e *env) typed(ctx context.Context) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(e.stdin); in.Scan(); {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// offer shows the packets that can be picked, and asks for one.
func (e *env) offer(shown []replay.Shown) {
	columns, _ := e.width(e.stderr)
	out := plot.Page{Columns: max(20, columns-6)}
	r := e.rowsOf(shown, out.Columns)
	for i, entry := range shown[:min(len(shown), offered)] {
		fmt.Fprintf(&out, "%3d  ", i+1)
		e.put(&out, r, entry)
	}
	switch more := len(shown) - offered; {
	case len(shown) == 0:
		out.WriteString("no packet holds these words\n")
	case more > 0:
		fmt.Fprintf(&out, "     and %d more\n", more)
	}
	_, _ = fmt.Fprint(e.stderr,
		out.String()+"Resume from which? A number (enter is 1), words to look for, or q: ")
}

func matches(entry replay.Shown, words []string) bool {
	k := entry.Packet()
	text := strings.ToLower(
		strings.Join([]string{
			string(entry.ID), k.Anchor.Branch, k.Goal, k.NextStep,
			strings.Join(k.Tags, " "),
		}, " "))
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}
