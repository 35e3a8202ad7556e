package clients_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// What a session before left, and what the session at hand is asked to do and runs into.
const (
	goal    = "Serve the sums in under 200 ms"
	learned = "the emulator gives up after 40 minutes"
	request = "Measure the sums on the small machine and report the slowest"
	report  = "The bench does not run here. Next: measure on the board itself."
)

// painted is how the report begins: some clients paint between the words that follow, and within them.
const painted = "The bench does not run"

// deadEnd is a command that is known to fail, and fails. It copies what its session was told until now, so
// that the copy shows what was told before the command did its work.
const deadEnd = "cat .git/ltm/sessions/* >told.txt; qemu-bench --board arm64 sums"

// remember saves what a session before left, and returns the id of the packet. A call that meets it goes on.
func (d *desk) remember(t *testing.T) string {
	t.Helper()
	d.must(t, nil, "git", "config", "ltm.deadEnd", "warn")
	id := d.must(t, nil, "git", "ltm", "save", "--goal", goal, "--next", "Read the profile of the lookup",
		"--attempt", "qemu-bench --board arm64 sums :: failed :: "+learned, "--cite", "sum.txt:1")
	return strings.TrimSpace(id)
}

// checkTurn holds what a turn must have done: the session began with the packet, was told of the dead end,
// and left a draft.
func (d *desk) checkTurn(t *testing.T, m *model, id string) {
	t.Helper()
	sent := m.sent()
	if len(sent) != 2 {
		t.Fatalf("the client sent %d requests, want one before the call and one after", len(sent))
	}
	short := id[len(id)-8:] // By it a start names a record.
	for _, want := range []string{goal, "[" + short + " goal", "ltm-context", request} {
		if !strings.Contains(sent[0], want) {
			t.Errorf("the first request has no %q", want)
		}
	}
	if strings.Contains(sent[0], "ltm-warning") {
		t.Error("the first request warns of a call that nobody made")
	}
	if before, after := strings.Count(sent[0], learned), strings.Count(sent[1], learned); after != before+1 {
		t.Errorf("the requests tell why the command fails %d times and %d times, want once more after the call", before, after)
	}
	if !strings.Contains(sent[1], "ltm-warning") {
		t.Error("the request after the call has no warning")
	}
	d.checkDraft(t)
	if status := d.must(t, nil, "git", "ltm", "status"); strings.Contains(status, "Hook") {
		t.Errorf("a hook went wrong:\n%s", status)
	}
}

// checkToldBefore holds that the session was told of the dead end before the command did its work.
func (d *desk) checkToldBefore(t *testing.T, id string) {
	t.Helper()
	if told := d.read(t, filepath.Join(d.project, "told.txt")); !strings.Contains(told, "!"+id) {
		t.Errorf("when the command ran, its session was told\n%s\nwithout the attempt of %s", told, id)
	}
}

// checkDraft holds what the end of a session leaves.
func (d *desk) checkDraft(t *testing.T) {
	t.Helper()
	const drafts = "refs/ltm-local/drafts/"
	draft := d.until(t, "draft", func() string {
		refs := strings.Fields(d.must(t, nil, "git", "for-each-ref", "--format=%(refname)", drafts))
		if len(refs) == 0 {
			return ""
		}
		if len(refs) > 1 {
			t.Fatalf("one session left the drafts %v", refs)
		}
		return d.must(t, nil, "git", "cat-file", "blob", refs[0])
	})
	for _, want := range []string{request, "qemu-bench --board arm64"} {
		if !strings.Contains(draft, want) {
			t.Errorf("the draft has no %q:\n%s", want, draft)
		}
	}
	for _, ours := range []string{"ltm-context", "ltm-warning", goal, learned} {
		if strings.Contains(draft, ours) {
			t.Errorf("the draft repeats %q, which it was told:\n%s", ours, draft)
		}
	}
}

// told is what the sessions in the project were told.
func (d *desk) told(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.project, ".git", "ltm", "sessions", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		all.WriteString(d.read(t, file))
	}
	return all.String()
}
