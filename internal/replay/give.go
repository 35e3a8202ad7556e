package replay

import (
	"context"
	"fmt"
	"iter"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Given is a record that is to be written in another form, outside of the store.
type Given struct {
	Shown
	Tag      []byte           // the raw tag object that signs it; nil for none
	Kept     string           // why it must not be handed on; empty where it may
	Findings []redact.Finding // what was found that must not travel; then it must not be handed on either
}

// Give yields the records of one kind that a list does, and scans each once more. They come oldest first by
// id, and private ones only where that is the reach.
func (r *Reader) Give(ctx context.Context, q Query, reach Reach) iter.Seq2[Given, error] {
	return func(yield func(Given, error) bool) {
		s, err := r.Fold(ctx)
		if err != nil {
			yield(Given{}, err)
			return
		}
		for ref, err := range r.Everything(ctx, refs.Query{Kind: refs.KindFor(q.Kind), Remotes: true}) {
			if err == nil && (s.leavesOut(ref.Name.ID, q) || ref.Name.Private && reach != Private) {
				continue
			}
			var e Entry
			ok := false
			if err == nil {
				e, ok, err = r.readListed(ctx, ref, s)
			}
			if err == nil && (!ok || !q.admitsEntry(e)) {
				continue
			}
			var g Given
			if err == nil {
				g, err = r.judgeGiven(ctx, ref, e)
			}
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// judgeGiven judges a record on its way out, as a push does.
func (r *Reader) judgeGiven(ctx context.Context, ref refs.Ref, e Entry) (Given, error) {
	var g Given
	if g.Shown, g.Kept = e.Open(Asked); g.Kept != "" {
		return g, nil
	}
	if e.Signed { // The tag object goes with the record.
		obj, err := r.opts.Store.Read(ctx, ref)
		if err != nil {
			return g, fmt.Errorf("read %q: %w", ref.Full(), err)
		}
		g.Tag = obj.Tag
	}
	rules, err := r.opts.Rules.Rules(ctx)
	if err != nil {
		return g, err
	}
	findings, err := rules.Scan(e.data)
	if err != nil {
		return g, fmt.Errorf("scan for secrets: %w", err)
	}
	if len(g.Tag) > 0 {
		findings = append(findings, rules.ScanText(string(sign.Prose(g.Tag)))...)
	}
	if hits := redact.Blocking(findings); len(hits) > 0 {
		g.Findings, err = r.notAllowed(ctx, ref, hits)
	}
	return g, err
}
