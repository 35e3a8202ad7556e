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

// completePacket fills what the packet lacks.
func (w *Writer) completePacket(ctx context.Context, rec *packet.Record, req SaveRequest, at *place) error {
	if req.Form == AsIs {
		return nil
	}
	if err := w.setParent(ctx, rec, req); err != nil {
		return err
	}
	rec.Remove("scan") // Only the gate says how a packet was scanned.
	if at.known != nil {
		completeKnown(rec, at.known)
		return rec.Set("ltm_version", at.known.record.Version())
	}
	if err := setMissing(rec, "id", string(at.id)); err != nil {
		return err
	}
	if err := setMissing(rec, "created_at", w.opts.Now().UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	if err := w.linkThread(ctx, rec, req, at); err != nil {
		return err
	}
	if err := w.describeOrigin(ctx, rec, at.wait()); err != nil {
		return err
	}
	if err := w.opts.Reader.Citations().Fill(ctx, rec); err != nil {
		return err
	}
	return rec.Set("ltm_version", packet.Version)
}

// place is where a packet is going to be stored, and the answer of git that is
// on its way.
type place struct {
	id    packet.ID
	known *Stored // what stands there already
	wait  func() Survey

	newest packet.ID     // the newest packet that was known before
	beside replay.Choice // what could be continued, where a new thread begins
}

// setParent writes the parent that the request names.
func (w *Writer) setParent(ctx context.Context, rec *packet.Record, req SaveRequest) error {
	if req.Continue == "" {
		return nil
	}
	parent, err := w.opts.Reader.Find(ctx, req.Continue)
	if err != nil {
		return err
	}
	return rec.Set("parent_id", string(parent.ID))
}

// linkThread makes the packet that this one continues its parent.
func (w *Writer) linkThread(ctx context.Context, rec *packet.Record, req SaveRequest, at *place) error {
	if req.Link == Begin || rec.Has("parent_id") || rec.Has("parents") {
		return nil
	}
	head, beside, err := w.opts.Threads.Continued(ctx,
		replay.Beginning{Goal: rec.Packet().Goal, Session: req.Session, Reach: req.Reach})
	if err != nil || head == "" {
		at.beside = beside
		return err
	}
	return rec.Set("parent_id", string(head))
}

// Survey is what git says of the person and the place.
type Survey struct {
	author string
	Head   git.Head
	Dirty  bool
	err    error
}

// surveyPlace asks git about the person and the place while a save goes on, and
// returns what waits for the answer. Nothing is asked that the packet says
// itself.
func (w *Writer) surveyPlace(ctx context.Context, rec *packet.Record) (wait func() Survey) {
	var s Survey
	var authorErr, headErr error
	var asked sync.WaitGroup
	if !rec.Has("provenance") {
		asked.Go(func() { s.author, authorErr = w.personName(ctx) })
	}
	if !rec.Has("anchor") {
		asked.Go(func() {
			if s.Head, headErr = w.HeadNow(ctx); headErr == nil {
				s.Dirty, _ = w.opts.Repo.Dirty(ctx, s.Head.Tree)
			}
		})
	}
	return func() Survey {
		asked.Wait()
		s.err = errors.Join(authorErr, headErr)
		return s
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
	if !w.opts.Repo.MaybeSet("branch." + head.Branch + ".merge") {
		return head, nil
	}
	upstream, sure := w.opts.Repo.PlainUpstream(head.Branch)
	if !sure {
		return w.opts.Repo.Resolve(ctx)
	}
	if at, err := w.opts.Store.Resolve(ctx, upstream); err != nil || at != head.Commit {
		return w.opts.Repo.Resolve(ctx) // It is gone, or what both have is further back.
	}
	head.Upstream, head.MergeBase = upstream, head.Commit
	return head, nil
}

// describeOrigin says who wrote the packet and where in the history it stands.
func (w *Writer) describeOrigin(ctx context.Context, rec *packet.Record, s Survey) error {
	if s.err != nil {
		return s.err
	}
	author, err := w.fitAuthor(ctx, s.author)
	if err != nil {
		return err
	}
	return w.setOrigin(rec, author, s.Anchor())
}

// setOrigin says who made a record and where in the history it stands, where it does not say so itself.
func (w *Writer) setOrigin(rec *packet.Record, author string, anchor map[string]any) error {
	if (author != "" || w.jobName() != "") && !rec.Has("provenance") {
		if err := rec.Set("provenance", w.writtenBy(author)); err != nil {
			return err
		}
	}
	if len(anchor) > 0 && !rec.Has("anchor") {
		return rec.Set("anchor", anchor)
	}
	return nil
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
	name, sure := w.opts.Repo.PlainSetting("user.name")
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
