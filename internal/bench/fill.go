package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// The vocabulary of records: as in any language, a few words stand everywhere and most almost nowhere.
const (
	vocabulary = 20_000
	commonest  = 4_000 // how often the first word stands in the list that words are drawn from
	treeFiles  = 100
)

// words makes text up, the same in each run.
type words struct {
	list []string // each as often as it is common
	own  []string // each once, the commonest first
	rand *rand.Rand
}

func newWords(seed uint64) words {
	w := words{rand: rand.New(rand.NewPCG(1, seed))} //nolint:gosec // The text must be the same in each run.
	made := rand.New(rand.NewPCG(3, 3))              //nolint:gosec // And the words.
	syllables := strings.Fields("ka ro mi te lo su ne pa dri fo gal ven tor qui xa bel")
	for i := range vocabulary {
		var b strings.Builder
		for range 2 + made.IntN(2) {
			b.WriteString(syllables[made.IntN(len(syllables))])
		}
		word := fmt.Sprintf("%s%c%c%c", &b, 'b'+i%23, 'b'+i/23%23, 'b'+i/529%23) // No other has this end.
		w.own = append(w.own, word)
		for range 1 + commonest/(i+1) {
			w.list = append(w.list, word)
		}
	}
	return w
}

// makeText is so many bytes of words.
func (w words) makeText(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(w.list[w.rand.IntN(len(w.list))] + " ")
	}
	return strings.TrimSpace(b.String())
}

// makeCommand is a command of the kind that fails: programs and their words are few, what they are about is
// not.
func (w words) makeCommand(i int) string {
	programs := []string{
		"npm run", "npm install", "go test", "go build", "make", "docker build", "pytest",
		"cargo build", "kubectl apply", "terraform apply",
	}
	return fmt.Sprintf("%s --with-%s %s", programs[i%len(programs)], w.makeText(1), w.makeText(1))
}

// writeTree writes the files that records speak of.
func (w words) writeTree(dir string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	for i := range treeFiles {
		var text strings.Builder
		for range 30 {
			fmt.Fprintf(&text, "%s = %s(%s)\n", w.makeText(1), w.makeText(1), w.makeText(20))
		}
		if err := os.WriteFile(filepath.Join(dir, w.own[i]+".go"), []byte(text.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// filler writes records of every kind, a minute apart.
type filler struct {
	words

	commit string
	start  time.Time
}

// writeRecords writes the records for an import, and notes the names of their refs.
func (f filler) writeRecords(out io.Writer, names []string) error {
	for i := range names {
		at := f.start.Add(time.Duration(i) * time.Minute)
		id, err := packet.NewID(at, f, "")
		if err != nil {
			return err
		}
		kind, data := f.writeMixed(i, id, at)
		names[i] = kind + "/" + string(id)
		if _, err := fmt.Fprintf(out, "blob\nmark :%d\ndata %d\n%s\n", i+1, len(data), data); err != nil {
			return err
		}
	}
	return nil
}

// Read reads random bytes.
func (f filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(f.rand.Uint32() & 0xFF)
	}
	return len(p), nil
}

// writeMixed writes the record of a number: of each twenty, twelve are packets, five are notes and three are
// skips.
func (f filler) writeMixed(i int, id packet.ID, at time.Time) (kind string, data []byte) {
	switch i % 20 {
	case 3, 7, 11, 15, 19:
		kinds := []string{"fact", "pitfall", "preference", "learning", "procedure"}
		file := f.makeText(1)
		if i == 3 { // Some record speaks of it, however few there are.
			file = f.own[1]
		}
		return "notes", f.writeRecord(id, at, map[string]any{
			"type": "note", "kind": kinds[i%len(kinds)], "text": f.makeText(200),
			"cites": []map[string]string{{"path": "src/" + file + ".go"}},
		})
	case 5, 10, 17:
		match := map[string]string{"command": f.makeCommand(i)}
		switch i % 3 {
		case 1:
			match = map[string]string{"path": "src/" + f.makeText(1) + "/**"}
		case 2:
			match = map[string]string{"words": f.makeText(30)}
		}
		return "skips", f.writeRecord(id, at, map[string]any{
			"type": "skip", "item": "Do not " + f.makeText(60), "reason": f.makeText(100), "match": match,
			"expires_at": at.Add(300 * 24 * time.Hour).UTC().Format(time.RFC3339),
		})
	default:
		// A packet with two decisions and two failed attempts, of which one is a command.
		decision := func() map[string]any { return map[string]any{"what": f.makeText(80), "why": f.makeText(100)} }
		attempt := func(tried string) map[string]any {
			return map[string]any{"tried": tried, "outcome": "failed", "learned": f.makeText(100)}
		}
		return "packets", f.writeRecord(id, at, map[string]any{
			"ltm_version": packet.Version, "goal": f.makeText(100), "next_step": f.makeText(80),
			"decisions": []map[string]any{decision(), decision()},
			"attempts":  []map[string]any{attempt(f.makeText(80)), attempt(f.makeCommand(i))},
		})
	}
}

// writeRecord is a record of a kind with what every one has. Without an id it is a draft.
func (f filler) writeRecord(id packet.ID, at time.Time, members map[string]any) []byte {
	rec := new(packet.Record)
	if id != "" {
		members["id"], members["created_at"] = string(id), at.UTC().Format(time.RFC3339)
		members["anchor"] = map[string]any{"branch": "main", "commit": f.commit}
	}
	members["provenance"] = map[string]string{"author_human": "Bench"}
	for name, value := range members {
		if err := rec.Set(name, value); err != nil {
			panic(err) // The members are right.
		}
	}
	return rec.Encode()
}
