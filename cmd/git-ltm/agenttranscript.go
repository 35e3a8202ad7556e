package main

import (
	"context"
	"os"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// transcriptOf is the file of a session, when it is written; empty for none. Copilot CLI does not name it
// when a session ends.
func (e *env) transcriptOf(ctx context.Context, moment agent.Moment) string {
	file := e.transcriptAt(moment)
	settle(ctx, file)
	return regular(file)
}

// transcriptAt is where the transcript of a session is, or would be.
func (e *env) transcriptAt(moment agent.Moment) string {
	if moment.Transcript != "" {
		return moment.Transcript
	}
	at, _ := transcript.SessionPlace(e.home(), e.getenv, transcript.Format(moment.Host), moment.Session)
	return at.Path
}

// regular is a file that is a transcript as far as that can be seen, or nothing. Files that a kernel makes up
// look regular, have no size, and may be read for ever.
func regular(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return ""
	}
	return file
}

// How long a transcript is looked at, and how often. Copilot CLI was seen to write its own a tenth of a
// second after the hooks of its last answer, and nothing of it before.
const (
	settleLook  = 250 * time.Millisecond
	settleLooks = 12
)

// settle waits, and not for long, until a transcript is there and does not grow: agents may write theirs
// after they call hooks.
func settle(ctx context.Context, file string) {
	if file == "" {
		return
	}
	before := int64(0)
	for range settleLooks {
		if info, err := os.Stat(file); err == nil {
			if !info.Mode().IsRegular() || info.Size() > 0 && info.Size() == before {
				return
			}
			before = info.Size()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(settleLook):
		}
	}
}
