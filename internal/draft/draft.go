// Package draft keeps what is left of sessions in this clone, beside the memory: packets that nobody has
// finished.
package draft

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// Draft is a packet that nobody has finished: what is left of a session. It lies in this clone alone, beside
// the memory: no search, no list and no exchange reads it. The next sessions of the same user in this clone
// are shown what it ran into, as a draft. It becomes a record only when somebody saves it.
type Draft struct {
	ID    packet.ID `json:"id,omitempty"`      // given when it is kept
	Kept  time.Time `json:"kept_at,omitzero"`  // when it was kept last
	Ended time.Time `json:"ended_at,omitzero"` // when the session was last at work
	Host  string    `json:"host,omitempty"`    // the client of the session
	// the session as its client names it; a draft takes the place of the one of the same session
	Session string            `json:"session,omitempty"`
	Masked  int               `json:"masked"`            // masks that it holds in the place of secrets
	Summary string            `json:"summary,omitempty"` // how the session ended, in the words of its agent
	Origins map[string]string `json:"origins"`           // where its parts come from, by their JSON pointers
	Packet  json.RawMessage   `json:"packet"`            // required: it may lack its goal and its next step

	Began time.Time `json:"-"` // when the session began
	// the session ends here and now: what the packet does not say of its place is filled in
	Here bool `json:"-"`
	// the session did work and saved nothing, and its host cannot ask it to; it is not kept in the draft
	Owes   bool           `json:"-"`
	Record *packet.Record `json:"-"` // the packet, where the draft was read or kept
	object string         // the object that was read
	data   []byte         // what that holds

	from *provenance.Origin // where its texts come from, where it may be shown
}

// Version is short for what a draft that was read holds: another one where its session went on.
func (d Draft) Version() string { return d.object[:min(8, len(d.object))] }

// Title says in a few words what a draft is about: its goal, or how its session ended; "" where it says
// neither.
func (d Draft) Title() string {
	p := d.Record.Packet()
	return cmp.Or(clean.Truncate(clean.Line(p.Goal), mostTitle), distill.Ended(p.Outcome, mostTitle))
}

// mostTitle is how many columns a title has.
const mostTitle = 60

// The bounds of a draft.
const (
	maxDraft        = 2 * packet.MaxPacket // bytes of all
	maxOrigins      = 512
	maxDraftSummary = 4096 // characters
	maxDraftWord    = 256  // characters of a name or an origin
)

// form is how a draft is stored. It is of this clone alone, and no record.
type form struct {
	Type   string `json:"type"`
	Format int    `json:"format"`
	Draft
}

// What a draft states of itself.
const (
	draftType   = "draft"
	draftFormat = 1
)

// formOf returns the draft as it is stored, but for its masks and its bounds.
func (d Draft) formOf(rec *packet.Record) form {
	f := form{draftType, draftFormat, d}
	f.Kept, f.Ended, f.Packet = d.Kept.UTC().Truncate(time.Millisecond), d.Ended.UTC(), rec.Encode()
	f.Host, f.Session, f.Summary = clean.Line(d.Host), clean.Line(d.Session), clean.Text(d.Summary)
	f.Origins = map[string]string{}
	for pointer, origin := range d.Origins {
		f.Origins[clean.Line(pointer)] = clean.Line(origin)
	}
	return f
}

// cutTexts returns the form with every text cut to its bound. It is called when secrets are masked: a part of
// one looks like none.
func (f form) cutTexts() form {
	f.Host, f.Session = cutText(f.Host, maxDraftWord), cutText(f.Session, maxDraftWord)
	f.Summary = cutText(f.Summary, maxDraftSummary)
	origins := map[string]string{}
	for _, pointer := range slices.Sorted(maps.Keys(f.Origins)) {
		if len(origins) < maxOrigins {
			origins[cutText(pointer, maxDraftWord)] = cutText(f.Origins[pointer], maxDraftWord)
		}
	}
	f.Origins = origins
	return f
}

// Masks counts the masks that a text holds in the place of what must not travel.
func Masks(text string) int { return strings.Count(text, "[REDACTED:") }

// cutText leaves out the end of a long text.
func cutText(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// passScan masks what must not travel, and returns the bytes that may be stored: those that were scanned
// last. As for a record, a scan that cannot run lets nothing pass.
func (f form) passScan(r *scan.Rules) ([]byte, Draft, error) {
	data, err := clean.JSON(f, "  ")
	if err != nil {
		return nil, Draft{}, fmt.Errorf("encode draft: %w", err)
	}
	masked, _, err := r.Mask(data)
	if err != nil {
		return nil, Draft{}, fmt.Errorf("mask secrets: %w", err)
	}
	var hidden form
	if err := json.Unmarshal(masked, &hidden); err != nil {
		return nil, Draft{}, fmt.Errorf("read draft: %w", err)
	}
	hidden.Masked = Masks(string(hidden.Packet) + hidden.Summary)
	if data, err = clean.JSON(hidden.cutTexts(), "  "); err != nil {
		return nil, Draft{}, fmt.Errorf("encode draft: %w", err)
	}
	found, err := r.Scan(data)
	if err != nil {
		return nil, Draft{}, fmt.Errorf("scan for secrets: %w", err)
	}
	if left := redact.Blocking(found); len(left) > 0 {
		return nil, Draft{}, &replay.SecretError{Findings: left}
	}
	d, err := parseDraft(data)
	if err != nil {
		return nil, Draft{}, r.CleanError(err, data)
	}
	return data, d, nil
}

// parseDraft reads a draft as it is stored.
func parseDraft(data []byte) (Draft, error) {
	var f form
	if len(data) > maxDraft {
		return Draft{}, invalidDraft(fmt.Sprintf("it is %d bytes, at most %d are kept", len(data), maxDraft))
	}
	if err := json.Unmarshal(data, &f); err != nil || f.Type != draftType {
		return Draft{}, invalidDraft("it is not a draft")
	}
	if f.Format != draftFormat {
		return Draft{}, invalidDraft(
			fmt.Sprintf("it has the format %d, which this version does not know", f.Format))
	}
	rec, err := packet.Parse(f.Packet, packet.Sketch)
	if err != nil {
		return Draft{}, err
	}
	if rec.Kind() != packet.KindPacket {
		return Draft{}, invalidDraft("it holds no packet")
	}
	f.Packet, f.Record, f.data = rec.Encode(), rec, data
	return f.Draft, nil
}

// invalidDraft says why something is no draft.
func invalidDraft(why string) error {
	return &packet.InvalidError{Problems: []packet.Problem{{Text: why}}}
}
