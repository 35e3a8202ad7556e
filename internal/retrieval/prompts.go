package retrieval

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/session"
)

// asked is the moment at which all prompts are put, so that the age of a record is the same in each
// measurement.
func asked() time.Time { return time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC) }

// Prompted is the hook of prompts as an agent meets it, each prompt in a session of its own: what
// it returns is shown. The notes of the collection are stored in an empty repository, whose
// directory and environment for git are given. Its second result closes the memory.
func Prompted(ctx context.Context, dir string, env []string, c *Collection) (Searcher, func() error, error) {
	m, err := memory.Open(ctx, memory.Options{Dir: dir, Env: env, Now: asked, Entropy: rand.Reader})
	if err != nil {
		return nil, nil, err
	}
	var notes []gate.SaveRequest
	for _, d := range c.Documents {
		data, err := d.encodeNote()
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("note of %q: %w", d.ID, err), m.Close())
		}
		notes = append(notes, gate.SaveRequest{Data: data})
	}
	if _, err := m.SaveBatch(ctx, notes); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("store %s: %w", c.Name, err), m.Close())
	}
	r := recall.Open(ctx, m, recall.Options{Now: asked})
	sessions := 0
	return func(ctx context.Context, q Question, _ int) (hits []Hit, err error) {
		sessions++
		answer, err := session.New(session.Options{
			Memory: m, Recall: r, Now: asked, Entropy: rand.Reader,
			Moment: agent.Moment{
				Host: agent.ClaudeCode, Event: agent.Prompt, Session: strconv.Itoa(sessions), Dir: dir,
				Prompt: q.Text,
			},
		}).Answer(ctx)
		for _, d := range c.Documents {
			if strings.Contains(string(answer), string(ulidOf(d.ID))) {
				hits = append(hits, Hit{Key: Key(d.ID, d.Content.Items[0].Place)})
			}
		}
		return hits, err
	}, func() error { return errors.Join(r.Close(), m.Close()) }, nil
}

// encodeNote is a document as it is stored: as it stands in its file, or as a note of its one item.
func (d Document) encodeNote() ([]byte, error) {
	if d.Data != nil {
		return d.Data, nil
	}
	item := d.Content.Items[0]
	members := map[string]string{
		"type": string(packet.KindNote), "id": string(ulidOf(d.ID)), "kind": item.Kind, "text": item.Text,
		"why": item.Why, "topic": d.Content.Topic, "created_at": madeUp().Format(time.RFC3339),
	}
	maps.DeleteFunc(members, func(_, value string) bool { return value == "" })
	return json.Marshal(members)
}
