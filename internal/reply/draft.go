package reply

import (
	"encoding/json"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/draft"
)

// Anchored leaves a place in the history that names no commit to the save, where that is made on the same branch.
func Anchored(d draft.Draft, branch string) draft.Draft {
	if at := d.Record.Packet().Anchor; at.Commit == "" && at.Branch == branch {
		d.Record = d.Record.Clone()
		d.Record.Remove("anchor")
		d.Packet = d.Record.Encode()
	}
	return d
}

// Over returns the packet of a draft with what somebody says to it: a list comes behind that of the draft, and anything else
// takes its place.
func Over(d draft.Draft, said []byte) ([]byte, error) {
	var base, more map[string]json.RawMessage
	if err := json.Unmarshal(d.Packet, &base); err != nil {
		return nil, fmt.Errorf("read draft %s: %w", d.ID, err)
	}
	if err := json.Unmarshal(said, &more); err != nil {
		return nil, fmt.Errorf("read what is said to draft %s: %w", d.ID, err)
	}
	for name, value := range more {
		var before, behind []json.RawMessage
		if json.Unmarshal(base[name], &before) == nil && json.Unmarshal(value, &behind) == nil {
			joined, err := json.Marshal(append(before, behind...))
			if err != nil {
				return nil, fmt.Errorf("add to draft %s: %w", d.ID, err)
			}
			value = joined
		}
		base[name] = value
	}
	return json.Marshal(base)
}
