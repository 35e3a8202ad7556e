package replay

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// RecentThread is how old a thread may be to be continued by itself, and to be said where a branch stands by others.
const RecentThread = 14 * 24 * time.Hour

// The bounds of a search for the thread that a new packet continues by itself.
const (
	ownRead    = 6 // of the user's own packets, so many are read
	othersRead = 4 // and of others
)

// Beginning is a packet that is about to be stored, as far as its thread depends on it.
type Beginning struct {
	Goal    string
	Session packet.ID // the last packet of the session that saves it; "" where that is not known
	Reach   Reach
}

// Continued says which packet a new one continues: the last of its session, else the newest of the user's own threads of this branch
// that is recent, open and has a goal that is alike. Where it is none, beside is an open packet of the branch, the user's own first, by
// which somebody might go on. A detached HEAD has no thread, and what is private is in no thread that travels.
func (t *Threads) Continued(ctx context.Context, b Beginning) (head packet.ID, beside Choice, err error) {
	if b.Session != "" {
		if ok, err := t.continuesSession(ctx, b); err != nil || ok {
			return b.Session, Choice{}, err
		}
	}
	branch := t.reader.opts.Repo.Head.Branch
	if branch == "" {
		return "", Choice{}, nil
	}
	since := t.reader.opts.Now().Add(-RecentThread)
	left, own, others := searched, ownRead, othersRead
	for ref, err := range t.reader.Everything(ctx, refs.Query{Kind: refs.Packets, Newest: true, Remotes: true}) {
		if err != nil {
			return "", Choice{}, err
		}
		if left--; left < 0 || own <= 0 || ref.Name.ID.Time().Before(since) {
			break
		}
		if !t.maybeOwn(ref.Name) && (beside.ID != "" || others <= 0) || ref.Name.Private && b.Reach == Shared {
			continue
		}
		e, ok, err := t.reader.listed(ctx, ref, &State{})
		if err != nil {
			return "", Choice{}, err
		}
		if !ok || e.packet.Anchor.Branch != branch || e.Withheld(Asked) != "" {
			others--
			continue
		}
		isOwn, err := t.Own(ctx, e)
		if err != nil {
			return "", Choice{}, err
		}
		if isOwn {
			own--
		} else {
			others--
		}
		alike := isOwn && garden.SameMatter(b.Goal, e.packet.Goal)
		if !alike && beside.ID != "" && (beside.Own || !isOwn) {
			continue
		}
		e, hidden, err := t.lived(ctx, e)
		switch {
		case err != nil:
			return "", Choice{}, err
		case hidden:
			continue
		case alike && e.Life.Closed:
			return "", Choice{}, nil // What it was after is done.
		case alike:
			return e.ID, Choice{}, nil
		case !e.Life.Closed:
			beside = Choice{Entry: e, Own: isOwn}
		}
	}
	return "", beside, nil
}

// continuesSession tells whether a packet continues the last one of its session: that is open, and may be named.
func (t *Threads) continuesSession(ctx context.Context, b Beginning) (bool, error) {
	ref, err := t.reader.LookupAny(ctx, refs.Packets, string(b.Session))
	if errors.Is(err, ErrNotFound) || ref.Name.Private && b.Reach == Shared {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	e, ok, err := t.reader.listed(ctx, ref, &State{})
	if err != nil || !ok || e.Withheld(Asked) != "" {
		return false, err
	}
	e, hidden, err := t.lived(ctx, e)
	return err == nil && !hidden && !e.Life.Closed, err
}

// lived says what became of a packet that was read without looking, and whether it is hidden. No more events are read for it than
// those that came since.
func (t *Threads) lived(ctx context.Context, e Entry) (_ Entry, hidden bool, err error) {
	since, err := packet.NewID(e.ID.Time().Add(-aheadOf), bytes.NewReader(make([]byte, idLength)), "")
	if err != nil {
		return e, false, err
	}
	events, err := Collect(t.reader.Everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true, After: since}))
	if err == nil {
		events, err = t.reader.Counting(ctx, events)
	}
	if err != nil {
		return e, false, err
	}
	s, err := t.reader.foldThese(ctx, events)
	if err != nil {
		return e, false, err
	}
	e.Life = s.Lives[e.ID]
	return e, s.leavesOut(e.ID, Query{}) || expired(e.ExpiresAt(), t.reader.opts.Now()), nil
}

// aheadOf is how far the clock of who takes a packet back may be behind that of who saved it, for a save to see it. A thread passes
// over what was taken back in any case.
const aheadOf = time.Hour

// Own tells whether the user made a packet: this clone did, or it is signed by a trusted key that a list names with the address that
// the user commits with. What a record says of its author decides nothing.
func (t *Threads) Own(ctx context.Context, e Entry) (bool, error) {
	if e.Made || !slices.Contains([]sign.Standing{sign.Good, sign.Expired}, e.Verdict.Standing) {
		return e.Made, nil
	}
	email, sure := t.reader.opts.Repo.PlainSetting("user", "email")
	if !sure {
		config, err := t.reader.opts.Repo.Config(ctx)
		if err != nil {
			return false, err
		}
		email, _ = config.Get("user.email")
	}
	return email != "" && vouch.Person(e.Verdict) == strings.ToLower(email), nil
}

// maybeOwn tells whether a record may be the user's own by what this clone knows without reading it.
func (t *Threads) maybeOwn(name refs.Name) bool {
	was, known := t.reader.opts.Seen.Find(name)
	return !known || was.Made || was.Tag != ""
}
