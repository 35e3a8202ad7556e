package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// The bounds of an achievement.
const (
	achievementLife = 90 * 24 * time.Hour // it counts so long
	longestAuthor   = 128                 // characters of a name that a record holds
)

type achievementOptions struct {
	since       string
	apply, json bool

	within git.Range
}

func newAchievements(e *env) *cobra.Command {
	var o achievementOptions
	cmd := &cobra.Command{
		Use:   "achievements",
		Short: "Note what your commits and tags brought about",
		Long: "Achievements reads the history of HEAD and lists what you brought about: commits whose subject or trailers call them a\n" +
			"feature, a fix, a gain in speed or a breaking change, and annotated tags that name a version. Yours are those with your\n" +
			"user.email. What was reverted does not count, and nothing of what others wrote is taken.\n\n" +
			"It only lists them. With --apply each becomes a note of the kind achievement. The note is named after the commit or the\n" +
			"tag, has its time, and ends 90 days after it; what is older is left out. A second run, here or in another clone of\n" +
			"yours, adds nothing. A text that the gate rejects is left out and reported.\n\n" +
			"Each line has what became of it, the id of the note, the impact and the text. --json prints an array of objects with\n" +
			"state (new, stored, known or refused), id, commit, tag, text, impact, created_at and expires_at.\n\n" + exitCodes,
		Example: "  git ltm achievements --since v1.2.0\n  git ltm achievements --apply",
		Args:    arguments(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.achievements(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "",
		"behind this revision, or since a date, a time or an age such as 2w: `REV|WHEN`")
	f.BoolVar(&o.apply, "apply", false, "store them")
	f.BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}

// achieved is one achievement, and what became of it; it is its JSON shape too.
type achieved struct {
	State   string    `json:"state"`
	ID      packet.ID `json:"id"`
	Commit  string    `json:"commit"`
	Tag     string    `json:"tag,omitempty"`
	Text    string    `json:"text"`
	Impact  string    `json:"impact"`
	Created string    `json:"created_at"`
	Expires string    `json:"expires_at"`

	note []byte
}

func (e *env) achievements(ctx context.Context, o achievementOptions) error {
	o.within.Since = e.now().Add(-achievementLife)
	if since, err := reply.ParseWhen(o.since, e.now()); err != nil {
		o.within.Not = o.since
	} else if since.After(o.within.Since) {
		o.within.Since = since
	}
	return e.use(ctx, func(m *memory.Memory) error {
		if m.IsUser() {
			return usagef("a user-wide memory has no commits; run it inside a repository")
		}
		all, err := achievementsOf(ctx, m, o.within)
		if err != nil {
			return err
		}
		if err := e.keepAchievements(ctx, m, all, o); err != nil {
			return err
		}
		return e.printAchievements(all, o)
	})
}

// achievementsOf returns what the person at work has achieved in a part of the history, the oldest first.
func achievementsOf(ctx context.Context, m *memory.Memory, within git.Range) ([]*achieved, error) {
	_, email, err := m.Repo().Identity(ctx)
	if err == nil && email == "" {
		err = usagef("nothing says whose commits count; git config user.email ADDRESS")
	}
	if err != nil {
		return nil, err
	}
	made, err := m.Repo().Commits(ctx, within)
	if err != nil {
		return nil, err
	}
	commits, here := make([]garden.Commit, len(made)), map[string]bool{}
	for i, c := range made {
		commits[i] = garden.Commit{
			Hash: c.Hash, Subject: c.Subject, Body: c.Body, Author: c.Author,
			Email: c.Email, At: c.At,
		}
		here[c.Hash] = true
	}
	var all []*achieved
	for _, a := range garden.Achievements(commits, email) {
		all = append(all, achievedBy(a, "commit:"+a.Key, ""))
	}
	tags, err := m.Repo().TagsMade(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tags {
		if t.At.Before(within.Since) || within.Not != "" && !here[t.Commit] {
			continue
		}
		// Whoever makes a release may not have written the commit, and a tag can come when the commit was
		// noted.
		tagged := garden.Commit{
			Hash: t.Commit, Author: t.Maker, Email: t.Email, At: t.At,
			Tags: []string{t.Name},
		}
		for _, a := range garden.Achievements([]garden.Commit{tagged}, email) {
			all = append(all, achievedBy(a, "tag:"+t.Object, t.Name))
		}
	}
	slices.SortStableFunc(all, func(a, b *achieved) int {
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return all, nil
}

// achievedBy makes a note of an achievement. Everything in it comes from the commit or the tag, so that each
// clone makes the same.
func achievedBy(a garden.Achievement, key, tag string) *achieved {
	done := achieved{
		State: achievedNew, ID: packet.DeriveID(key, a.At), Commit: a.Key, Tag: tag, Text: a.Text,
		Impact:  a.Impact,
		Created: reply.Stamp(a.At), Expires: reply.Stamp(a.At.Add(achievementLife)),
	}
	note := map[string]any{
		"type": packet.KindNote, "id": done.ID, "created_at": done.Created, "kind": "achievement",
		"text": a.Text, "impact": a.Impact,
		"expires_at": done.Expires, "anchor": map[string]any{"commit": a.Key}, "origin": "tool",
	}
	if len(a.Tags) > 0 {
		note["tags"] = a.Tags
	}
	if name := clean.Line(a.Author); name != "" && utf8.RuneCountInString(name) <= longestAuthor {
		note["provenance"] = map[string]any{"author_human": name}
	}
	done.note, _ = json.Marshal(note) //nolint:errchkjson // Strings.
	return &done
}
