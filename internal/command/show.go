package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// WholeOf is all of a record, and what became of it.
func WholeOf(ctx context.Context, of *memory.Memory, entry replay.Shown) (reply.Whole, error) {
	value := reply.Whole{
		ID: string(entry.ID), Note: briefing.DataNote, Standing: string(entry.Verdict.Standing),
		Reason: clean.Line(entry.Verdict.Why), Verified: entry.Trusted(), State: reply.StateWord(entry),
		Store: string(entry.Store),
	}
	dec := json.NewDecoder(bytes.NewReader(entry.Data()))
	dec.UseNumber()
	var record any
	err := dec.Decode(&record)
	if err == nil {
		value.Record, err = json.Marshal(cleanValue(record))
	}
	if err != nil {
		return value, fmt.Errorf("read record %s: %w", entry.ID, err)
	}
	about, err := of.History(ctx, entry.ID)
	for _, ev := range about {
		value.Events = append(value.Events, reply.Happened{
			ID: string(ev.ID), CreatedAt: reply.Stamp(ev.Event().CreatedAt), Event: ev.Event().Event,
			Author: ev.Origin().By(), Standing: string(ev.Verdict.Standing), Why: clean.Line(ev.Event().Why),
		})
	}
	return value, err
}

// cleanValue is a value of a stored record as it is shown: each text and name without what acts on a terminal
// or hides from a reader.
func cleanValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		shown := make(map[string]any, len(v))
		for name, of := range v {
			shown[clean.Line(name)] = cleanValue(of)
		}
		return shown
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case string:
		return clean.Text(v)
	}
	return value
}
