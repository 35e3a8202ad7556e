package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// graph draws threads from the newest packet down, one column for each that is
// still open. The zero value is ready to draw.
type graph struct {
	columns []string // the id that each column waits for
}

// draw returns the lines above a packet, where columns meet in it, what stands
// before its own line, and the lines below it, where columns part.
func (g *graph) draw(id string, parents []string) (above []string, before string, below []string) {
	own := g.column(id)
	above = g.join(own)
	var marks strings.Builder
	for i := range g.columns {
		if i == own {
			marks.WriteString("* ")
			continue
		}
		marks.WriteString("| ")
	}
	if len(parents) > 1 {
		right := len(g.columns) - own - 1
		below = []string{strings.Repeat("| ", own) + "|" +
			strings.TrimRight(strings.Repeat("\\ ", len(parents)-1+right), " ")}
	}
	g.follow(own, parents)
	return above, marks.String(), below
}

// column returns the first column that waits for a packet, or a new one.
func (g *graph) column(id string) int {
	for i, waits := range g.columns {
		if waits == id {
			return i
		}
	}
	g.columns = append(g.columns, id)
	return len(g.columns) - 1
}

// join closes the other columns that wait for the same packet, one line each.
func (g *graph) join(own int) []string {
	var lines []string
	for i := own + 1; i < len(g.columns); {
		if g.columns[i] != g.columns[own] {
			i++
			continue
		}
		right := len(g.columns) - i - 1
		lines = append(lines,
			strings.Repeat("| ", own)+"|"+strings.Repeat("_|", i-own-1)+"/"+strings.Repeat(" /", right))
		g.columns = append(g.columns[:i], g.columns[i+1:]...)
	}
	return lines
}

// follow lets the packet's column wait for its parents.
func (g *graph) follow(own int, parents []string) {
	var rest []string
	rest = append(rest, g.columns[own+1:]...)
	g.columns = append(g.columns[:own], parents...)
	g.columns = append(g.columns, rest...)
}

// The forms of a picture.
const (
	pictureText    = "text"
	pictureDOT     = "dot"
	pictureMermaid = "mermaid"
)

type pictureOptions struct {
	format, out, branch, since   string
	depth, limit                 int
	all, private, commits, force bool
}

func newGraph(e *env) *cobra.Command {
	var o pictureOptions
	cmd := &cobra.Command{
		Use:   "graph [ID]",
		Short: "Draw records and how they hang together",
		Long: "Graph draws packets, notes and skips, and what joins them: which continues, supersedes, consolidates or links which,\n" +
			"and which files they cite. Without ID it draws the newest 200 of all; with one, what lies within two edges of it.\n\n" +
			"What was retracted or has expired is drawn with --all; without, it stands there without its text, and only where\n" +
			"another record leads to it. What was superseded hangs at what took its place. A withheld record has no text, and\n" +
			"what is private is drawn with --private alone: a picture is made to be given away. Clones that hold the same records\n" +
			"and trust the same keys draw the same picture, to the byte.\n\n" +
			"The formats are text; dot, for Graphviz; and mermaid, which many forges draw in Markdown, up to 500 edges and 50,000\n" +
			"characters. 'git ltm web' shows the same as a page. --output replaces a file with --force alone.\n\n" +
			"The members of --json are nodes (id, kind, label, states, author, branch, at), edges (from, to, kind, label), and more,\n" +
			"which says whether --limit left records out. The kinds of nodes are packet, note, skip, file, commit, and missing for\n" +
			"a record that is not here; those of edges are continues, supersedes, consolidates, links, cites and at-commit.",
		Example: "  git ltm graph\n  git ltm graph @ --depth 3 --commits\n" +
			"  git ltm graph --format dot | dot -Tsvg >memory.svg",
		RunE: func(cmd *cobra.Command, args []string) error {
			return runGraph(e, cmd, o, strings.Join(args, ""))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", pictureText, "`FORMAT`: text, dot or mermaid")
	f.IntVar(&o.depth, "depth", 2, "with ID: what lies at most `N` edges away")
	f.IntVarP(&o.limit, "limit", "n", 200, "without ID: at most the newest `N`; 0 is no bound")
	f.StringVar(&o.branch, "branch", "", "without ID: made on this `BRANCH`")
	f.StringVar(&o.since, "since", "",
		"without ID: created since `WHEN`: a date, a time, or an age such as 3d or 2w")
	f.BoolVarP(&o.all, "all", "a", false, "also what is retracted or expired")
	f.BoolVar(&o.private, "private", false, "also what never leaves this clone")
	f.BoolVar(&o.commits, "commits", false, "also the commits at which records were made")
	f.StringVarP(&o.out, "output", "o", "", "write to `FILE` instead of standard output")
	f.BoolVar(&o.force, "force", false, "let --output replace any file")
	return cmd
}

func runGraph(e *env, cmd *cobra.Command, o pictureOptions, id string) error {
	q, err := o.query(cmd, e, id)
	if err != nil {
		return err
	}
	return e.use(cmd.Context(), func(m *memory.Memory) error { return drawMemory(cmd.Context(), e, m, q, o) })
}

// query says what is drawn, and everything that is wrong with the flags.
func (o pictureOptions) query(cmd *cobra.Command, e *env, id string) (recall.PictureQuery, error) {
	q := recall.PictureQuery{
		ID: id, Depth: o.depth, Branch: o.branch, Limit: o.limit, Hidden: o.all, Private: o.private,
		Commits: o.commits,
	}
	problems := o.clashes(cmd, id)
	if !slices.Contains([]string{pictureText, pictureDOT, pictureMermaid}, o.format) {
		problems = append(problems,
			errors.New("--format takes text, dot or mermaid; 'git ltm web' shows the memory as pages"))
	}
	if o.depth < 0 {
		problems = append(problems, errors.New("--depth takes a number, 0 for the record alone"))
	}
	if o.limit < 0 {
		problems = append(problems, errors.New("--limit takes a number, 0 for no bound"))
	}
	if o.since != "" {
		at, err := reply.ParseWhen(o.since, e.now())
		if err != nil {
			problems = append(problems, fmt.Errorf("--since: %w", err))
		}
		q.Since = at
	}
	return q, usage(problems)
}

// clashes are the flags that do not go together.
func (o pictureOptions) clashes(cmd *cobra.Command, id string) []error {
	var problems []error
	for _, name := range []string{"branch", "since", "limit"} {
		if id != "" && cmd.Flags().Changed(name) {
			problems = append(problems,
				fmt.Errorf("--%s and ID exclude each other: what lies near a record is drawn wherever it was made", name))
		}
	}
	if id == "" && cmd.Flags().Changed("depth") {
		problems = append(problems, errors.New("--depth asks for the ID of a record"))
	}
	if cmd.Flags().Changed("json") && cmd.Flags().Changed("format") {
		problems = append(problems, errors.New("--json and --format exclude each other"))
	}
	if o.force && o.out == "" {
		problems = append(problems, errors.New("--force asks for --output"))
	}
	return problems
}

func drawMemory(ctx context.Context, e *env, m *memory.Memory, q recall.PictureQuery,
	o pictureOptions,
) error {
	p, err := recall.Draw(ctx, m, q)
	if errors.Is(err, recall.ErrNoPlace) {
		return &usageError{err: err}
	}
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := writePicture(e, &text, p, o); err != nil {
		return err
	}
	if o.out == "" {
		_, err = io.WriteString(e.stdout, text.String())
	} else {
		err = writePictureFile(e, text.String(), o)
	}
	if err == nil {
		tellPicture(e, p, text.Len(), o)
	}
	return err
}

// writePicture writes a picture in one form.
func writePicture(e *env, w io.Writer, p recall.Picture, o pictureOptions) error {
	switch {
	case e.asJSON:
		return writeGraphJSON(w, p)
	case o.format == pictureDOT:
		return p.Graph.DOT(w)
	case o.format == pictureMermaid:
		return p.Graph.Mermaid(w)
	}
	columns := 0
	if o.out == "" {
		columns, _ = e.width(e.stdout)
	}
	return p.Graph.Text(w, columns)
}

// tellPicture says what a reader of the picture does not see in it.
func tellPicture(e *env, p recall.Picture, size int, o pictureOptions) {
	if len(p.Graph.Nodes) == 0 {
		e.hint("there is no such record here; 'git ltm save' and 'git ltm note' store some, and " +
			"'git ltm pull' brings those of a remote")
	}
	if p.More {
		e.hintf("these are the newest %d, and there are more; --limit 0 draws all",
			o.limit)
	}
	const mostEdges, mostCharacters = 500, 50_000
	if edges := len(p.Graph.Sorted().Edges); o.format == pictureMermaid && !e.asJSON &&
		(edges > mostEdges || size > mostCharacters) {
		e.warnf("Mermaid draws up to %d edges and %d characters, and these are %d and %d; 'git ltm graph "+
			"ID --depth N' draws a part",
			mostEdges, mostCharacters, edges, size)
	}
}

// errThere says that a file would be lost.
var errThere = errors.New("it is there already; --force replaces it")

// writePictureFile writes a picture to a file, all of it or nothing.
func writePictureFile(e *env, text string, o pictureOptions) error {
	name := e.path(o.out)
	if info, err := os.Lstat(name); err == nil && !o.force && info.Mode().IsRegular() && info.Size() > 0 {
		return fmt.Errorf("write picture %q: %w", o.out, errThere)
	}
	err := replaceFile(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return fmt.Errorf("write picture: %w", err)
	}
	return nil
}

// writeGraphJSON writes a picture as one JSON object, in the one order of its nodes and edges.
func writeGraphJSON(w io.Writer, p recall.Picture) error {
	g := p.Graph.Sorted()
	all := command.Picture{Nodes: []command.PictureNode{}, Edges: []command.PictureEdge{}, More: p.More}
	for _, n := range g.Nodes {
		all.Nodes = append(all.Nodes, command.PictureNode{
			ID: clean.Line(n.ID), Kind: n.Kind, Label: n.Text(), States: n.States, Author: n.Author(),
			Branch: n.Branch, At: reply.Stamp(n.At),
		})
	}
	for _, e := range g.Edges {
		all.Edges = append(all.Edges,
			command.PictureEdge{
				From: clean.Line(e.From), To: clean.Line(e.To), Kind: e.Kind, Label: e.Text(),
				By: e.Author(),
			})
	}
	data, err := reply.Encode(all)
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}
