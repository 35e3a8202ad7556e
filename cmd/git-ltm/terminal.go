package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/plot"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// forPerson reports whether a person reads standard output: at a terminal, and not an agent in its own.
func (e *env) forPerson() bool { return e.isTerminal(e.stdout) && !e.asAgent && !e.forAgent() }

// newPage is an empty page as wide as the terminal, with colours unless the person turned them off.
func (e *env) newPage(ctx context.Context, m *memory.Memory) *plot.Page {
	columns, _ := e.width(e.stdout)
	p := &plot.Page{Columns: columns, Ellipsis: e.ellipsis()}
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

// ellipsis is the sign of what was cut off that the locale can show. One that nobody set can.
func (e *env) ellipsis() string {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		value, _ := e.getenv(name)
		if value == "" {
			continue
		}
		if set := strings.ToLower(value); !strings.Contains(set, "utf-8") && !strings.Contains(set, "utf8") {
			return "..."
		}
		break
	}
	return "…"
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
func rowsOf(e *env, found []replay.Shown, columns int) rows {
	r := rows{digits: command.IDLength(found)}
	for _, entry := range found {
		r.places = min(max(r.places, clean.Width(branchOf(entry))), 16)
		r.ages = max(r.ages, len(briefing.Age(entry.CreatedAt(), e.now())))
	}
	if columns < 70 { // What it says comes first.
		r.places = 0
	}
	return r
}

func branchOf(entry replay.Shown) string { return clean.Line(reply.GistOf(entry).Anchor.Branch) }

// The widest that one of the words before a record, and the name of a writer there, may be.
const (
	widestMark = 24
	widestName = 12
)

// shortMarks are the words before a record on a terminal: of a person the name alone, of an end its day, and of who
// is not trusted a question mark. What somebody is to type stays whole.
func shortMarks(e *env, entry replay.Shown) []string {
	words := command.Marks(entry, e.now())
	mark := ""
	if entry.Origin().Mark() != "" {
		mark = "?"
	}
	for i, word := range words {
		if strings.Contains(word, ": trust accept ") {
			continue
		}
		word, author := strings.CutSuffix(word, ", its author")
		if strings.Contains(word, "by ") {
			word, _, _ = strings.Cut(word, " via ")
			word, _, _ = strings.Cut(word, " with ")
		} else if strings.HasPrefix(word, "until ") {
			word = "until " + entry.ExpiresAt().In(e.now().Location()).Format(time.DateOnly)
		}
		if name, is := strings.CutPrefix(word, "by "); is && mark != "" {
			words[i], mark = clean.TruncateWith(name, widestName, e.ellipsis())+mark, ""
			continue
		}
		words[i] = clean.TruncateWith(word, widestMark, e.ellipsis())
		if author {
			words[i] += ", its author"
		}
	}
	return append(words, mark)
}

// explainMarks says what the question mark of a list means, where it has one.
func explainMarks(found []replay.Shown) string {
	if !slices.ContainsFunc(found, func(entry replay.Shown) bool { return entry.Origin().Mark() != "" }) {
		return ""
	}
	return "what has a ? before it is not trusted here: 'git ltm verify' says why"
}

// putRow writes a record as a row; where marks would leave what it says little of one, that goes on in a second
// line. The end of an id tells records apart; its start is the time.
func putRow(e *env, p *plot.Page, r rows, entry replay.Shown) {
	words := shortMarks(e, entry)
	text, id := command.Marked(reply.GistOf(entry).Line(), words...), string(entry.ID[len(entry.ID)-r.digits:])
	room := p.Columns - r.digits - 2 - r.ages - 2
	if r.places > 0 {
		room -= r.places + 2
	}
	room = max(room, 10)
	more := ""
	if clean.Width(text) > room && 2*clean.Width(command.Marked("", words...)) > room {
		lines := plot.WrapText(text, room)
		text, more = lines[0], strings.Join(lines[1:], " ")
	}
	line := p.Styled(plot.Name, id) + "  " + p.Cell(text, room, plot.Plain)
	if r.places > 0 {
		line += "  " + p.Cell(branchOf(entry), r.places, plot.Faint)
	}
	line += "  " + p.Cell(briefing.Age(entry.CreatedAt(), e.now()), r.ages, plot.Faint)
	p.WriteString(strings.TrimRight(line, " ") + "\n")
	if more != "" {
		p.WriteString(strings.Repeat(" ", r.digits+2) + clean.TruncateWith(more, room, e.ellipsis()) + "\n")
	}
}

// offered is how many packets may be picked.
const offered = 20

// errNoPick says that there is nothing to choose from.
var errNoPick = errors.New("there is no packet to choose")

// pickPacket lets the person at the terminal choose a packet by its number. It returns false if they chose none.
func pickPacket(ctx context.Context, e *env, m *memory.Memory) (replay.Entry, bool, error) {
	all, err := reply.List(ctx, m, []replay.Query{{}}, replay.Asked, offered)
	if err != nil {
		return replay.Entry{}, false, err
	}
	all = slices.DeleteFunc(all, func(entry replay.Shown) bool { return entry.Withheld(replay.Asked) != "" })
	switch {
	case len(all) == 0:
		return replay.Entry{}, false, errNoPick
	case len(all) == 1 && all[0].Trusted():
		return all[0].Entry, true, nil
	}
	columns, _ := e.width(e.stderr)
	out := plot.Page{Columns: max(20, columns-6), Ellipsis: e.ellipsis()}
	r := rowsOf(e, all, out.Columns)
	for i, entry := range all {
		fmt.Fprintf(&out, "%3d  ", i+1)
		putRow(e, &out, r, entry)
	}
	if marks := explainMarks(all); marks != "" {
		out.WriteString(marks + "\n")
	}
	line := e.readAnswer(out.String() + "Resume from which? A number (enter is 1), or q: ")
	if n, err := strconv.Atoi(strings.TrimSpace(cmp.Or(strings.TrimRight(line, "\r\n"), "1"))); err == nil &&
		line != "" && n >= 1 && n <= len(all) {
		return all[n-1].Entry, true, nil
	}
	if line != "" && strings.TrimSpace(line) != "q" {
		e.hint("that is no number of a packet; 'git ltm recall --kind packet WORDS' finds others, and 'git ltm resume ID' " +
			"takes one")
	}
	return replay.Entry{}, false, ctx.Err()
}

// A command that takes longer than patience tells how far it is, and no more
// often than each beat.
const (
	patience = 500 * time.Millisecond
	beat     = 100 * time.Millisecond
)

// progress is a line on a terminal that says how far a command is. Elsewhere it
// is nothing.
type progress struct {
	env   *env
	what  string // what was counted, such as "records checked"
	next  time.Time
	count int
	drawn int // columns of the line that stands there
}

// progress begins to count.
func (e *env) progress(what string) *progress {
	p := &progress{env: e, what: what}
	if e.isTerminal(e.stderr) {
		p.next = e.now().Add(patience)
	}
	return p
}

// step counts one.
func (p *progress) step() {
	p.count++
	if p.next.IsZero() {
		return
	}
	now := p.env.now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(beat)
	line := fmt.Sprintf("%d %s", p.count, p.what)
	p.drawn = len(line)
	_, _ = fmt.Fprint(p.env.stderr, "\r"+line) // It is no result.
}

// stage shows what is under way, of how many.
func (p *progress) stage(stage string, done, of int) {
	p.what, p.count = fmt.Sprintf("of %d (%s)", of, stage), done-1
	p.step()
}

// end takes the line away.
func (p *progress) end() {
	if p.drawn > 0 {
		_, _ = fmt.Fprint(p.env.stderr, "\r"+strings.Repeat(" ", p.drawn)+"\r")
		p.drawn = 0
	}
}
