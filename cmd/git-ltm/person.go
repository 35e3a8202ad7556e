package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/plot"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// agentFlag adds the flag with which a person sees what agents are shown.
func (e *env) agentFlag(f *pflag.FlagSet) {
	f.BoolVar(&e.asAgent, "agent", false, "print it on a terminal, too, as agents and pipes get it")
}

// forPerson reports whether a person reads standard output: at a terminal, and not an agent in its own.
func (e *env) forPerson() bool { return e.terminal(e.stdout) && !e.asAgent && !e.forAgent() }

// sheet is an empty page as wide as the terminal, with colours unless the person turned them off.
func (e *env) sheet(ctx context.Context, m *memory.Memory) *plot.Page {
	columns, _ := e.width(e.stdout)
	p := &plot.Page{Columns: columns}
	plain, _ := e.getenv("NO_COLOR")
	if name, _ := e.getenv("TERM"); plain != "" || name == "" || name == "dumb" {
		return p
	}
	config, err := m.Config(ctx)
	choice, _ := config.Get("color.ui")
	p.Colored = err == nil &&
		!slices.Contains([]string{"false", "never", "no", "off", "0"}, strings.ToLower(choice))
	return p
}

// showPage prints a page, in git's pager where the terminal has fewer rows.
func (e *env) showPage(ctx context.Context, p *plot.Page) error {
	if file, ok := e.stdout.(*os.File); ok {
		if _, rows, err := term.GetSize(int(file.Fd())); err == nil &&
			strings.Count(p.String(), "\n") >= rows {
			return git.Page(ctx, e.dir, e.vars, git.Streams{Out: e.stdout, Err: e.stderr}, p.String())
		}
	}
	_, err := e.stdout.Write([]byte(p.String()))
	return err
}

// rows are columns of a list on a terminal: the id, what the record says, where it was made, and when.
type rows struct {
	digits, places, ages int
}

// rowsOf fits the columns to some records.
func (e *env) rowsOf(found []replay.Shown, columns int) rows {
	r := rows{digits: idLength(found)}
	for _, entry := range found {
		r.places = min(max(r.places, clean.Width(e.placeOf(entry))), 16)
		r.ages = max(r.ages, len(briefing.Age(entry.CreatedAt(), e.now())))
	}
	if columns < 70 { // What it says comes first.
		r.places = 0
	}
	return r
}

// placeOf is the branch of a record, or the end of a skip: that says more.
func (e *env) placeOf(entry replay.Shown) string {
	if entry.Kind() == packet.KindSkip {
		return "until " + entry.ExpiresAt().In(e.now().Location()).Format("2006-01-02")
	}
	return clean.Line(reply.GistOf(entry).Anchor.Branch)
}

// put writes a record as a row. The end of an id tells records apart; its start is the time.
func (e *env) put(p *plot.Page, r rows, entry replay.Shown) {
	words := marks(entry, e.now())
	if entry.Kind() == packet.KindSkip && r.places > 0 {
		words = words[:len(words)-1]
	}
	if !entry.Trusted() {
		words = append(words, "not trusted")
	}
	text := marked(reply.GistOf(entry).Line(), words...)
	room := p.Columns - r.digits - 2 - r.ages - 2
	if r.places > 0 {
		room -= r.places + 2
	}
	line := p.Styled(plot.Name, string(entry.ID[len(entry.ID)-r.digits:])) + "  " +
		p.Cell(text, max(room, 10), plot.Plain)
	if r.places > 0 {
		line += "  " + p.Cell(e.placeOf(entry), r.places, plot.Faint)
	}
	p.WriteString(strings.TrimRight(line+"  "+
		p.Cell(briefing.Age(entry.CreatedAt(), e.now()), r.ages, plot.Faint), " ") + "\n")
}
