package retrieval

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// asked is the moment at which all questions are asked, so that the age of a record is the same in each measurement.
func asked() time.Time { return time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC) }

// Whole is recall as a user meets it, with all that ranking knows, and with nothing found where nothing is known. The records
// of the collection are stored in an empty repository, whose directory and environment for git are given. Its second result
// closes the memory.
func Whole(ctx context.Context, dir string, env []string, c *Collection) (Searcher, func() error, error) {
	m, err := memory.Open(ctx, memory.Options{Dir: dir, Env: env, Now: asked, Entropy: rand.Reader})
	if err != nil {
		return nil, nil, err
	}
	ids, err := c.save(ctx, m)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("store %s: %w", c.Name, err), m.Close())
	}
	r, err := recall.Open(ctx, m, recall.Options{Now: asked})
	if err != nil {
		return nil, nil, errors.Join(err, m.Close())
	}
	return func(ctx context.Context, query string, limit int) ([]string, error) {
		answer, err := r.Find(ctx, recall.Query{Text: query, Limit: limit})
		if err != nil {
			return nil, err
		}
		keys := make([]string, 0, len(answer.Found))
		for _, f := range answer.Found {
			keys = append(keys, Key(ids[f.Entry.ID], f.Item.Place))
		}
		return keys, nil
	}, func() error { return errors.Join(r.Close(), m.Close()) }, nil
}

// save stores the records of a collection, and returns the ids of their documents by those that they have in the store.
func (c *Collection) save(ctx context.Context, m *memory.Memory) (map[packet.ID]string, error) {
	ids := map[packet.ID]string{}
	var small []gate.SmallRequest
	for _, d := range c.Documents {
		data, err := d.record()
		if err != nil {
			return nil, fmt.Errorf("record of %q: %w", d.ID, err)
		}
		ids[ulidOf(d.ID)] = d.ID
		if d.Content.Kind != packet.KindPacket {
			small = append(small, gate.SmallRequest{Data: data})
			continue
		}
		if _, err := m.Save(ctx, gate.SaveRequest{Data: data, Form: gate.AsIs}); err != nil {
			return nil, fmt.Errorf("save %q: %w", d.ID, err)
		}
	}
	_, err := m.SaveBatch(ctx, small)
	return ids, err
}

// longestWhy is how many characters the reason of a note may have. A longer one stands with the text.
const longestWhy = 1024

// record is a document as it is stored: as it stands in its file, or as a note of its one item.
func (d Document) record() ([]byte, error) {
	if d.Data != nil {
		return d.Data, nil
	}
	item := d.Content.Items[0]
	if utf8.RuneCountInString(item.Why) > longestWhy {
		item.Text, item.Why = item.Text+"\n"+item.Why, ""
	}
	rec := new(packet.Record)
	for _, member := range []struct{ name, value string }{
		{"type", string(packet.KindNote)},
		{"id", string(ulidOf(d.ID))},
		{"created_at", madeUp().Format(time.RFC3339)},
		{"kind", item.Kind},
		{"text", item.Text},
		{"why", item.Why},
	} {
		if member.value == "" {
			continue
		}
		if err := rec.Set(member.name, member.value); err != nil {
			return nil, err
		}
	}
	return rec.Encode(), nil
}
