package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// How long, and how many, drafts are kept.
const (
	draftsKept = 30 * 24 * time.Hour
	mostDrafts = 100
	draftTries = 5 // with other processes that keep a draft of the same session
)

// ErrUserDraft says that the user-wide memory has no drafts: a session works in a project.
var ErrUserDraft = errors.New("drafts are kept in repositories, not in the user-wide memory")

// KeepDraft puts a draft through the gate and keeps it. What must not travel is masked before a byte is written; where the scan
// cannot run, nothing is. A draft of the same session is replaced, unless it tells of a later end; then that one stays and its
// id is returned. Drafts that nobody finished for 30 days are dropped.
func (m *Memory) KeepDraft(ctx context.Context, d PacketDraft) (packet.ID, error) {
	if m.IsUser() {
		return "", ErrUserDraft
	}
	rules, err := m.Rules(ctx)
	if err != nil {
		return "", err
	}
	rec, err := packet.Parse(d.Packet, packet.Sketch)
	if err != nil {
		return "", rules.CleanError(err, d.Packet)
	}
	if err := m.heal(ctx); err != nil {
		return "", err
	}
	rec.Remove("scan") // Only the gate says how a packet was scanned.
	if err := m.signDraft(ctx, rec); err != nil {
		return "", err
	}
	if d.Here {
		if err := m.anchorDraft(ctx, rec); err != nil {
			return "", err
		}
	}
	d.Kept = m.opts.Now()
	d.Began, d.Ended = notAfter(d.Began, d.Kept), notAfter(d.Ended, d.Kept)
	id, err := m.writeDraft(ctx, rules, d, rec)
	for tries := 1; errors.Is(err, git.ErrConflict) && tries < draftTries; tries++ {
		id, err = m.writeDraft(ctx, rules, d, rec)
	}
	if err == nil {
		m.tidyDrafts(ctx)
	}
	return id, err
}

// notAfter returns a time, or now where a transcript states one that is still to come.
func notAfter(at, now time.Time) time.Time {
	if at.After(now) {
		return now
	}
	return at
}

// anchorDraft says where in the history a session stands that ends here and now.
func (m *Memory) anchorDraft(ctx context.Context, rec *packet.Record) error {
	head, err := m.standing(ctx)
	if err != nil {
		return err
	}
	if told := rec.Packet().Anchor; told.Branch != "" && told.Branch != head.Branch {
		return nil // The session worked elsewhere.
	}
	dirty, _ := m.repo.Dirty(ctx, head.Tree)
	if anchor := (survey{head: head, dirty: dirty}).anchor(); len(anchor) > 0 {
		return rec.Set("anchor", anchor)
	}
	return nil
}

// signDraft writes the name of whoever works here beside what the packet says of its agent.
func (m *Memory) signDraft(ctx context.Context, rec *packet.Record) error {
	var all struct{ Provenance map[string]any }
	if err := json.Unmarshal(rec.Encode(), &all); err != nil || all.Provenance["author_human"] != nil {
		return err
	}
	author, err := m.me(ctx)
	if err == nil {
		author, err = m.fit(ctx, author)
	}
	if err != nil || author == "" {
		return err
	}
	if all.Provenance == nil {
		all.Provenance = map[string]any{}
	}
	all.Provenance["author_human"] = author
	return rec.Set("provenance", all.Provenance)
}

// writeDraft stores a draft where it belongs now.
func (m *Memory) writeDraft(ctx context.Context, rules *scan.Rules, d PacketDraft, rec *packet.Record) (packet.ID, error) {
	at, err := m.draftPlace(ctx, d)
	if err != nil {
		return "", err
	}
	if at.Object != "" {
		if known, err := m.readDraft(ctx, at); err == nil && known.Ended.After(d.Ended) && !d.Ended.IsZero() {
			return at.ID, nil
		}
	}
	d.ID = at.ID
	data, _, err := d.form(rec).passScan(rules)
	if err != nil {
		return "", err
	}
	made, err := m.store.WriteDraft(ctx, at, data)
	return made.ID, err
}

// draftPlace returns the place of the draft of a session, or a new one.
func (m *Memory) draftPlace(ctx context.Context, d PacketDraft) (refs.Draft, error) {
	all, err := m.store.Drafts(ctx)
	if err != nil {
		return refs.Draft{}, err
	}
	if d.Session == "" {
		var newest packet.ID
		if len(all) > 0 {
			newest = all[0].ID
		}
		id, err := packet.NewID(m.opts.Now(), m.opts.Entropy, newest)
		return refs.Draft{ID: id}, err
	}
	own := d.Host + "\x00" + d.Session
	for _, at := range all {
		if at.ID.Suffix() == packet.DerivedSuffix(own) {
			return at, nil
		}
	}
	at := d.Began // All who keep a draft of the session at once give it the same name.
	if at.IsZero() {
		at = d.Kept
	}
	return refs.Draft{ID: packet.DeriveID(own, at)}, nil
}

// tidyDrafts drops what nobody finished in time, and the oldest of too many. What cannot be dropped now is dropped later.
func (m *Memory) tidyDrafts(ctx context.Context) {
	all, err := m.store.Drafts(ctx)
	if err != nil {
		return
	}
	before := m.opts.Now().Add(-draftsKept)
	for i, at := range all {
		if !at.ID.Time().Before(before) && i < mostDrafts {
			continue
		}
		if d, err := m.readDraft(ctx, at); err != nil || d.Kept.Before(before) || i >= mostDrafts {
			_ = m.store.DropDrafts(ctx, at)
		}
	}
}

// readDraft returns the draft that lies in a place.
func (m *Memory) readDraft(ctx context.Context, at refs.Draft) (PacketDraft, error) {
	data, err := m.store.ReadDraft(ctx, at, maxDraft)
	if err != nil {
		return PacketDraft{}, err
	}
	d, err := parseDraft(data)
	if err != nil {
		rules, _ := m.Rules(ctx) // Where they cannot be read, the built-in ones do: nothing is shown.
		return PacketDraft{}, fmt.Errorf("read draft %q: %w", at.Ref(), rules.CleanError(err, data))
	}
	d.ID, d.object = at.ID, at.Object
	return d, nil
}
