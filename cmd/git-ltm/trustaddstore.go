package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// addOwn writes keys to the user's own list. A signature is good for one store alone, so where this clone
// knows none yet, the one that the signature names is shown and taken with the same answer.
func (e *env) addOwn(ctx context.Context, m *memory.Memory, t *trust.Trust, o *trustAddOptions,
	edit trust.Edit, store string,
) error {
	named, err := e.storesNamed(ctx, m, t, store)
	if err != nil {
		return err
	}
	if store != "" && len(t.Stores()) == 0 && len(named) == 1 && named[0] == store {
		return e.writeBoth(ctx, m, o, edit, store)
	}
	if err := e.write(o, edit); err != nil {
		return err
	}
	e.tellStores(t, store, named)
	return nil
}

// storesNamed returns the stores that signatures here name and this clone does not know. Where the list of a
// team that nobody has accepted yet names the store, there are none: what accepts the list accepts that.
func (e *env) storesNamed(ctx context.Context, m *memory.Memory, t *trust.Trust,
	store string,
) ([]string, error) {
	if team := e.pending(ctx, m); team.proposal != nil && len(team.proposal.List.Stores()) > 0 {
		team.tell(e)
		return nil, nil
	}
	switch {
	case len(t.Stores()) == 0:
		return m.Signer().SignedStores(ctx)
	case store == "" || slices.Contains(t.Stores(), store):
		return nil, nil
	default:
		return []string{store}, nil
	}
}

// tellStores tells which command makes the signatures of a store count. Nothing is taken for a person who was
// not asked.
func (e *env) tellStores(t *trust.Trust, store string, named []string) {
	switch {
	case len(named) == 0:
	case len(t.Stores()) > 0:
		e.say("hint", fmt.Sprintf(
			"the signature was made for another store than this one, %s; if this is a clone of that "+
				"project too: git config --add ltm.store %s", store, store))
	default:
		for _, id := range named {
			e.say("hint", fmt.Sprintf(
				"records here are signed for the store %s, which this clone does not know; if this is a "+
					"clone of that project: git config ltm.store %s", id, id))
		}
	}
}

// writeBoth shows keys and the store that a signature names, and takes both when somebody says so.
func (e *env) writeBoth(ctx context.Context, m *memory.Memory, o *trustAddOptions, edit trust.Edit,
	store string,
) error {
	if err := e.showEdit(edit); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(e.stdout, "%s = %s\n", trust.StoreKey, e.printable(store)); err != nil {
		return err
	}
	question := "Add the key to " + e.printable(edit.File) +
		", and take this clone for one of the store that the signature names?"
	if edit.Known() {
		e.say("hint", edit.File+" holds it already")
		question = "Take this clone for one of the store that the signature names?"
	}
	if o.dryRun {
		e.say("hint", "this was a dry run; the key would be added to "+edit.File+
			", and the store to the configuration of this clone")
		return nil
	}
	if !o.yes {
		if ok, err := e.agreed(question); err != nil || !ok {
			return err
		}
	}
	if !edit.Known() {
		if err := edit.Write(); err != nil {
			return err
		}
		e.say("hint", "added to "+edit.File)
	}
	if err := m.Repo().AddConfig(ctx, trust.StoreKey, store); err != nil {
		return fmt.Errorf("keep the id of the store: %w", err)
	}
	e.say("hint", fmt.Sprintf(
		"this clone takes itself for one of the store %s from now on, in which the signature was made: "+
			"git config --unset ltm.store %s takes it back", store, store))
	return nil
}
