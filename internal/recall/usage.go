package recall

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
)

// usage is which records were used in this clone. Two processes that count the same record at the same moment
// may count one use: it is a hint for ranking, and nothing else.
type usage struct {
	file  *journal.File
	known *journal.Reader
}

// Use is how often one record was used here.
type Use struct {
	Uses float64 // halves every 90 days, as of Last
	Last time.Time
}

func openUsage(m *memory.Memory) *usage {
	file := journal.Open(m.Repo().Local().OwnFile("usage"))
	return &usage{file: file, known: file.Reader()}
}

func (u *usage) useOf(id packet.ID) Use {
	text, _ := u.known.Find(string(id))
	return parseUse(text)
}

// Used counts real uses of records of a memory: somebody read one in full, resumed from it, confirmed or
// cited it. Where nothing can be written, none is counted.
func Used(m *memory.Memory, now time.Time, ids ...packet.ID) {
	openUsage(m).countUses(ids, now, func(u Use, now time.Time) Use {
		return Use{Uses: rank.AddUse(u.Uses, u.Last, now), Last: now}
	})
}

func (u *usage) countUses(ids []packet.ID, now time.Time, more func(Use, time.Time) Use) {
	entries := make([]journal.Entry, 0, len(ids))
	for _, id := range ids {
		entries = append(entries, journal.Entry{Key: string(id), Value: more(u.useOf(id), now).asText()})
	}
	if len(entries) > 0 {
		_ = u.file.Append(entries)
	}
	u.known = u.file.Reader()
}

func (u Use) asText() string {
	last := ""
	if !u.Last.IsZero() {
		last = u.Last.UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("uses=%.4f last=%s", u.Uses, last)
}

// parseUse reads what text wrote. What is damaged says that there was no use.
func parseUse(text string) Use {
	var u Use
	for field := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "uses":
			u.Uses, _ = strconv.ParseFloat(value, 64)
		case "last":
			u.Last, _ = time.Parse(time.RFC3339, value)
		}
	}
	return u
}
