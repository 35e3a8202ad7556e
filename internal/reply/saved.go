package reply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// Saved is the JSON shape of a receipt.
type Saved struct {
	ID       string    `json:"id"`
	Ref      string    `json:"ref"`
	Bytes    int       `json:"bytes"`
	Parent   string    `json:"parent_id,omitempty"`
	Known    bool      `json:"known"`
	Signed   bool      `json:"signed"`
	DryRun   bool      `json:"dry_run"`
	Findings []Finding `json:"findings"`

	Beside *Beside `json:"beside,omitempty"` // what could be continued, where a new thread begins
	// records of others that it repeated, and that are not stored again
	Repeats    []string    `json:"repeats,omitempty"`
	Duplicates []Duplicate `json:"duplicates,omitempty"` // what says the same already
	Undo       string      `json:"undo,omitempty"`       // for a person, the command that takes it back
}

// Beside is the JSON shape of an open packet that a new thread begins beside.
type Beside struct {
	ID     string `json:"id"`
	Author string `json:"author"`
	Own    bool   `json:"own"` // the user made it
}

// Finding is the JSON shape of what a scan found. It never holds the secret.
type Finding struct {
	Rule        string `json:"rule"`
	Path        string `json:"path"`
	Blocking    bool   `json:"blocking"`
	Mask        string `json:"mask"`
	Why         string `json:"why"`
	Advice      string `json:"advice"`
	Fingerprint string `json:"fingerprint,omitempty"` // of what is stored
}

// Duplicate is the JSON shape of a record that says already what was stored.
type Duplicate struct {
	ID       string  `json:"id"`
	Type     string  `json:"type"`
	Place    string  `json:"place"` // where the new record says it
	Tags     float64 `json:"tags"`  // how much of the tags both have, from 0 to 1
	Text     float64 `json:"text"`  // how much of the texts both have, from 0 to 1
	Conflict string  `json:"conflict,omitempty"`
}

// SavedOf is the shape of a receipt; dry says that nothing was stored.
func SavedOf(r gate.Receipt, dry Rehearsal) Saved {
	s := Saved{
		ID: string(r.ID), Ref: r.Ref, Bytes: len(r.Data), Parent: r.Parent, Known: r.Known, Signed: r.Signed,
		DryRun: bool(dry),
	}
	for _, id := range r.Copied {
		s.Repeats = append(s.Repeats, string(id))
	}
	if r.Beside.ID != "" {
		s.Beside = &Beside{string(r.Beside.ID), r.Beside.Origin().By(), r.Beside.Own}
	}
	for _, f := range r.Findings {
		j := Finding{
			Rule: f.Rule, Path: f.Path, Blocking: f.Severity == redact.Block, Mask: f.Mask,
			Why: f.Why, Advice: f.Advice,
		}
		if r.Secrets == gate.Allow {
			j.Fingerprint = f.Fingerprint(string(r.ID))
		}
		s.Findings = append(s.Findings, j)
	}
	return s
}

// Copied says what became of what a record repeats that its agent was shown; nothing where it repeats
// nothing.
func (s Saved) Copied() string {
	switch {
	case len(s.Repeats) == 0:
		return ""
	case s.Known:
		return "nothing was stored, because " + s.ID +
			" says it already, and that one is not trusted here; what you know yourself, save in your own " +
			"words"
	default:
		return "what repeats " + strings.Join(s.Repeats, ", ") +
			" was left out and linked, because it is not trusted here; what you know yourself, save " +
			"in your own words"
	}
}

// LogLines are advice on what of a record that was stored is a line of a log and no memory, each with its
// place. It is the one advice that a save gives: whoever wrote it is still there, and nobody else can say
// what followed from it.
func LogLines(r gate.Receipt) []string {
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil || r.Known {
		return nil
	}
	var all []string
	for _, a := range garden.Lint(rec.Content()) {
		if a.Rule == garden.RuleLog {
			all = append(all, a.Place+" of "+string(r.ID)+" reads like a line of a log. "+a.Text)
		}
	}
	return all
}

// MissingCites is advice on the places that a record cites where no file is, on one line, and on those behind the end
// of a file.
func MissingCites(m *memory.Memory, r gate.Receipt) []string {
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil || r.Known || m.IsUser() || m.Repo().WorkTree == "" {
		return nil
	}
	var missing, advice []string
	for _, c := range rec.Content().Cites {
		_, err := os.Lstat(filepath.Join(m.Repo().WorkTree, filepath.FromSlash(c.Path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if c.Commit == "" && c.Blob == "" { // Else it was there once.
				missing = append(missing, clean.Line(c.Path))
			}
		case c.Commit == "" || c.Commit == rec.Content().Anchor.Commit: // It is cited as it is now.
			if beyond := BeyondEnd(m.Repo(), c.Path, c.Line, c.EndLine); beyond != "" {
				advice = append(advice, string(r.ID)+" cites "+beyond)
			}
		}
	}
	if len(missing) > 0 {
		advice = append(advice, string(r.ID)+" cites what is not in the work tree: "+strings.Join(missing, ", "))
	}
	return advice
}

// BeyondEnd says that a file of the work tree ends before a line; nothing where it does not, or where that cannot be
// told.
func BeyondEnd(repo *git.Repo, path string, line, end int) string {
	const most = 1 << 20 // bytes of a file that is looked into
	last := max(line, end)
	if last == 0 || repo.WorkTree == "" {
		return ""
	}
	data, err := local.At(filepath.Join(repo.WorkTree, filepath.FromSlash(path))).Read(most)
	has := bytes.Count(data, []byte("\n"))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		has++
	}
	if err != nil || last <= has {
		return ""
	}
	return fmt.Sprintf("line %d of %s, which ends with line %d", last, clean.Line(path), has)
}

// Unmatched asks for what the next session is to be warned at, where attempts failed that do not say it;
// nothing where none did.
func Unmatched(r gate.Receipt) string {
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil || r.Known {
		return ""
	}
	var places []string
	for _, i := range rec.Content().Items {
		if i.Kind == packet.ItemAttempt && i.Failed && i.Match == (packet.Match{}) &&
			!deadend.NamesCommand(i.Text) {
			places = append(places, i.Place)
		}
	}
	if len(places) == 0 {
		return ""
	}
	return strings.Join(places, ", ") +
		" failed without a match: name the command, path, added text or words at which the next session " +
		"is warned"
}

// Whose says of a packet whose it is and how old, for a line that offers to go on with it; nothing where
// there is none. Of a record that nobody vouches for, the author is what it says, be that the name of the
// user.
func Whose(ctx context.Context, m *memory.Memory, c replay.Choice, now time.Time) string {
	if c.ID == "" {
		return ""
	}
	o := c.Origin()
	user, _ := m.Author(ctx) // Without it nothing is said to be in the user's name.
	who := o.By()
	switch {
	case c.Own:
		who = "yours"
	case !o.Trusted && clean.Line(o.Author.AuthorHuman) == user:
		who = "says you, " + string(o.Verdict.Standing)
	case !o.Trusted:
		who = "says " + who + ", " + string(o.Verdict.Standing)
	}
	return "(" + who + ", " + briefing.Age(c.CreatedAt(), now) + ")"
}

// Rehearsal tells that nothing was stored, and that nothing may be.
type Rehearsal bool

// Repeats returns for each of some records that were stored, or would be, what says the same already, the
// closest first. It is advice: where it cannot be told nothing is said and nothing fails.
func Repeats(ctx context.Context, m *memory.Memory, now func() time.Time,
	receipts ...gate.Receipt,
) [][]recall.Alike {
	said := make([]recall.Said, len(receipts))
	for i, r := range receipts {
		if rec, err := packet.Parse(r.Data, packet.Stored); err == nil && !r.Known {
			said[i] = recall.Said{ID: r.ID, Content: rec.Content()}
		}
	}
	return recall.Repeats(ctx, m, recall.Options{Now: now}, said)
}

// With adds the records that say the same.
func (s Saved) With(rules *scan.Rules, repeats []recall.Alike) Saved {
	for _, d := range repeats {
		s.Duplicates = append(s.Duplicates, Duplicate{
			ID: d.Card.ID, Type: string(d.Kind), Place: d.Place, Tags: d.Likeness.Tags, Text: d.Likeness.Text,
			Conflict: Printable(rules, d.Conflict),
		})
	}
	return s
}

// Anchored leaves a place in the history that names no commit to the save, where that is made on the same
// branch.
func Anchored(d draft.Draft, branch string) draft.Draft {
	if at := d.Record.Packet().Anchor; at.Commit == "" && at.Branch == branch {
		d.Record = d.Record.Clone()
		d.Record.Remove("anchor")
		d.Packet = d.Record.Encode()
	}
	return d
}

// Over returns the packet of a draft with what somebody says to it: a list comes behind that of the draft,
// and anything else takes its place.
func Over(d draft.Draft, said []byte) ([]byte, error) {
	var base, more map[string]json.RawMessage
	if err := json.Unmarshal(d.Packet, &base); err != nil {
		return nil, fmt.Errorf("read draft %s: %w", d.ID, err)
	}
	if err := json.Unmarshal(said, &more); err != nil {
		return nil, fmt.Errorf("read what is said to draft %s: %w", d.ID, err)
	}
	for name, value := range more {
		var before, behind []json.RawMessage
		if json.Unmarshal(base[name], &before) == nil && json.Unmarshal(value, &behind) == nil {
			joined, err := json.Marshal(append(before, behind...))
			if err != nil {
				return nil, fmt.Errorf("add to draft %s: %w", d.ID, err)
			}
			value = joined
		}
		base[name] = value
	}
	return json.Marshal(base)
}

// Changed is the JSON shape of what an event did.
type Changed struct {
	gate.Change
	ID   packet.ID `json:"id,omitempty"`   // of the record that takes the place of what was changed
	Undo string    `json:"undo,omitempty"` // for a person, the command that takes it back
}
