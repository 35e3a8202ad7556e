package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/accept"
)

const (
	fetchTries = 3  // fetchTries is how often a fetch is tried while others change the remote.
	manyLost   = 20 // manyLost is how many refs are asked for one by one before the rest is given up, where none was had.
)

// fetch brings the objects that are missing, by their names: git makes no ref of them, and compares none with all that the
// remote lists. What is known to be purged does not come again.
func (x *exchange) fetch(ctx context.Context) error {
	for try := 1; ; try++ {
		specs, err := x.wanted(ctx, x.missing())
		if err != nil || len(specs) == 0 {
			return err
		}
		x.progress("fetch", 0, len(specs))
		err = x.repo.FetchInto(ctx, x.request.Remote, slices.Compact(slices.Sorted(maps.Values(specs))))
		if err == nil {
			err = x.arrived(ctx, specs)
		}
		if err == nil {
			return nil
		}
		if try == fetchTries || ctx.Err() != nil {
			return err
		}
		// Somebody may have taken out one of the refs since they were listed. Where the remote is gone, this tells.
		now, lost := x.look(ctx)
		if lost != nil {
			return err
		}
		if maps.Equal(now.refs, x.theirs.refs) {
			return x.fetchApart(ctx, err)
		}
		x.theirs = now
	}
}

// errShort says that a fetch that git calls done has not brought what the remote lists. Git takes an answer over http that ends
// too early for an empty list.
var errShort = errors.New("it ended before all that the remote lists had come")

// arrived looks whether a fetch brought what it had to. The remote may have lost some of it meanwhile, but not all.
func (x *exchange) arrived(ctx context.Context, specs map[string]string) error {
	before := len(x.missing())
	x.note(specs)
	if err := x.lookHere(ctx); err != nil {
		return err
	}
	if before > 0 && len(specs) > 0 && len(x.missing()) >= before {
		return fmt.Errorf("fetch from %q: %w", x.request.Remote, errShort)
	}
	return nil
}

// wanted are the names and objects that a fetch has to bring: not those that were purged.
func (x *exchange) wanted(ctx context.Context, missing map[string]string) (map[string]string, error) {
	specs := make(map[string]string, len(missing))
	if len(missing) == 0 {
		return specs, nil
	}
	purged, err := x.memory.Tombstones(ctx)
	if err != nil {
		return nil, err
	}
	waits, err := x.memory.Quarantined(ctx)
	if err != nil {
		return nil, err
	}
	for name, oid := range missing {
		_, id, ok := parts(name)
		if !ok || !purged[id].Sure && !waits[id] || !purged[id].Reaches(name) {
			specs[name] = oid
		}
	}
	return specs, nil
}

// fetchApart fetches in parts what could not be fetched at once: a remote that lost the object of one ref hands out none of a
// fetch that asks for it.
func (x *exchange) fetchApart(ctx context.Context, whole error) error {
	specs, err := x.wanted(ctx, x.missing())
	if err != nil {
		return err
	}
	f := fetcher{exchange: x, specs: specs, lost: map[string]error{}}
	if names := slices.Sorted(maps.Keys(specs)); len(names) > 0 {
		err = f.part(ctx, names)
	}
	if err != nil {
		return err
	}
	if f.givenUp {
		return whole
	}
	for _, name := range slices.Sorted(maps.Keys(f.lost)) {
		x.withhold(There, accept.Refusal{Ref: name, Why: []string{"the remote lists it and does not hand it out: " + f.lost[name].Error()}})
	}
	x.note(specs)
	return x.lookHere(ctx)
}

// note remembers what was fetched. Whether it came is seen later.
func (x *exchange) note(fetched map[string]string) {
	if x.came == nil {
		x.came = map[string]string{}
	}
	maps.Copy(x.came, fetched)
}

// fetcher fetches refs in parts that halve where a part fails.
type fetcher struct {
	exchange *exchange
	specs    map[string]string // the objects, by the names of the refs
	lost     map[string]error  // what cannot be had
	some     bool              // something was had
	givenUp  bool              // some were not asked for
}

// part fetches refs. Where that fails and the remote still answers, each half is tried.
func (f *fetcher) part(ctx context.Context, names []string) error {
	if !f.some && len(f.lost) >= manyLost {
		f.givenUp = true
		return nil
	}
	specs := make([]string, 0, len(names))
	for _, name := range names {
		specs = append(specs, f.specs[name])
	}
	err := f.exchange.repo.FetchInto(ctx, f.exchange.request.Remote, specs)
	if err == nil {
		f.some = true
		return nil
	}
	if ctx.Err() != nil {
		return err
	}
	if _, gone := f.exchange.look(ctx); gone != nil {
		return err
	}
	if len(names) == 1 {
		f.lost[names[0]] = err
		return nil
	}
	half := len(names) / 2
	if err := f.part(ctx, names[:half]); err != nil {
		return err
	}
	return f.part(ctx, names[half:])
}
