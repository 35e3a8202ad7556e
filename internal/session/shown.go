package session

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of what sessions were shown: a program that an agent runs does not surely know of which session
// it is, so that all of this clone count that were at work in the last day.
const (
	shownFor     = 24 * time.Hour
	shownFiles   = 64  // of them the last
	shownRecords = 512 // and of their records so many
)

// Shown returns what finds the records that agents were shown: those that the files of sessions name, and
// those that the index knows by the words of the texts, which are also what an agent asked for itself. It
// looks into the memory that is saved to, and into those of the clones at other places, where the session may
// be at work. Where one cannot be read, the others are looked at: for a save that nobody can compare, nothing
// is lost. Of the options, those count that a process has.
func Shown(o memory.Options, places ...string) func(*memory.Memory) gate.Shown {
	return func(m *memory.Memory) gate.Shown {
		return func(ctx context.Context, texts []string) ([]replay.Entry, error) {
			all := shownIn(ctx, m, o.Now, texts)
			looked := []string{m.Repo().CommonDir}
			for _, place := range places {
				repo, err := git.Find(ctx, place, git.Nowhere(o.Env))
				if err != nil || slices.Contains(looked, repo.CommonDir) {
					continue
				}
				looked = append(looked, repo.CommonDir)
				other, err := memory.Open(ctx, memory.Options{
					Dir: place, Env: git.Nowhere(o.Env), Now: o.Now, Entropy: o.Entropy, Offline: true,
					View: recall.Views(o.Now),
				})
				if err == nil {
					all = append(all, shownIn(ctx, other, o.Now, texts)...)
					_ = other.Close()
				}
			}
			return all, ctx.Err()
		}
	}
}

// shownIn are the records of one memory that agents were shown.
func shownIn(ctx context.Context, m *memory.Memory, now func() time.Time, texts []string) []replay.Entry {
	all := recall.Near(ctx, m, recall.Options{Now: now}, texts)
	for _, id := range shownIDs(m.Repo().Local(), now()) {
		if e, err := m.FindAny(ctx, string(id)); err == nil && !e.Trusted() {
			all = append(all, e)
		}
	}
	return all
}

// shownIDs are the records that the files of sessions of the last day name.
func shownIDs(dir *local.Dir, now time.Time) []packet.ID {
	folder := filepath.Dir(openState(dir, agent.Moment{}).file.Path())
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var files []fs.FileInfo
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() &&
			now.Sub(info.ModTime()) < shownFor {
			files = append(files, info)
		}
	}
	slices.SortStableFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var all []packet.ID
	known := map[packet.ID]bool{}
	for _, f := range files[:min(len(files), shownFiles)] {
		data, err := dir.Own("sessions").File(f.Name()).Read(maxState)
		if err != nil {
			continue
		}
		for word := range bytes.FieldsSeq(data) {
			id, err := packet.ParseID(strings.TrimPrefix(string(word), warned))
			if err == nil && !known[id] && len(all) < shownRecords {
				known[id] = true
				all = append(all, id)
			}
		}
	}
	return all
}
