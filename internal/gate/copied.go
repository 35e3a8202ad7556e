package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Shown returns records that an agent was shown, or may have been, and that may hold what some texts repeat.
type Shown func(ctx context.Context, texts []string) ([]replay.Entry, error)

// ErrCopied says that a packet which is to be stored as it is repeats what an agent was shown and nobody here vouches for.
var ErrCopied = errors.New("nobody here vouches for it, and what an agent saves as it is repeats it")

// withoutCopies takes out of a record what it repeats of records that an agent was shown and that are not trusted here, so that nobody's
// text spreads under the name of somebody else. In the place of a run of twelve words or more stands the id of the record that has
// it, and an item that says next to nothing beside that is left out. It returns those records, and the one that says all of it, if one
// does: then nothing is to be stored.
func (w *Writer) withoutCopies(ctx context.Context, rec *packet.Record) (rest *packet.Record, of []packet.ID, whole *replay.Shown, err error) {
	if w.opts.Shown == nil {
		return rec, nil, nil, nil
	}
	doc, texts, err := textsOf(rec)
	if err != nil {
		return nil, nil, nil, err
	}
	entries, err := w.opts.Shown(ctx, texts)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("look for what the agent was shown: %w", err)
	}
	shown := map[string]replay.Shown{}
	var runs garden.Runs
	for _, e := range entries {
		opened, why := e.Open(replay.Inspected)
		if why != "" || e.Trusted() || e.Made {
			continue
		}
		if _, theirs, err := textsOf(opened.Record()); err == nil {
			shown[string(e.ID)] = opened
			runs.Learn(string(e.ID), theirs)
		}
	}
	left, owners := runs.Without(texts, func(owner string) string { return "[see " + owner + "]" })
	if len(owners) == 0 {
		return rec, nil, nil, nil
	}
	for _, owner := range owners {
		of = append(of, packet.ID(owner))
	}
	next := 0
	_, gone := refilled(doc, func() garden.Rest { next++; return left[next-1] })
	if gone {
		all := shown[owners[0]]
		return nil, of, &all, nil
	}
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, nil, nil, err
	}
	rest, err = packet.Parse(data, packet.Draft)
	return rest, of, nil, err
}

// isText tells the members of a record, and of its items, that say something. The others name places, times, words of lists or
// records; of unknown ones nobody knows.
func isText(name string) bool {
	switch name {
	case "id", "type", "ltm_version", "created_at", "expires_at", "anchor", "provenance", "scan", "origin", "parent_id", "parents", "supersedes",
		"links", "path", "paths", "commit", "tags", "topic", "kind", "category", "status", "impact", "confidence", "project":
		return false
	default:
		return true
	}
}

// textsOf returns a record as JSON, and its texts in the order of the names of their members.
func textsOf(rec *packet.Record) (doc map[string]any, texts []string, err error) {
	dec := json.NewDecoder(bytes.NewReader(rec.Encode()))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, nil, fmt.Errorf("read the texts of a record: %w", err)
	}
	var collect func(node any)
	collect = func(node any) {
		switch v := node.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, item := range v {
				collect(item)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if isText(name) {
					collect(v[name])
				}
			}
		}
	}
	collect(doc)
	return doc, texts, nil
}

// refilled puts what is left of texts in their places, in the order of [textsOf], and tells whether nothing is left of the whole.
func refilled(node any, next func() garden.Rest) (_ any, gone bool) {
	switch v := node.(type) {
	case string:
		rest := next()
		return rest.Text, rest.Empty
	case []any:
		kept := make([]any, 0, len(v))
		for _, item := range v {
			if item, gone := refilled(item, next); !gone {
				kept = append(kept, item)
			}
		}
		return kept, len(kept) == 0 && len(v) > 0
	case map[string]any:
		said, left := false, false
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !isText(name) {
				continue
			}
			item, empty := refilled(v[name], next)
			switch {
			case !empty:
				v[name], left = item, left || isSaid(name)
			case name == "goal" || name == "next_step" || name == "reason":
				v[name] = item // A record must have it.
			default:
				delete(v, name)
			}
			said = said || empty && isSaid(name)
		}
		return v, said && !left
	default:
		return v, false
	}
}

// isSaid tells the members without which a record or an item of it says nothing: what was settled, tried, done or written down, and of
// a packet any of its lists.
func isSaid(name string) bool {
	switch name {
	case "why", "reason", "learned", "outcome", "consequences", "when_applicable", "note", "next_action", "match", "success_criteria":
		return false
	default:
		return true
	}
}

// linkCopied links a record that was stored with those that it repeated.
func (w *Writer) linkCopied(ctx context.Context, r Receipt, dry bool) error {
	if dry || r.Known || len(r.Copied) == 0 {
		return nil
	}
	var by []string
	for _, id := range r.Copied {
		by = append(by, string(id))
	}
	if _, err := w.Happen(ctx, Happen{Event: "link", Targets: []string{string(r.ID)}, By: by, Value: "repeats"}); err != nil {
		return fmt.Errorf("record %s is stored, and not linked with what it repeats: %w", r.ID, err)
	}
	return nil
}

// receiptOf is the receipt of a record that says already what was to be stored.
func receiptOf(whole replay.Shown, of []packet.ID) Receipt {
	return Receipt{ID: whole.ID, Ref: whole.Ref, Data: whole.Data(), Known: true, Signed: whole.Signed, Copied: of}
}
