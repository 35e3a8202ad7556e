package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/view"
)

// From where on a session is substantial; one of them is enough. Of 46 real sessions, 25 are: those below
// have one or two files that changed, or none, and what the next session should know of them stands in the
// diff.
const (
	mostPlainEdits   = 2 // files that changed
	mostPlainMishaps = 1 // commands that failed: one is a slip
	mostPlainPlans   = 0 // plans and questions that the person settled: why they did stands in no diff
)

// askAgain is how long after a question, or after something was saved, the next one may come; before that,
// one may where what was written since is committed or passed a test. Only the work since then counts.
const askAgain = time.Hour

// What is read of a transcript: where it began, and what was done last.
const (
	askedHead = 128 << 10
	askedTail = 1 << 20
)

// AskKey is the key of the configuration that says whether agents are asked to save.
const AskKey = "ltm.ask"

// asking is when a session was last asked to save, or seen to have saved.
type asking struct {
	at     time.Time
	size   int64 // of the transcript then
	soon   bool  // it was the second one within [askAgain]
	teller string
}

// Question is a session that may be asked to save what it learned.
type Question struct {
	moment agent.Moment
	state  *state
	size   int64 // of the transcript
	since  time.Time
	again  bool // it was asked a short while ago, or saved, when less was done
}

// Due returns the question for a session that was substantial since it was last asked; nil where it was not,
// where no person is known to be there to see it, where the agent waits for an answer, and where it was asked
// less than an hour ago, unless its work was done since. It starts no process and opens no memory. What the
// environment says of the person counts more than the transcript.
func Due(ctx context.Context, dir *local.Dir, m agent.Moment, getenv func(string) (string, bool), file string,
	now time.Time,
) (*Question, error) {
	attended, known := m.Host.Attended(getenv)
	if m.Busy || file == "" || known && !attended {
		return nil, nil
	}
	q := &Question{moment: m, state: openState(dir, m)}
	q.state.loadFile()
	if q.again = now.Sub(q.state.asked.at).Abs() < askAgain; q.again && q.state.asked.soon {
		return nil, nil
	}
	head, work, err := q.readTranscript(ctx, file)
	if err != nil {
		return nil, err
	}
	if !known && cmp.Or(work.Person, head.Person) != transcript.Present || distill.AsksPerson(work.Last) {
		return nil, nil
	}
	if q.since = now; q.again { // What was saved before that tells of half of it.
		if work.EditN == 0 || work.SavedN > work.EditN || !distill.IsProved(work) {
			return nil, nil
		}
		return q, nil
	}
	if q.since = q.state.asked.at; q.since.IsZero() {
		q.since = head.Began
	}
	if saved, err := packet.ParseID(work.Saved); err == nil && work.EditN > work.SavedN {
		q.since, q.again = saved.Time().Add(time.Millisecond), true // The work since then is not in it.
	}
	if !isSubstantial(work) || now.Sub(q.since).Abs() < askAgain && q.again {
		return nil, nil
	}
	return q, nil
}

// readTranscript reads the head of a transcript, and what was done since the last question, no more of it
// than the bound.
func (q *Question) readTranscript(ctx context.Context,
	file string,
) (head, work transcript.Session, err error) {
	f, err := os.Open(file)
	if err != nil {
		return head, work, fmt.Errorf("read transcript: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return head, work, fmt.Errorf("read transcript: %w", err)
	}
	q.size = info.Size()
	format := transcript.Format(q.moment.Host)
	if head, err = transcript.Read(ctx, io.NewSectionReader(f, 0, askedHead), format); err != nil {
		return head, work, err
	}
	from := max(q.size-askedTail, 0)
	if asked := q.state.asked.size; asked <= q.size {
		from = max(from, asked)
	}
	work, err = transcript.Read(ctx, io.NewSectionReader(f, from, q.size-from), format)
	return head, work, err
}

// isSubstantial tells whether so much was done that a later session may want to know of it.
func isSubstantial(s transcript.Session) bool {
	plans := 0
	for _, d := range s.Decisions {
		if d.Kind == transcript.Approved || d.Kind == transcript.Answered {
			plans++
		}
	}
	failed := len(filterItems(s.Commands, func(c transcript.Command) bool {
		return c.Failed && !distill.IsSlip(c)
	}))
	return len(s.Edited) > mostPlainEdits || failed > mostPlainMishaps || plans > mostPlainPlans ||
		len(s.Edited) > 0 && distill.HandedOver(s) != "" // What the person said of the next session is for it.
}

// Put returns what the agent is asked, and notes first that it is: what cannot be noted is not asked. It is
// "" where something was saved since, where the person wants no question, and where another process asks.
func (q *Question) Put(ctx context.Context, m *memory.Memory, now time.Time, draw io.Reader) (string, error) {
	if wanted, err := isAskWanted(ctx, m.Repo()); err != nil || !wanted {
		return "", err
	}
	saved, err := m.Source().MadeSince(ctx, q.since)
	if err != nil {
		return "", err
	}
	me, err := q.state.claimLines(draw, func(me string) string {
		return fmt.Sprintf("asked %s %d %d\n", me, now.Unix(), q.size)
	})
	if err != nil || saved || q.state.asked.teller != me {
		return "", err
	}
	switch {
	case q.again:
		return briefing.AskAgain, nil
	case q.moment.Event == agent.SessionStart:
		return briefing.AskAfterSummary, nil
	}
	return briefing.AskAtStop, nil
}

// AskAtStart is what a session is asked whose host asks nothing when it stops, where the last session of this
// user here did work and saved nothing; "" for nothing. It is asked once for that session, and what cannot be
// noted is not asked.
func (s *Session) AskAtStart(ctx context.Context) (string, error) {
	list := s.memory.Drafts().Listed()
	if s.moment.Host.Hears(agent.Stop) || len(list) == 0 || !list[0].Owes || s.isOwn(packet.ID(list[0].ID)) {
		return "", nil
	}
	if wanted, err := isAskWanted(ctx, s.memory.Repo()); err != nil || !wanted {
		return "", err
	}
	if err := s.memory.Drafts().Note(ctx, []string{list[0].ID}, func(d *view.Drafted) {
		d.Owes = false
	}); err != nil {
		return "", err
	}
	return briefing.AskAtStart, nil
}

// isAskWanted reads whether agents are asked. The person's own setting says so; one of the repository turns
// it off and never on.
func isAskWanted(ctx context.Context, repo *git.Repo) (bool, error) {
	all, err := repo.Settings().Scoped(ctx, AskKey)
	if err != nil {
		return false, err
	}
	wanted := true
	for _, s := range all {
		switch {
		case s.Value == "never":
			wanted = false
		case s.Value != "once":
			return false, fmt.Errorf("%s: %q is neither once nor never", AskKey, s.Value)
		case s.Own():
			wanted = true
		}
	}
	return wanted, nil
}

// takeAsked takes the line of a question. Two at once are one.
func (s *state) takeAsked(who, rest string) {
	seconds, bytes, _ := strings.Cut(rest, " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	size, failed := strconv.ParseInt(bytes, 10, 64)
	next := asking{at: time.Unix(at, 0), size: size, teller: who}
	next.soon = next.at.Sub(s.asked.at).Abs() < askAgain
	if err == nil && failed == nil && size >= 0 && next.at.Sub(s.asked.at).Abs() > atOnce {
		s.asked = next
	}
}
