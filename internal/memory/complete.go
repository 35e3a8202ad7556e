package memory

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// The bounds of what a save fills in. Longer values are left out or cut.
const (
	maxBranch = 255
	maxAuthor = 128
)

// complete fills what the packet lacks.
func (m *Memory) complete(ctx context.Context, rec *packet.Record, req SaveRequest, at place) error {
	if req.Form == AsIs {
		return nil
	}
	if err := m.setParent(ctx, rec, req); err != nil {
		return err
	}
	rec.Remove("scan") // Only the gate says how a packet was scanned.
	if at.known != nil {
		return refill(rec, at.known.record)
	}
	if err := fill(rec, "id", string(at.id)); err != nil {
		return err
	}
	if err := fill(rec, "created_at", m.opts.Now().UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	if err := m.linkThread(ctx, rec, req); err != nil {
		return err
	}
	if err := m.describe(ctx, rec, at.wait()); err != nil {
		return err
	}
	if err := m.Citations().Fill(ctx, rec); err != nil {
		return err
	}
	return rec.Set("ltm_version", packet.Version)
}

// place is where a packet is going to be stored, and the answer of git that is
// on its way.
type place struct {
	id    packet.ID
	known *Entry // what stands there already
	wait  func() survey

	newest packet.ID // the newest packet that was known before
}

// refill takes what a save once added from the record that is there, so that a
// packet that is saved again is the same record.
func refill(rec, from *packet.Record) error {
	for _, name := range []string{"id", "created_at", "parent_id", "provenance", "anchor", "scan"} {
		if !rec.Has(name) {
			rec.CopyFrom(from, name)
		}
	}
	citation.Refill(rec, from)
	return rec.Set("ltm_version", from.Version())
}

func fill(rec *packet.Record, name, value string) error {
	if rec.Has(name) {
		return nil
	}
	return rec.Set(name, value)
}

// setParent writes the parent that the request names.
func (m *Memory) setParent(ctx context.Context, rec *packet.Record, req SaveRequest) error {
	if req.Parent == "" {
		return nil
	}
	parent, err := m.Find(ctx, req.Parent)
	if err != nil {
		return err
	}
	return rec.Set("parent_id", string(parent.ID))
}

// linkThread makes the newest packet of this branch the parent.
func (m *Memory) linkThread(ctx context.Context, rec *packet.Record, req SaveRequest) error {
	if req.Link == Begin || rec.Has("parent_id") || rec.Has("parents") {
		return nil
	}
	head, err := m.continued(ctx, req.Reach)
	if err != nil || head == "" {
		return err
	}
	return rec.Set("parent_id", string(head))
}

// aheadOf is how far the clock of who takes a packet back may be behind that of who saved it, for a save to see it. A thread passes
// over what was taken back in any case.
const aheadOf = time.Hour

// continued returns the packet that head returns, and reads no more events for it than those that came since, unless the newest
// packet of the branch was taken back.
func (m *Memory) continued(ctx context.Context, reach Reach) (packet.ID, error) {
	branch, left := m.repo.Head.Branch, searched
	for ref, err := range m.everything(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if left--; err != nil || left < 0 || branch == "" {
			return "", err
		}
		e, ok, err := m.listed(ctx, ref, &state{})
		if err != nil {
			return "", err
		}
		if !ok || e.packet.Anchor.Branch != branch || reach == Shared && e.Store == OfClone || e.Withheld(Asked) != "" {
			continue
		}
		since, err := packet.NewID(e.ID.Time().Add(-aheadOf), bytes.NewReader(make([]byte, idLength)), "")
		if err != nil {
			return "", err
		}
		events, err := collect(m.everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true, After: since}))
		if err == nil {
			events, err = m.counting(ctx, events)
		}
		if err != nil {
			return "", err
		}
		s, err := m.foldThese(ctx, events)
		if err != nil {
			return "", err
		}
		if e.Life = s.lives[e.ID]; !s.leavesOut(e.ID, Query{}) && !expired(e.ExpiresAt(), m.opts.Now()) {
			return e.ID, nil
		}
		return m.head(ctx, reach)
	}
	return "", nil
}

// survey is what git says of the person and the place.
type survey struct {
	author string
	head   git.Head
	dirty  bool
	err    error
}

// look asks git about the person and the place while a save goes on, and
// returns what waits for the answer. Nothing is asked that the packet says
// itself.
func (m *Memory) look(ctx context.Context, rec *packet.Record) (wait func() survey) {
	var s survey
	var authorErr, headErr error
	var asked sync.WaitGroup
	if !rec.Has("provenance") {
		asked.Go(func() { s.author, authorErr = m.me(ctx) })
	}
	if !rec.Has("anchor") {
		asked.Go(func() {
			if s.head, headErr = m.standing(ctx); headErr == nil {
				s.dirty, _ = m.repo.Dirty(ctx, s.head.Tree)
			}
		})
	}
	return func() survey {
		asked.Wait()
		s.err = errors.Join(authorErr, headErr)
		return s
	}
}

// standing returns what the work tree stands on. Git is asked where more than a branch and its commit may have to be told.
func (m *Memory) standing(ctx context.Context) (git.Head, error) {
	head := m.repo.Head
	if head.Branch != "" && head.Commit == "" && !m.repo.MaybeSet("branch."+head.Branch+".merge") {
		var err error
		if head.Commit, head.Tree, err = m.store.Tip(ctx, "refs/heads/"+head.Branch); err == nil {
			return head, nil
		}
	}
	return m.repo.Resolve(ctx)
}

// describe says who wrote the packet and where in the history it stands.
func (m *Memory) describe(ctx context.Context, rec *packet.Record, s survey) error {
	if s.err != nil {
		return s.err
	}
	if s.author != "" {
		author, err := m.fit(ctx, s.author)
		if err != nil {
			return err
		}
		if err := rec.Set("provenance", m.written(author)); err != nil {
			return err
		}
	}
	if rec.Has("anchor") {
		return nil
	}
	if anchor := s.anchor(); len(anchor) > 0 {
		return rec.Set("anchor", anchor)
	}
	return nil
}

// me is the name under which git commits here, however long it is.
func (m *Memory) me(ctx context.Context) (string, error) {
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"} {
		if v, ok := m.repo.Env(name); ok && v != "" {
			return clean.Line(v), nil
		}
	}
	name, sure := m.repo.PlainSetting("user", "name")
	if !sure {
		config, err := m.Config(ctx)
		if err != nil {
			return "", err
		}
		name, _ = config.Get("user.name")
	}
	return clean.Line(name), nil
}

// fit cuts a name to the length that a record may hold. It is scanned before, since a part of a secret looks like none.
func (m *Memory) fit(ctx context.Context, name string) (string, error) {
	if utf8.RuneCountInString(name) <= maxAuthor {
		return name, nil
	}
	rules, err := m.Rules(ctx)
	if err != nil {
		return "", err
	}
	if hits := redact.Blocking(rules.ScanText(name)); len(hits) > 0 {
		for i := range hits {
			hits[i].Path = "/provenance/author_human"
		}
		return "", &SecretError{Findings: hits}
	}
	return string([]rune(name)[:maxAuthor]), nil
}

// anchor is the place in the history at which a packet is saved.
func (s survey) anchor() map[string]any {
	anchor, head := map[string]any{}, s.head
	if head.Branch != "" && utf8.RuneCountInString(head.Branch) <= maxBranch && utf8.ValidString(head.Branch) {
		anchor["branch"] = head.Branch
	}
	for name, id := range map[string]string{"commit": head.Commit, "tree": head.Tree, "merge_base": head.MergeBase} {
		if id != "" {
			anchor[name] = id
		}
	}
	if s.dirty {
		anchor["dirty"] = true
	}
	return anchor
}
