package recall_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// forbidding is a repository whose records forbid this and that, and what somebody is about to do there.
type forbidding struct {
	*gittest.Repository

	random  *rand.Rand
	now     time.Time
	made    int
	aged    int
	actions []deadend.Action
}

// some are a few words, of which rules and actions are made so that they meet often.
func (f *forbidding) some(least, most int) string {
	words := strings.Fields("npm install --force yarn docker compose down -v raise lower pool size to 100 " +
		"cache redis retry queue " +
		"sync.Map useState mutex lock vendor go test ./... --race rebuild lockfile")
	list := make([]string, least+f.random.IntN(most-least+1))
	for i := range list {
		list[i] = words[f.random.IntN(len(words))]
	}
	return strings.Join(list, " ")
}

// forbid is a new record that forbids something: a skip, or a packet with attempts.
func (f *forbidding) forbid() planted {
	f.made++
	at := start.Add(time.Duration(f.made) * time.Minute)
	if f.made%2 == 0 {
		_, p := packetRecord(at, f.made, map[string]any{
			"goal": "Goal", "next_step": "Step", "attempts": []map[string]any{
				{"tried": f.some(2, 6), "outcome": "failed", "learned": "So"},
				{"tried": f.some(2, 6), "outcome": "worked", "learned": "So"},
				{"tried": f.some(2, 4), "outcome": "failed", "learned": "So", "confidence": "low"},
			},
		})
		return p
	}
	match := []map[string]string{
		{"command": f.some(1, 3)}, {"words": f.some(2, 4)}, {"path": "src/" + f.some(1, 1) + "/**"}, {},
	}[f.random.IntN(4)]
	_, p := record("skip", at, f.made, map[string]any{
		"item": f.some(2, 4), "reason": "So", "match": match,
		"expires_at": at.Add(time.Duration(10+f.random.IntN(300)) * 24 * time.Hour).Format(time.RFC3339),
	})
	if len(match) == 0 {
		p.data = strings.Replace(p.data, `"match":{},`, "", 1)
	}
	return p
}

// plant plants new records.
func (f *forbidding) plant(t *testing.T, r *gittest.Repository, n int) {
	t.Helper()
	var all []planted
	for range n {
		all = append(all, f.forbid())
	}
	plant(t, r, all...)
}

// age lets the refs lie still for a while, as far as a clock can tell.
func (f *forbidding) age(t *testing.T) {
	t.Helper()
	f.aged++
	was := time.Now().Add(time.Duration(f.aged)*time.Second - time.Hour)
	touch := func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chtimes(path, was, was)
	}
	for _, name := range []string{"ltm", "ltm-local", "ltm-remotes"} {
		if err := filepath.WalkDir(filepath.Join(f.Dir, ".git", "refs", name), touch); err != nil &&
			!errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(f.Dir, ".git", "packed-refs"), was, was); err != nil &&
		!errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

// ids are the records that an action may meet, of a few.
func (f *forbidding) ids(t *testing.T, n int) []string {
	t.Helper()
	names := strings.Fields(
		f.Git("for-each-ref", "--format=%(refname)", "refs/ltm/packets", "refs/ltm/skips"))
	f.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var ids []string
	for _, name := range names[:n] {
		ids = append(ids, path.Base(name))
	}
	return ids
}

// told is what somebody is told who asks, as "id place".
func told(ends []recall.DeadEnd) []string {
	list := []string{}
	for _, end := range ends {
		list = append(list, string(end.Entry.ID)+" "+end.Item.Place+" "+string(end.Match.By)+" "+
			string(end.Match.Sure))
	}
	slices.Sort(list)
	return list
}

// slowly reads every record there is, and compares each with the action.
func (f *forbidding) slowly(t *testing.T, m *memory.Memory, a deadend.Action,
	reading replay.Reading,
) []recall.DeadEnd {
	t.Helper()
	listed, err := m.Source().Listing(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ends []recall.DeadEnd
	for _, l := range listed {
		if strings.Contains(l.Ref, "/events/") {
			continue
		}
		found, err := m.FindAny(t.Context(), path.Base(l.Ref))
		if errors.Is(err, replay.ErrPurged) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		e, why := found.Open(reading)
		if why != "" || e.Life.Resting() {
			continue
		}
		for _, item := range e.Content().Items {
			rule := deadend.Rule{Words: item.Text, Derived: true, Confidence: item.Confidence}
			switch {
			case item.Kind == packet.ItemSkip:
				rule = deadend.Rule{
					Words: e.Skip().Match.Words, Path: e.Skip().Match.Path,
					Command: e.Skip().Match.Command,
				}
				if e.Skip().Match == (packet.Match{}) {
					rule = deadend.Rule{Words: e.Skip().Item, Command: e.Skip().Item}
				}
			case item.Kind != packet.ItemAttempt || !item.Failed:
				continue
			}
			for _, match := range deadend.New([]deadend.Rule{rule}).Check(a) {
				ends = append(ends, recall.DeadEnd{Found: recall.Found{Entry: e, Item: item}, Match: match})
			}
		}
	}
	return ends
}

// compare asks for each action twice: when the index has to follow, and later, when a stamp says that nothing
// has changed.
func (f *forbidding) compare(t *testing.T, step string) (met int) {
	t.Helper()
	f.age(t)
	for _, reading := range []replay.Reading{replay.Asked, replay.Unasked} {
		m, asks := asker(t, f.Repository, f.now)
		for n, a := range f.actions {
			ends, err := asks.DeadEnds(t.Context(), a, reading, recall.Wanted{})
			if err != nil {
				t.Fatal(err)
			}
			want := told(f.slowly(t, m, a, reading))
			if diff := cmp.Diff(want, told(ends)); diff != "" {
				t.Errorf("%s: action %d %+v, reading %d (-all records +DeadEnds):\n%s", step, n, a, reading,
					diff)
			}
			met += len(want)
		}
	}
	return met
}

// TestRecall_DeadEnds: whatever became of the refs, in whatever way, an action meets exactly the rules that a
// look at every record shows, and so does silence.
func TestRecall_DeadEnds(t *testing.T) {
	t.Parallel()

	f := &forbidding{
		Repository: gittest.Repo(t, gittest.Plain), random: rand.New(rand.NewPCG(1, 4)),
		now: start.Add(24 * time.Hour),
	}
	f.Commit("start")
	other := gittest.Repo(t, gittest.Plain)
	for range 6 {
		f.actions = append(f.actions, deadend.Action{
			Command: f.some(1, 6), Prompt: f.some(2, 9), Paths: []string{"src/" + f.some(1, 1) + "/a.go"},
			Added: f.some(0, 5), Removed: f.some(0, 3),
		})
	}
	f.plant(t, f.Repository, 30)
	met := f.compare(t, "planted")
	m, _ := asker(t, f.Repository, f.now)
	steps := []struct {
		name string
		do   func() error
	}{
		{"saved", func() error {
			attempts, err := json.Marshal(
				[]map[string]string{{"tried": f.actions[0].Prompt, "outcome": "failed", "learned": "So"}})
			if err == nil {
				_, err = m.Save(t.Context(),
					gate.SaveRequest{Data: fmt.Appendf(nil, `{"goal":"G","next_step":"N","attempts":%s}`,
						attempts)})
			}
			return err
		}},
		{"kept in private", func() error {
			data := fmt.Appendf(nil, `{"type":"skip","item":%q,"reason":"So","expires_at":%q}`,
				f.actions[1].Prompt, f.now.Add(48*time.Hour).Format(time.RFC3339))
			_, err := m.SaveSmall(t.Context(), gate.SaveRequest{Data: data, Reach: replay.Private})
			return err
		}},
		{"collected", func() error { f.Git("gc", "-q"); return nil }},
		{"retracted", func() error {
			_, err := m.Happen(t.Context(),
				gate.Happen{Event: "retract", Targets: f.ids(t, 5), Why: "It works now"})
			return err
		}},
		{"purged", func() error {
			_, err := m.Purges().Purge(t.Context(), f.ids(t, 4), replay.ReasonMistake)
			return err
		}},
		{"fetched over", func() error {
			f.plant(t, other, 12)
			f.Git("fetch", "-q", other.Dir, "+refs/ltm/*:refs/ltm/*")
			return nil
		}},
		{"fetched beside", func() error {
			f.plant(t, other, 8)
			f.Git("fetch", "-q", other.Dir, "+refs/ltm/*:refs/ltm-remotes/origin/*")
			return nil
		}},
		{"packed", func() error { f.Git("pack-refs", "--all"); return nil }},
		{"deleted by git", func() error {
			for _, id := range f.ids(t, 2) {
				f.Git("update-ref", "-d",
					strings.TrimSpace(f.Git("for-each-ref", "--format=%(refname)", "refs/ltm/*/"+id)))
			}
			return nil
		}},
		{"expired", func() error { f.now = f.now.Add(200 * 24 * time.Hour); return nil }},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		met += f.compare(t, step.name)
	}
	if met < 100 {
		t.Errorf("only %d rules were met in all steps, so this test shows little", met)
	}
}

// TestRecall_DeadEnds_wanted: where enough dead ends are known, none is read but what may hold a call back.
func TestRecall_DeadEnds_wanted(t *testing.T) {
	t.Parallel()
	repo, now := gittest.Repo(t, gittest.Plain), start.Add(24*time.Hour)
	var all []planted
	for i := range 3 {
		_, p := record("skip", start, i, map[string]any{
			"item": fmt.Sprint("Skip ", i), "reason": "So", "match": map[string]string{"path": "src/**"},
			"expires_at": now.Add(240 * time.Hour).Format(time.RFC3339),
		})
		all = append(all, p)
	}
	failed, p := packetRecord(start, 4, map[string]any{
		"goal": "Goal", "next_step": "Step", "attempts": []map[string]any{
			{
				"tried": "Installing by force", "outcome": "failed", "learned": "So",
				"match": map[string]string{"command": "npm install --force"},
			},
		},
	})
	plant(t, repo, append(all, p)...)
	_, asks := asker(t, repo, now)
	does := deadend.Action{Command: "npm install --force", Paths: []string{"src/a.go"}}
	for most, want := range map[int]int{0: 4, 1: 2} {
		ends, err := asks.DeadEnds(t.Context(), does, replay.Asked, recall.Wanted{Most: most})
		if err != nil {
			t.Fatal(err)
		}
		if len(ends) != want || !ends[want-1].Match.Certain || string(ends[want-1].Entry.ID) != failed {
			t.Errorf("of %d that are wanted, and what is certain, there are %d: %v", most, len(ends), told(ends))
		}
	}
}
