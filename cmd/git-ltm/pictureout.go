package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/git-ltm/git-ltm/internal/clean"
	draw "github.com/git-ltm/git-ltm/internal/graph"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// errThere says that a file would be lost.
var errThere = errors.New("it is there already; --force replaces it")

// keepPicture writes a picture to a file, all of it or nothing.
func (e *env) keepPicture(text string, o pictureOptions) error {
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

// graphJSON is the JSON shape of a picture.
type graphJSON struct {
	Nodes []nodeJSON `json:"nodes"`
	Edges []edgeJSON `json:"edges"`
	More  bool       `json:"more"`
}

type nodeJSON struct {
	ID     string       `json:"id"`
	Kind   draw.Kind    `json:"kind"`
	Label  string       `json:"label,omitempty"`
	States []draw.State `json:"states,omitempty"`
	Author string       `json:"author,omitempty"`
	Branch string       `json:"branch,omitempty"`
	At     string       `json:"at,omitempty"`
}

type edgeJSON struct {
	From  string        `json:"from"`
	To    string        `json:"to"`
	Kind  draw.Relation `json:"kind"`
	Label string        `json:"label,omitempty"`
	By    string        `json:"by,omitempty"` // who wrote the label
}

// writeGraphJSON writes a picture as one JSON object, in the one order of its nodes and edges.
func writeGraphJSON(w io.Writer, p recall.Picture) error {
	g := p.Graph.Sorted()
	all := graphJSON{Nodes: []nodeJSON{}, Edges: []edgeJSON{}, More: p.More}
	for _, n := range g.Nodes {
		all.Nodes = append(all.Nodes, nodeJSON{
			ID: clean.Line(n.ID), Kind: n.Kind, Label: n.Text(), States: n.States, Author: n.Author(),
			Branch: n.Branch, At: reply.Stamp(n.At),
		})
	}
	for _, e := range g.Edges {
		all.Edges = append(all.Edges,
			edgeJSON{
				From: clean.Line(e.From), To: clean.Line(e.To), Kind: e.Kind, Label: e.Text(),
				By: e.Author(),
			})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(all)
}
