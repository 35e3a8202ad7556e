package git

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

// Watch is told when a remote sends nothing. The sign of life is what git prints: its progress
// while it fetches and pushes, and the end of a listing, of which nothing is seen before.
type Watch struct {
	Ages   []time.Duration           // required: how long nothing came when Silent is called, the shortest first
	Silent func(since time.Duration) // required: it is called beside the call to the remote, and once for each age
}

// Watched returns the repository as one whose calls to remotes are watched. Others are not.
func (r *Repo) Watched(watch Watch) *Repo {
	watched := *r
	watched.watch = &watch
	return &watched
}

// signs tells a watch that something came.
type signs chan struct{}

// Write takes note that something came, and never waits.
func (s signs) Write(p []byte) (int, error) {
	select {
	case s <- struct{}{}:
	default: // That something came is known already.
	}
	return len(p), nil
}

// begin watches until end is called.
func (w *Watch) begin() (came signs, end func()) {
	came, stop, over := make(signs, 1), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		w.follow(came, stop)
	}()
	return came, func() { close(stop); <-over }
}

// follow counts the time in which nothing comes.
func (w *Watch) follow(came signs, stop <-chan struct{}) {
	began, next := time.Now(), 0
	for {
		var due <-chan time.Time
		if next < len(w.Ages) {
			due = time.After(time.Until(began.Add(w.Ages[next])))
		}
		select {
		case <-stop:
			return
		case <-came:
			began, next = time.Now(), 0
		case <-due:
			w.Silent(w.Ages[next])
			next++
		}
	}
}

// loudness returns the option under which git prints its progress where somebody watches, and else
// as little as it can.
func (r runner) loudness() string {
	if r.watch == nil {
		return "--quiet"
	}
	return "--progress"
}

// progressLine is what git tells of its progress, and of refs that are as they should be.
var progressLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(remote: )?([A-Z][a-z ]+: +\d+.*, done\.|Total \d.*|Delta compression .*|From .*| [ *+] .*->.*)[\s\x1b\[K]*$`)
})

// withoutProgress returns what is left of git's messages for a person.
func withoutProgress(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n") // Programs for SSH end lines with both.
		if line = line[strings.LastIndexByte(line, '\r')+1:]; !progressLine().MatchString(line) {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}
