package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The last argument of the process that makes a repository for hooks: with records that this clone made, and with records of
// which nobody here knows who made them.
const (
	hooksStyle    = "hooks"
	strangerStyle = "strangers"
)

// forHooks tells whether a repository holds records of every kind.
func (r *repo) forHooks() bool { return r.style == hooksStyle || r.style == strangerStyle }

// mixed writes the record of a number: of each twenty, twelve are packets, five are notes and three are skips.
func (r *repo) mixed(i int, id packet.ID, at time.Time) (kind string, data []byte) {
	switch i % 20 {
	case 3, 7, 11, 15, 19:
		return "notes", r.note(i, id, at)
	case 5, 10, 17:
		match := map[string]string{"command": r.command(i)}
		switch i % 3 {
		case 1:
			match = map[string]string{"path": "src/" + r.text(1) + "/**"}
		case 2:
			match = map[string]string{"words": r.text(30)}
		}
		return "skips", r.record(id, at, map[string]any{
			"type": "skip", "item": "Do not " + r.text(60), "reason": r.text(100), "match": match,
			"expires_at": at.Add(300 * 24 * time.Hour).UTC().Format(time.RFC3339),
		})
	default:
		// A packet with two decisions and two failed attempts, of which one is a command.
		decision := func() map[string]any { return map[string]any{"what": r.text(80), "why": r.text(100)} }
		attempt := func(tried string) map[string]any {
			return map[string]any{"tried": tried, "outcome": "failed", "learned": r.text(100)}
		}
		return "packets", r.record(id, at, map[string]any{
			"ltm_version": packet.Version, "goal": r.text(100), "next_step": r.text(80),
			"decisions": []map[string]any{decision(), decision()},
			"attempts":  []map[string]any{attempt(r.text(80)), attempt(r.command(i))},
		})
	}
}

// text is so many bytes of words.
func (r *repo) text(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(r.words[r.rand.IntN(len(r.words))] + " ")
	}
	return strings.TrimSpace(b.String())
}

// command is a command of the kind that fails: programs and their words are few, what they are about is not.
func (r *repo) command(i int) string {
	programs := []string{"npm run", "npm install", "go test", "go build", "make", "docker build", "pytest", "cargo build", "kubectl apply", "terraform apply"}
	return fmt.Sprintf("%s --with-%s %s", programs[i%len(programs)], r.text(1), r.text(1))
}

// record is a record of a kind with what every one has.
func (r *repo) record(id packet.ID, at time.Time, members map[string]any) []byte {
	rec := new(packet.Record)
	members["id"], members["created_at"] = string(id), at.UTC().Format(time.RFC3339)
	members["anchor"] = map[string]any{"branch": "main", "commit": r.commit}
	members["provenance"] = map[string]string{"author_human": "Bench"}
	for name, value := range members {
		if err := rec.Set(name, value); err != nil {
			panic(err)
		}
	}
	return rec.Encode()
}

func (r *repo) note(i int, id packet.ID, at time.Time) []byte {
	kinds := []string{"fact", "pitfall", "preference", "learning", "procedure"}
	return r.record(id, at, map[string]any{"type": "note", "kind": kinds[i%len(kinds)], "text": r.text(200), "paths": []string{"src/" + r.text(1) + ".go"}})
}

// claim notes that this clone made the records, as it does of each that it saves.
func (r *repo) claim(made []journal.Entry) error {
	if r.style != hooksStyle {
		return nil
	}
	return journal.Open(local.At(filepath.Join(r.dir, ".git", "ltm", "seen"))).Append(made)
}
