package session

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of what sessions were shown: a program that an agent runs does not surely know of which session it is, so that all of
// this clone count that were at work in the last day.
const (
	shownFor     = 24 * time.Hour
	shownFiles   = 64  // of them the last
	shownRecords = 512 // and of their records so many
)

// Shown returns what finds the records that agents were shown: those that the files of sessions name, and those that the index knows by
// the words of the texts, which are also what an agent asked for itself. Where the one cannot be read, the other one is looked at: for
// a save that nobody can compare, nothing is lost.
func Shown(now func() time.Time) func(*memory.Memory) gate.Shown {
	return func(m *memory.Memory) gate.Shown {
		return func(ctx context.Context, texts []string) ([]replay.Entry, error) {
			all := recall.Near(ctx, m, recall.Options{Now: now}, texts)
			for _, id := range shownIDs(m.Repo().Local(), now()) {
				if e, err := m.FindAny(ctx, string(id)); err == nil && !e.Trusted() {
					all = append(all, e)
				}
			}
			return all, ctx.Err()
		}
	}
}

// shownIDs are the records that the files of sessions of the last day name.
func shownIDs(dir *local.Dir, now time.Time) []packet.ID {
	folder := filepath.Dir(openState(dir, agent.Moment{}).file.Path())
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	type file struct {
		name string
		at   time.Time
	}
	var files []file
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) < shownFor {
			files = append(files, file{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.name, b.name)) })
	var all []packet.ID
	known := map[packet.ID]bool{}
	for _, f := range files[:min(len(files), shownFiles)] {
		data, err := dir.Own("sessions").File(f.name).Read(maxState)
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
