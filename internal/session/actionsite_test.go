package session_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// What warnings before the call of a tool must reach. Precision stands first: a warning that is wrong is
// worse than one that is missing.
const (
	siteCalls     = 150
	sitePrecision = 0.95
	siteRecall    = 0.80
)

// siteCall is the call of a tool, as a host writes it, and the places that a developer wants to be told of.
type siteCall struct {
	Host  agent.Host      `json:"host"`
	Want  []string        `json:"want"`
	Event json.RawMessage `json:"event"`

	at string // where it stands
}

// readCalls reads a file of calls, a line each; in their text {DIR} is the repository.
func readCalls(t *testing.T, name, dir string) []siteCall {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "actionsite", name))
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(dir)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.ReplaceAll(data, []byte("{DIR}"), bytes.Trim(quoted, `"`))
	var calls []siteCall
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		c := siteCall{at: fmt.Sprintf("%s:%d", name, n)}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", c.at, err)
		}
		calls = append(calls, c)
	}
	return calls
}

// The calls of each file were written before anybody saw what they meet, and those of last.jsonl after all
// tuning. What each file reached when it was new stands in the README beside them.
func TestWarning_actionSite(t *testing.T) {
	t.Parallel()
	site := newSite(t)
	var all figures
	for _, name := range []string{"calls.jsonl", "more.jsonl", "held.jsonl", "fresh.jsonl", "last.jsonl"} {
		var f figures
		for _, c := range readCalls(t, name, site.repo.Dir) {
			f.judge(t, site, c)
		}
		t.Logf("%s: %s", name, &f)
		all.add(f)
	}
	t.Logf("all: %s", &all)
	if all.calls < siteCalls || all.precision() < sitePrecision || all.recall() < siteRecall {
		t.Errorf("%s; want at least %d calls, precision %.2f and recall %.2f", &all, siteCalls, sitePrecision,
			siteRecall)
	}
}

// figures count how calls went.
type figures struct{ calls, silent, right, extra, missed int }

func (f *figures) add(g figures) {
	f.calls += g.calls
	f.silent += g.silent
	f.right += g.right
	f.extra += g.extra
	f.missed += g.missed
}

func (f *figures) precision() float64 { return float64(f.right) / float64(f.right+f.extra) }

func (f *figures) recall() float64 { return float64(f.right) / float64(f.right+f.missed) }

func (f *figures) String() string {
	return fmt.Sprintf("%d calls, %d of them silent: precision %.3f (%d false alarms), recall %.3f (%d missed)",
		f.calls, f.silent, f.precision(), f.extra, f.recall(), f.missed)
}

// judge counts one call, and names what went wrong.
func (f *figures) judge(t *testing.T, s *site, c siteCall) {
	t.Helper()
	f.calls++
	if len(c.Want) == 0 {
		f.silent++
	}
	want := slices.Clone(c.Want)
	for _, end := range s.warnings(t, c) {
		place := s.place(end)
		explained(t, c, end)
		if i := slices.Index(want, place); i >= 0 {
			want = slices.Delete(want, i, i+1)
			f.right++
			continue
		}
		f.extra++
		t.Logf("FALSE ALARM %s: %s by %s on %q, %s\n%s", c.at, place, end.Match.By, end.Match.On,
			end.Match.Sure, c.Event)
	}
	for _, place := range want {
		f.missed++
		t.Logf("MISSED %s: %s\n%s", c.at, place, c.Event)
	}
}

// explained demands that a warning says in which way the call meets the record, how sure that is, and by
// which words of the call, or of the record where a command has two spellings.
func explained(t *testing.T, c siteCall, end recall.DeadEnd) {
	t.Helper()
	m := end.Match
	if m.By == "" || m.Sure == "" || len(m.On) == 0 || end.Item.Text == "" || end.Item.Why == "" {
		t.Errorf("%s: the warning %+v is not explained", c.at, m)
	}
	plain := strings.NewReplacer(`\n`, "\n", `\"`, "", `'`, "", `\t`, " ", `\`, "").Replace(string(c.Event))
	for _, on := range m.On {
		for word := range strings.FieldsSeq(on) {
			if m.By != deadend.ByPath && !strings.Contains(plain+end.Item.Text, strings.Trim(word, `'"`)) {
				t.Errorf("%s: the warning stands on %q, which is not in the call", c.at, word)
			}
		}
	}
}

// warnings are the dead ends that a session is told of before a call, sure enough to be told.
func (s *site) warnings(t *testing.T, c siteCall) []recall.DeadEnd {
	t.Helper()
	moment, err := agent.Read(c.Host, agent.Tool, c.Event)
	if err != nil {
		t.Fatalf("%s: %v", c.at, err)
	}
	ends, err := s.asks.DeadEnds(t.Context(), quiet.Action(s.memory.Repo(), moment.Call), replay.Unasked, recall.Wanted{})
	if err != nil {
		t.Fatalf("%s: %v", c.at, err)
	}
	return slices.DeleteFunc(ends, func(end recall.DeadEnd) bool { return end.Match.Sure == deadend.Low })
}
