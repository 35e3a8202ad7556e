package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// ErrNothing says that a session left nothing worth a draft.
var ErrNothing = errors.New("the session left nothing to keep")

// liveFor is how recently a session must have been at work for the place where the repository stands now to
// be its own.
const liveFor = 10 * time.Minute

// KeepRequest says what is known of a session whose draft shall be kept.
type KeepRequest struct {
	Host       transcript.Format    // who wrote the transcript; "" finds it out
	Session    string               // the session, where the transcript does not name it
	Transcript string               // the file of the transcript; a session may have none
	Source     io.Reader            // read in the place of the file
	Summary    string               // the client's own summary, where a hook was told one
	Failures   []transcript.Command // what hooks saw fail
	Now        time.Time            // required
	Talk       bool                 // keep a session too that only talked

	// Refine may let a model work on the draft; nil leaves it as rules made it, and so does an error of it.
	// It runs a program or asks a server, so a hook that somebody waits for does not set it.
	Refine func(context.Context, distill.Draft) (distill.Draft, error)
}

// Kept is a draft of a session that is ready to be kept.
type Kept struct {
	Draft   draft.Draft
	Refused error // why the draft was not refined
}

// Keep keeps the draft of a session: its transcript is read, masked, distilled and stored, in the place of
// the draft that an earlier moment of the session left. [ErrNothing] says that there was nothing to keep.
// Nothing is stored where the scan for secrets cannot run. A draft that is kept as rules made it, because the
// model failed, is a *[RefineError] beside its id.
func Keep(ctx context.Context, m *memory.Memory, req KeepRequest) (packet.ID, error) {
	s, err := req.readSession(ctx)
	if err != nil {
		return "", err
	}
	of := agent.Moment{Host: agent.Host(s.Format), Session: cmp.Or(req.Session, s.ID)}
	// Without it, a call is held back once more, or warned of.
	_ = openState(m.Repo().Local(), of).learnOutcomes(m.Repo(), s.Commands)
	_ = m.Drafts().Settle(ctx, s.Ended, workedLast(m.Repo(), s.Commands))
	before := openState(m.Repo().Local(), of)
	before.loadFile()
	made, err := distillSession(ctx, m, req, s)
	if err != nil {
		return "", err
	}
	kept := stateOf(m, made.Draft)
	kept.loadFile()
	if kept.saved.After(before.saved) {
		return "", ErrNothing // A packet was made of it meanwhile, which a model may take minutes for.
	}
	if !kept.saved.IsZero() && !made.Draft.Ended.Truncate(time.Millisecond).After(kept.saved) {
		return "", ErrNothing // A packet was made of it.
	}
	saved, err := packet.ParseID(s.Saved)
	if err == nil {
		_, err = m.Find(ctx, string(saved))
	}
	if err == nil {
		if !workedSince(s, s.SavedN) { // What is worth keeping of it is that packet.
			if before, err := m.Drafts().Named(ctx, draft.OfSession(string(of.Host), of.Session)); err == nil {
				return "", cmp.Or(m.Drafts().Drop(ctx, before), ErrNothing)
			}
			return "", ErrNothing
		}
		if kept.thread == "" { // Else the draft would begin another one.
			_ = kept.appendLines(fmt.Sprintf("thread - %s\n", saved))
		}
	}
	if !of.Host.Hears(agent.Stop) && isSubstantial(s) {
		saved, err := m.Source().MadeSince(ctx, s.Began)
		made.Draft.Owes = err == nil && !saved
	}
	id, err := m.Drafts().Keep(ctx, made.Draft)
	if err == nil && made.Refused != nil {
		err = &RefineError{made.Refused}
	}
	return id, err
}

// workedSince tells whether a session went on behind a place: a file was written, a command failed, or the
// person said more than thanks.
func workedSince(s transcript.Session, n int) bool {
	const thanks = 3 // words
	return s.EditN > n ||
		slices.ContainsFunc(s.Prompts, func(p transcript.Said) bool {
			return p.N > n && len(strings.Fields(p.Text)) > thanks
		}) ||
		slices.ContainsFunc(s.Commands, func(c transcript.Command) bool { return c.Failed && c.N > n })
}

// RefineError says why no model worked on a draft. The draft stays as rules made it.
type RefineError struct{ Err error }

func (e *RefineError) Error() string { return "the draft stays as rules made it: " + e.Err.Error() }

func (e *RefineError) Unwrap() error { return e.Err }

// Distill does what Keep does and stores nothing. What it returns is masked.
func Distill(ctx context.Context, m *memory.Memory, req KeepRequest) (Kept, error) {
	s, err := req.readSession(ctx)
	if err != nil {
		return Kept{}, err
	}
	return distillSession(ctx, m, req, s)
}

// distillSession is what is kept of a session that was read.
func distillSession(ctx context.Context, m *memory.Memory, req KeepRequest,
	s transcript.Session,
) (_ Kept, err error) {
	seen := transcript.Session{Commands: req.Failures, Dir: s.Dir}
	if len(s.Commits) > 0 {
		// Whoever follows the name of a commit that is not in the history of what is checked out finds nothing.
		// Where the history cannot be read, none is there.
		here, _ := m.Repo().History().Commits(ctx, git.Range{Since: s.Began})
		for i, c := range s.Commits {
			s.Commits[i].Replaced = c.Replaced || !slices.ContainsFunc(here, func(made git.CommitMade) bool {
				return strings.HasPrefix(made.Hash, c.ID)
			})
		}
	}
	s = distill.Below(s, topNames(m.Repo().WorkTree)...)
	x := distill.Extra{
		Failures: distill.Below(seen, topNames(m.Repo().WorkTree)...).Commands,
		Summary:  req.Summary,
	}
	format, id := s.Format, s.ID // They only say whose draft it is, and pass the gate with it.
	if s, _, err = maskValue(ctx, m, s); err != nil {
		return Kept{}, err
	}
	if s.Format, s.ID = format, id; len(x.Failures) > 0 || x.Summary != "" {
		if x, _, err = maskValue(ctx, m, x); err != nil {
			return Kept{}, err
		}
	}
	d := distill.From(s, x)
	if d.Packet == nil || d.Talk && !req.Talk {
		return Kept{}, ErrNothing
	}
	var refused error
	if req.Refine != nil {
		if refined, err := req.Refine(ctx, d); err == nil {
			d = refined
		} else {
			refused = err
		}
	}
	if d.Packet, _, err = m.Drafts().Mask(ctx, d.Packet); err != nil {
		return Kept{}, err
	}
	if s.Ended.IsZero() {
		s.Ended = req.Now
	}
	return Kept{Draft: draft.Draft{
		Packet: d.Packet, Origins: d.Origins, Summary: d.Summary, Host: string(s.Format), Session: s.ID,
		Began: s.Began, Ended: s.Ended, Here: req.Now.Sub(s.Ended) < liveFor,
		Masked: draft.Masks(string(d.Packet) + d.Summary),
	}, Refused: refused}, nil
}

// topNames are the names of the top of a work tree: as git tells it, and as the file system does.
func topNames(top string) []string {
	if top == "" {
		return nil
	}
	if found, err := filepath.EvalSymlinks(top); err == nil && found != top {
		return []string{top, found}
	}
	return []string{top}
}

// maskValue returns a value without what must not travel, and as JSON. It is masked whole, before anything
// of it is cut: a part of a secret looks like none.
func maskValue[T any](ctx context.Context, m *memory.Memory, v T) (out T, data []byte, err error) {
	if data, err = json.Marshal(v); err == nil {
		data, _, err = m.Drafts().Mask(ctx, data)
	}
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		return out, nil, fmt.Errorf("mask session: %w", err)
	}
	return out, data, nil
}
