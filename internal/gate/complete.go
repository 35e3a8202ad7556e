package gate

import (
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
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// The bounds of what a save fills in. Longer values are left out or cut.
const (
	maxBranch = 255
	maxAuthor = 128
)

// completeRecord fills what a record lacks: from the one that is there already, or else from here and now.
func (w *Writer) completeRecord(ctx context.Context, rec *packet.Record, req SaveRequest, at *place) error {
	if req.Form == AsIs {
		return nil
	}
	if req.Continue != "" {
		parent, err := w.opts.Reader.Find(ctx, req.Continue)
		if err != nil {
			return err
		}
		if err := rec.Set("parent_id", string(parent.ID)); err != nil {
			return err
		}
	}
	rec.Remove("scan") // Only the gate says how a record was scanned.
	version := packet.Version
	if at.known != nil {
		completeKnown(rec, at.known)
		version = at.known.record.Version()
	} else if err := w.completeNew(ctx, rec, req, at); err != nil {
		return err
	}
	if rec.Kind() != packet.KindPacket {
		return nil
	}
	return rec.Set("ltm_version", version)
}

// completeNew fills what a record that is made here and now lacks.
func (w *Writer) completeNew(ctx context.Context, rec *packet.Record, req SaveRequest, at *place) error {
	if err := setMissing(rec, "id", string(at.id)); err != nil {
		return err
	}
	if err := setMissing(rec, "created_at", at.time.Format(time.RFC3339)); err != nil {
		return err
	}
	if rec.Kind() == packet.KindPacket && req.Link == Choose && !rec.Has("parent_id") && !rec.Has("parents") {
		head, beside, err := w.opts.Threads.Continued(ctx,
			replay.Beginning{Goal: rec.Packet().Goal, Session: req.Session, Reach: req.Reach})
		switch {
		case err != nil:
			return err
		case head == "":
			at.beside = beside
		default:
			if err := rec.Set("parent_id", string(head)); err != nil {
				return err
			}
		}
	}
	author, anchor, err := at.origin()
	if err != nil {
		return err
	}
	if (author != "" || w.jobName() != "") && !rec.Has("provenance") {
		if err := rec.Set("provenance", w.writtenBy(author)); err != nil {
			return err
		}
	}
	if len(anchor) > 0 && !rec.Has("anchor") {
		if err := rec.Set("anchor", anchor); err != nil {
			return err
		}
	}
	return w.opts.Reader.Citations().Fill(ctx, rec)
}

// place is where a record is going to be stored, and what is filled in of here and now.
type place struct {
	time   time.Time
	newest packet.ID // the newest id that is known or was given
	// who makes it, and where in the history it stands; it waits for the answer of git that is on its way
	origin func() (author string, anchor map[string]any, err error)

	id     packet.ID
	known  *Stored       // what stands there already
	beside replay.Choice // what could be continued, where a new thread begins
}

// Survey is what git says of the place.
type Survey struct {
	Head  git.Head
	Dirty bool
}

// surveyPlace asks git about the person and the place while a save goes on, and
// returns what waits for the answer. Nothing is asked that the packet says
// itself.
func (w *Writer) surveyPlace(ctx context.Context,
	rec *packet.Record,
) (wait func() (author string, anchor map[string]any, err error)) {
	var author string
	var s Survey
	var authorErr, headErr error
	var asked sync.WaitGroup
	if !rec.Has("provenance") {
		asked.Go(func() { author, authorErr = w.personName(ctx) })
	}
	if !rec.Has("anchor") {
		asked.Go(func() {
			if s.Head, headErr = w.HeadNow(ctx); headErr == nil {
				s.Dirty, _ = w.opts.Repo.Dirty(ctx, s.Head.Tree)
			}
		})
	}
	return func() (string, map[string]any, error) {
		asked.Wait()
		if err := errors.Join(authorErr, headErr); err != nil {
			return "", nil, err
		}
		fit, err := w.fitAuthor(ctx, author)
		return fit, s.Anchor(), err
	}
}

// HeadNow returns what the work tree stands on. Git is asked where the branch is not plainly that of its
// upstream.
func (w *Writer) HeadNow(ctx context.Context) (git.Head, error) {
	head := w.opts.Repo.Head
	if head.Branch == "" || head.Commit != "" {
		return w.opts.Repo.Resolve(ctx)
	}
	var err error
	if head.Commit, head.Tree, err = w.opts.Store.Tip(ctx, "refs/heads/"+head.Branch); err != nil {
		return w.opts.Repo.Resolve(ctx)
	}
	if !w.opts.Repo.Settings().MaybeSet("branch." + head.Branch + ".merge") {
		return head, nil
	}
	upstream, sure := w.opts.Repo.Settings().PlainUpstream(head.Branch)
	if !sure {
		return w.opts.Repo.Resolve(ctx)
	}
	if at, err := w.opts.Store.Resolve(ctx, upstream); err != nil || at != head.Commit {
		return w.opts.Repo.Resolve(ctx) // It is gone, or what both have is further back.
	}
	head.Upstream, head.MergeBase = upstream, head.Commit
	return head, nil
}

// completeKnown takes what a save once added from the record that is there, so that a record that is saved
// again is the same.
func completeKnown(rec *packet.Record, known *Stored) {
	for _, name := range []string{"id", "created_at", "parent_id", "provenance", "anchor", "scan"} {
		if !rec.Has(name) {
			rec.CopyFrom(known.record, name)
		}
	}
	citation.Refill(rec, known.record)
}

// personName is the name under which git commits here, however long it is. Some agents hide the settings of
// the user from what they run; then it is the name at setup.
func (w *Writer) personName(ctx context.Context) (string, error) {
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"} {
		if v, ok := w.opts.Repo.Env(name); ok && v != "" {
			return clean.Line(v), nil
		}
	}
	name, sure := w.opts.Repo.Settings().Plain("user.name")
	if !sure {
		config, err := w.opts.Config(ctx)
		if err != nil {
			return "", err
		}
		name, _ = config.Get("user.name")
	}
	if name == "" {
		u, _, err := upstream.Of(w.opts.Repo)
		if err != nil {
			return "", err
		}
		name = u.Name
	}
	return clean.Line(name), nil
}

// fitAuthor cuts a name to the length that a record may hold. It is scanned before, since a part of a secret
// looks like none.
func (w *Writer) fitAuthor(ctx context.Context, name string) (string, error) {
	if utf8.RuneCountInString(name) <= maxAuthor {
		return name, nil
	}
	rules, err := w.opts.Rules.Rules(ctx)
	if err != nil {
		return "", err
	}
	if hits := redact.Blocking(rules.ScanText(name)); len(hits) > 0 {
		for i := range hits {
			hits[i].Path = "/provenance/author_human"
		}
		return "", &replay.SecretError{Findings: hits}
	}
	return string([]rune(name)[:maxAuthor]), nil
}

// Anchor is the place in the history at which a packet is saved.
func (s Survey) Anchor() map[string]any {
	anchor, head := map[string]any{}, s.Head
	if head.Branch != "" && utf8.RuneCountInString(head.Branch) <= maxBranch &&
		utf8.ValidString(head.Branch) {
		anchor["branch"] = head.Branch
	}
	for name, id := range map[string]string{
		"commit": head.Commit, "tree": head.Tree,
		"merge_base": head.MergeBase,
	} {
		if id != "" {
			anchor[name] = id
		}
	}
	if s.Dirty {
		anchor["dirty"] = true
	}
	return anchor
}

// Author is the name under which records are made here, in the form that they hold it.
func (w *Writer) Author(ctx context.Context) (string, error) {
	name, err := w.personName(ctx)
	if err != nil {
		return "", err
	}
	return w.fitAuthor(ctx, name)
}

// writtenBy says who writes a record here: the person, and the agent that the person uses.
func (w *Writer) writtenBy(author string) map[string]string {
	by := map[string]string{"author_human": author}
	if w.opts.Agent != "" {
		by["agent"] = w.opts.Agent
	} else if job := w.jobName(); author == "" && job != "" {
		by = map[string]string{"agent": job}
	}
	return by
}

// jobName names the system of continuous integration in which git ltm runs; "" for none.
func (w *Writer) jobName() string {
	for _, ci := range [][2]string{
		{"GITHUB_ACTIONS", "GitHub Actions"},
		{"GITLAB_CI", "GitLab CI"},
		{"CI", "CI"},
	} {
		if v, _ := w.opts.Repo.Env(ci[0]); v != "" && v != "0" && v != "false" {
			return ci[1]
		}
	}
	return ""
}

// leaveOut takes out of a packet for the user-wide memory what speaks of places in a project, and returns the
// names of the members.
func (w *Writer) leaveOut(rec *packet.Record, form Form) []string {
	if !w.opts.Reader.IsUser() || form == AsIs {
		return nil
	}
	var left []string
	// Nobody could follow what speaks of places in a project.
	for _, name := range []string{"anchor", "paths", "cites"} {
		if rec.Has(name) {
			rec.Remove(name)
			left = append(left, name)
		}
	}
	return left
}
