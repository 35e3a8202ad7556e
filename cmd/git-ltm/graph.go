package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// The forms of a picture.
const (
	pictureText    = "text"
	pictureDOT     = "dot"
	pictureMermaid = "mermaid"
)

type pictureOptions struct {
	Format, Branch, Since string
	Depth, Limit          int
	All, Private, Commits bool
}

func runGraph(ctx context.Context, e *env, o pictureOptions, args []string) error {
	q, err := o.query(e, strings.Join(args, ""))
	if err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error { return drawMemory(ctx, e, m, q, o) })
}

// query says what is drawn, and everything that is wrong with the flags.
func (o pictureOptions) query(e *env, id string) (recall.PictureQuery, error) {
	q := recall.PictureQuery{
		ID: id, Depth: o.Depth, Branch: o.Branch, Limit: o.Limit, Hidden: o.All, Private: o.Private,
		Commits: o.Commits,
	}
	problems := o.clashes(e, id)
	if !slices.Contains([]string{pictureText, pictureDOT, pictureMermaid}, o.Format) {
		problems = append(problems,
			errors.New("--format takes text, dot or mermaid"))
	}
	if o.Depth < 0 {
		problems = append(problems, errors.New("--depth takes a number, 0 for the record alone"))
	}
	if o.Limit < 0 {
		problems = append(problems, errors.New("--limit takes a number, 0 for no bound"))
	}
	var err error
	q.Since, _, err = command.Question{Since: o.Since}.Span(e.now())
	return q, usage(append(problems, wrongInput(e, err)...))
}

// clashes are the flags that do not go together.
func (o pictureOptions) clashes(e *env, id string) []error {
	var problems []error
	for _, name := range []string{"branch", "since", "limit"} {
		if id != "" && e.isGiven(name) {
			problems = append(problems,
				fmt.Errorf("--%s and ID exclude each other: what lies near a record is drawn wherever it "+
					"was made", name))
		}
	}
	if id == "" && e.isGiven("depth") {
		problems = append(problems, errors.New("--depth asks for the ID of a record"))
	}
	if e.isGiven("json") && e.isGiven("format") {
		problems = append(problems, errors.New("--json and --format exclude each other"))
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
	tellPicture(e, p, text.Len(), o)
	_, err = io.WriteString(e.stdout, text.String())
	return err
}

// writePicture writes a picture in one form.
func writePicture(e *env, w io.Writer, p recall.Picture, o pictureOptions) error {
	switch {
	case e.asJSON:
		return writeGraphJSON(w, p)
	case o.Format == pictureDOT:
		return p.Graph.DOT(w)
	case o.Format == pictureMermaid:
		return p.Graph.Mermaid(w)
	}
	columns, _ := e.width(e.stdout)
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
			o.Limit)
	}
	const mostEdges, mostCharacters = 500, 50_000
	if edges := len(p.Graph.Sorted().Edges); o.Format == pictureMermaid && !e.asJSON &&
		(edges > mostEdges || size > mostCharacters) {
		e.warnf("Mermaid draws up to %d edges and %d characters, and these are %d and %d; 'git ltm graph "+
			"ID --depth N' draws a part",
			mostEdges, mostCharacters, edges, size)
	}
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
