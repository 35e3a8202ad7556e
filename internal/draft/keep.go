package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// Box keeps the drafts of sessions.
type Box struct{ opts gate.Tools }

// New returns one. Of what it is given all is required.
func New(with gate.Tools) *Box { return &Box{with} }

// How long, and how many, drafts are kept.
const (
	draftsKept = 30 * 24 * time.Hour
	mostDrafts = 100
	draftTries = 5 // with other processes that keep a draft of the same session
)

// ErrUserDraft says that the user-wide memory has no drafts: a session works in a project.
var ErrUserDraft = errors.New("drafts are kept in repositories, not in the user-wide memory")

// Keep puts a draft through the gate and keeps it. What must not travel is masked before a byte is written;
// where the scan cannot run, nothing is. A draft of the same session is replaced, unless it tells of a later
// end; then that one stays and its id is returned. Drafts that nobody finished for 30 days are dropped.
func (b *Box) Keep(ctx context.Context, d Draft) (packet.ID, error) {
	if b.opts.Reader.IsUser() {
		return "", ErrUserDraft
	}
	rules, err := b.opts.Rules.Rules(ctx)
	if err != nil {
		return "", err
	}
	rec, err := packet.Parse(d.Packet, packet.Sketch)
	if err != nil {
		return "", rules.CleanError(err, d.Packet)
	}
	if err := b.opts.Heal(ctx); err != nil {
		return "", err
	}
	rec.Remove("scan") // Only the gate says how a packet was scanned.
	if err := b.signDraft(ctx, rec); err != nil {
		return "", err
	}
	if d.Here {
		if err := b.anchorDraft(ctx, rec); err != nil {
			return "", err
		}
	}
	d.Kept = b.opts.Now()
	d.Began, d.Ended = notAfter(d.Began, d.Kept), notAfter(d.Ended, d.Kept)
	id, err := b.writeDraft(ctx, rules, d, rec)
	for tries := 1; errors.Is(err, git.ErrConflict) && tries < draftTries; tries++ {
		id, err = b.writeDraft(ctx, rules, d, rec)
	}
	if err == nil {
		b.tidyDrafts(ctx)
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
func (b *Box) anchorDraft(ctx context.Context, rec *packet.Record) error {
	head, err := b.opts.Writer.HeadNow(ctx)
	if err != nil {
		return err
	}
	if told := rec.Packet().Anchor; told.Branch != "" && told.Branch != head.Branch {
		return nil // The session worked elsewhere.
	}
	dirty, _ := b.opts.Repo.Dirty(ctx, head.Tree)
	if anchor := (gate.Survey{Head: head, Dirty: dirty}).Anchor(); len(anchor) > 0 {
		return rec.Set("anchor", anchor)
	}
	return nil
}

// signDraft writes the name of whoever works here beside what the packet says of its agent.
func (b *Box) signDraft(ctx context.Context, rec *packet.Record) error {
	var all struct{ Provenance map[string]any }
	if err := json.Unmarshal(rec.Encode(), &all); err != nil || all.Provenance["author_human"] != nil {
		return err
	}
	author, err := b.opts.Writer.Author(ctx)
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
func (b *Box) writeDraft(ctx context.Context, rules *scan.Rules, d Draft,
	rec *packet.Record,
) (packet.ID, error) {
	at, err := b.draftPlace(ctx, d)
	if err != nil {
		return "", err
	}
	if at.Object != "" {
		if known, err := b.readDraft(ctx, at); err == nil && known.Ended.After(d.Ended) && !d.Ended.IsZero() {
			return at.ID, nil
		}
	}
	d.ID = at.ID
	data, passed, err := d.formOf(rec).passScan(rules)
	if err != nil {
		return "", err
	}
	made, err := b.opts.Store.WriteDraft(ctx, at, data)
	if err != nil {
		return "", err
	}
	passed.object, passed.Owes = made.Object, d.Owes
	return made.ID, b.listDrafts(ctx, passed)
}

// draftPlace returns the place of the draft of a session, or a new one.
func (b *Box) draftPlace(ctx context.Context, d Draft) (refs.Draft, error) {
	all, err := b.opts.Store.Drafts(ctx)
	if err != nil {
		return refs.Draft{}, err
	}
	if d.Session == "" {
		var newest packet.ID
		if len(all) > 0 {
			newest = all[0].ID
		}
		id, err := packet.NewID(b.opts.Now(), b.opts.Entropy, newest)
		return refs.Draft{ID: id}, err
	}
	for _, at := range all {
		if at.ID.Suffix() == OfSession(d.Host, d.Session) {
			return at, nil
		}
	}
	at := d.Began // All who keep a draft of the session at once give it the same name.
	if at.IsZero() {
		at = d.Kept
	}
	return refs.Draft{ID: packet.DeriveID(d.Host+"\x00"+d.Session, at)}, nil
}

// tidyDrafts drops what nobody finished in time, and the oldest of too many. What cannot be dropped now is
// dropped later.
func (b *Box) tidyDrafts(ctx context.Context) {
	all, err := b.opts.Store.Drafts(ctx)
	if err != nil {
		return
	}
	before := b.opts.Now().Add(-draftsKept)
	for i, at := range all {
		if !at.ID.Time().Before(before) && i < mostDrafts {
			continue
		}
		if d, err := b.readDraft(ctx, at); err != nil || d.Kept.Before(before) || i >= mostDrafts {
			_ = b.opts.Store.DropDrafts(ctx, at)
		}
	}
}

// readDraft returns the draft that lies in a place.
func (b *Box) readDraft(ctx context.Context, at refs.Draft) (Draft, error) {
	data, err := b.opts.Store.ReadDraft(ctx, at, maxDraft)
	if err != nil {
		return Draft{}, err
	}
	d, err := parseDraft(data)
	if err != nil {
		// Where they cannot be read, the built-in ones do: nothing is shown.
		rules, _ := b.opts.Rules.Rules(ctx)
		return Draft{}, fmt.Errorf("read draft %q: %w", at.Ref(), rules.CleanError(err, data))
	}
	d.ID, d.object = at.ID, at.Object
	return d, nil
}
