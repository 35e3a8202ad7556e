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

// ErrCopied says that an event, or a packet which is to be stored as it is, repeats what an agent was shown
// and nobody here vouches for.
var ErrCopied = errors.New("it is not trusted here, and what an agent saves as it is repeats it")

// shownRuns learns what the records say that an agent was shown and that are not trusted here, as far as it
// may stand in some texts.
func (w *Writer) shownRuns(ctx context.Context,
	texts []string,
) (runs garden.Runs, shown map[string]replay.Shown, err error) {
	if w.opts.Shown == nil || !garden.IsRun(texts) {
		return runs, nil, nil
	}
	entries, err := w.opts.Shown(ctx, texts)
	if err != nil {
		return runs, nil, fmt.Errorf("look for what the agent was shown: %w", err)
	}
	shown = map[string]replay.Shown{}
	for _, e := range entries {
		opened, why := e.Open(replay.Inspected)
		if why != "" || e.Trusted() || e.Made {
			continue
		}
		if _, said, err := textsOf(opened.Record()); err == nil {
			shown[string(e.ID)] = opened
			runs.Learn(string(e.ID), said.texts)
			runs.Learn(string(e.ID), said.labels)
		}
	}
	return runs, shown, nil
}

// ownWords refuses what an agent says of records in words that it was shown and that nobody here vouches for.
func (w *Writer) ownWords(ctx context.Context, texts ...string) error {
	runs, _, err := w.shownRuns(ctx, texts)
	if err != nil {
		return err
	}
	if _, owners := runs.Without(texts, seeOwner); len(owners) > 0 {
		return fmt.Errorf("record %s: %w", owners[0], ErrCopied)
	}
	return nil
}

// seeOwner is what stands in the place of what is taken out.
func seeOwner(owner string) string { return "[see " + owner + "]" }

// withoutCopies takes out of a record what it repeats of records that an agent was shown and that are not
// trusted here, so that nobody's text spreads under the name of somebody else. In the place of a run of
// twelve words or more stands the id of the record that has it, and an item that says next to nothing beside
// that is left out. It returns those records, and the one that says all of it, if one does: then nothing is
// to be stored.
func (w *Writer) withoutCopies(ctx context.Context,
	rec *packet.Record,
) (rest *packet.Record, of []packet.ID, whole *replay.Shown, err error) {
	doc, said, err := textsOf(rec)
	if err != nil {
		return nil, nil, nil, err
	}
	runs, shown, err := w.shownRuns(ctx, slices.Concat(said.texts, said.labels))
	if err != nil {
		return nil, nil, nil, err
	}
	left, owners := runs.Without(said.texts, seeOwner)
	labels, more := runs.Without(said.labels, seeOwner)
	for _, owner := range more {
		if !slices.Contains(owners, owner) {
			owners = append(owners, owner)
		}
	}
	if len(owners) == 0 {
		return rec, nil, nil, nil
	}
	for _, owner := range owners {
		of = append(of, packet.ID(owner))
	}
	_, gone := refillTexts(doc, false, func(label bool) (rest garden.Rest) {
		if !label {
			rest, left = left[0], left[1:]
			return rest
		}
		rest, labels = labels[0], labels[1:]
		rest.Empty = rest.Repeated // Half of a label is none.
		return rest
	})
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

// isText tells the members of a record, and of its items, that say something. The others name places, times,
// words of lists or records; of unknown ones nobody knows.
func isText(name string) bool {
	switch name {
	case "id", "type", "ltm_version", "created_at", "expires_at", "anchor", "provenance", "scan", "origin",
		"parent_id", "parents", "supersedes",
		"links", "path", "paths", "commit", "kind", "category", "status", "impact", "confidence", "project":
		return false
	default:
		return true
	}
}

// isLabel tells the members that name what a record is about. They are read apart: between texts they would
// part a run.
func isLabel(name string) bool { return name == "tags" || name == "topic" }

// said is what a record says.
type said struct{ texts, labels []string }

// textsOf returns a record as JSON, and what it says in the order of the names of the members.
func textsOf(rec *packet.Record) (doc map[string]any, all said, err error) {
	dec := json.NewDecoder(bytes.NewReader(rec.Encode()))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, said{}, fmt.Errorf("read the texts of a record: %w", err)
	}
	var collect func(node any, into *[]string)
	collect = func(node any, into *[]string) {
		switch v := node.(type) {
		case string:
			*into = append(*into, v)
		case []any:
			for _, item := range v {
				collect(item, into)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				switch {
				case isLabel(name):
					collect(v[name], &all.labels)
				case isText(name):
					collect(v[name], into)
				}
			}
		}
	}
	collect(doc, &all.texts)
	return doc, all, nil
}

// refillTexts puts what is left of texts in their places, in the order of [textsOf], and tells whether
// nothing is left of the whole.
func refillTexts(node any, label bool, next func(label bool) garden.Rest) (_ any, gone bool) {
	switch v := node.(type) {
	case string:
		rest := next(label)
		return rest.Text, rest.Empty
	case []any:
		kept := make([]any, 0, len(v))
		for _, item := range v {
			if item, gone := refillTexts(item, label, next); !gone {
				kept = append(kept, item)
			}
		}
		return kept, len(kept) == 0 && len(v) > 0
	case map[string]any:
		had, left := false, false
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !isText(name) {
				continue
			}
			item, empty := refillTexts(v[name], label || isLabel(name), next)
			switch {
			case !empty:
				v[name], left = item, left || isSaid(name)
			case name == "goal" || name == "next_step" || name == "reason":
				v[name] = item // A record must have it.
			default:
				delete(v, name)
			}
			had = had || empty && isSaid(name)
		}
		return v, had && !left
	default:
		return v, false
	}
}

// isSaid tells the members without which a record or an item of it says nothing: what was settled, tried,
// done or written down, and of a packet any of its lists.
func isSaid(name string) bool {
	switch name {
	case "tags", "topic", "why", "reason", "learned", "outcome", "consequences", "when_applicable", "note",
		"next_action", "match", "success_criteria":
		return false
	default:
		return true
	}
}

// linkCopied links a record that was stored with those that it repeated, as far as they are in the same
// memory.
func (w *Writer) linkCopied(ctx context.Context, r Receipt, dry bool) error {
	if dry || r.Known || len(r.Copied) == 0 {
		return nil
	}
	var by []string
	for _, id := range r.Copied {
		if _, err := w.opts.Reader.Identify(ctx, string(id)); err == nil {
			by = append(by, string(id))
		}
	}
	if len(by) == 0 {
		return nil
	}
	if _, err := w.Happen(ctx,
		Happen{Event: "link", Targets: []string{string(r.ID)}, By: by, Value: "repeats"}); err != nil {
		return fmt.Errorf("record %s is stored, and not linked with what it repeats: %w", r.ID, err)
	}
	return nil
}

// receiptOf is the receipt of a record that says already what was to be stored.
func receiptOf(whole replay.Shown, of []packet.ID) Receipt {
	return Receipt{
		ID: whole.ID, Ref: whole.Ref, Data: whole.Data(), Known: true, Signed: whole.Signed,
		Copied: of,
	}
}
