package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
)

type pictureOptions struct {
	Format, Branch, Since string
	Depth, Limit          int
	All, Private, Commits bool
}

func runGraph(ctx context.Context, e *env, m *memory.Memory, o pictureOptions, args []string) error {
	id := strings.Join(args, "")
	var problems []error
	for _, name := range []string{"branch", "since", "limit"} {
		if id != "" && e.isGiven(name) {
			problems = append(problems,
				fmt.Errorf("--%s and ID exclude each other: what lies near a record is drawn wherever it "+
					"was made", name))
		}
	}
	since, _, err := command.Question{Since: o.Since}.Span(e.now())
	for _, p := range []struct {
		is   bool
		text string
	}{
		{id == "" && e.isGiven("depth"), "--depth asks for the ID of a record"},
		{e.isGiven("json") && e.isGiven("format"), "--json and --format exclude each other"},
		{!slices.Contains([]string{"text", "dot", "mermaid"}, o.Format), "--format takes text, dot or mermaid"},
		{o.Depth < 0, "--depth takes a number, 0 for the record alone"},
		{o.Limit < 0, "--limit takes a number, 0 for no bound"},
	} {
		if p.is {
			problems = append(problems, errors.New(p.text))
		}
	}
	if err := usage(append(problems, wrongInput(e, err)...)); err != nil {
		return err
	}
	p, err := recall.Draw(ctx, m, recall.PictureQuery{
		ID: id, Depth: o.Depth, Branch: o.Branch, Since: since, Limit: o.Limit, Hidden: o.All,
		Private: o.Private, Commits: o.Commits,
	})
	if errors.Is(err, recall.ErrNoPlace) {
		return &usageError{err: err}
	}
	if err != nil {
		return err
	}
	if len(p.Graph.Nodes) == 0 {
		e.hint("there is no such record here; 'git ltm save' and 'git ltm note' store some, and " +
			"'git ltm sync' brings those of a remote")
	}
	if p.More {
		e.hintf("these are the newest %d, and there are more; --limit 0 draws all", o.Limit)
	}
	if e.asJSON {
		return e.printJSON(command.PictureOf(p))
	}
	var text strings.Builder
	switch o.Format {
	case "dot":
		err = p.Graph.DOT(&text)
	case "mermaid":
		err = p.Graph.Mermaid(&text)
		const mostEdges, mostCharacters = 500, 50_000
		if edges := len(p.Graph.Sorted().Edges); edges > mostEdges || text.Len() > mostCharacters {
			e.warnf("Mermaid draws up to %d edges and %d characters, and these are %d and %d; 'git ltm "+
				"graph ID --depth N' draws a part", mostEdges, mostCharacters, edges, text.Len())
		}
	default:
		columns, _ := e.width(e.stdout)
		err = p.Graph.Text(&text, columns)
	}
	e.print(text.String())
	return err
}
