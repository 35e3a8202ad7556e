package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestProvenance_rank lets a stranger say of the owner's records whatever changes no more than a text or a
// weight, and compares what is shown automatically with what it was before: neither the texts nor their order
// changes.
func TestProvenance_rank(t *testing.T) {
	t.Parallel()
	s := newStage(t, distrusts()[0], 1)
	before := s.unasked(t)
	s.unchanged(t, "nothing", before)
	s.others["reference"] = s.plant(t, s.newWriter("note ", "reference", false), s.level, "notes", noteText,
		"reference")
	weighs := []string{"set", "digest", "link", "contradict", "confirm", "impact"}
	for _, h := range sayings() {
		if slices.Contains(weighs, h.event) {
			s.plantEvent(t, h, s.newWriter("event ", h.what, false), s.owned[h.what], s.level)
			s.plantEvent(t, h, s.newWriter("event ", h.what, false), s.owned[h.what], s.level)
		}
	}
	s.feed(t, s.remote, s.refs.String(), "update-ref", "--stdin")
	s.git(t, s.dir, "fetch", "-q", "origin", "+refs/ltm/*:refs/ltm-remotes/origin/*")
	s.unchanged(t, "a fetch of a stranger's events", before)
	s.pull(t)
	s.unchanged(t, "a pull of a stranger's events", before)
}

// passing is what differs from one call to the next.
var passing = regexp.MustCompile(
	`nonce=\\?"[0-9a-f]+\\?"|just now|[0-9]+ (second|minute)s? ago|score [0-9.]+|ltm-context [0-9a-f]{16}`)

// unasked is what is shown automatically.
func (s *stage) unasked(t *testing.T) map[string]string {
	t.Helper()
	counts, err := filepath.Glob(filepath.Join(s.dir, ".git", "ltm", "usage*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range counts { // What was shown often and never used comes later, whatever strangers say.
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	shown := map[string]string{}
	for _, line := range []string{
		"context --trusted --budget 0", "context --trusted",
		"recall --trusted --limit 200 " + stageWord,
	} {
		_, stdout, _ := s.run(t.Context(), nil, strings.Fields(line)...)
		shown[line] = passing.ReplaceAllString(stdout, "")
	}
	for i, moment := range moments()[:6] {
		said := map[string]any{"session_id": t.Name() + string(rune('a'+len(s.writers)%20)) +
			string(rune('a'+i)), "cwd": s.dir}
		maps.Copy(said, moment.said)
		_, stdout, _ := s.run(t.Context(), encodedJSON(t, said), "hook", "claude-code", string(moment.event))
		shown["hook "+string(moment.event)+" "+
			string(rune('1'+i))] = passing.ReplaceAllString(unescaped(stdout), "")
	}
	return shown
}

func (s *stage) unchanged(t *testing.T, after string, before map[string]string) {
	t.Helper()
	s.newWriter("session", "", false) // Sessions are told each thing once, so these are others.
	now := s.unasked(t)
	for _, what := range slices.Sorted(maps.Keys(before)) {
		if diff := cmp.Diff(strings.Split(before[what], "\n"), strings.Split(now[what], "\n")); diff != "" {
			t.Errorf("%s changed after %s (-before +after):\n%s", what, after, diff)
		}
	}
}
