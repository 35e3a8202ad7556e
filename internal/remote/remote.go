// Package remote knows what this clone exchanges with a git remote.
//
// It says which remote is meant, exchanges records with it through the gate, sets up the tracking refs
// through which a plain fetch brings records, and finds what is wrong with a set-up. Git moves the objects.
// The package promises that nothing is told as handed on that the other side was not seen to hold, and it
// never installs a refspec that could overwrite or prune a record of this clone.
package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// ErrNone says that the repository has no such remote.
var ErrNone = errors.New("no such remote")

// ErrName says that a remote has a name that no tracking ref can bear.
var ErrName = errors.New("its name does not fit into a ref; git remote rename gives it another")

// NoDefaultError says that no remote stands out. It is an [ErrNone].
type NoDefaultError struct{ Remotes []string }

func (e *NoDefaultError) Error() string {
	if len(e.Remotes) == 0 {
		return "there is no remote"
	}
	return "none of the remotes " + strings.Join(e.Remotes, ", ") + " is the default one"
}

// Unwrap makes it an ErrNone.
func (e *NoDefaultError) Unwrap() error { return ErrNone }

// PushSpec is the argument with which git push sends every record.
const PushSpec = "refs/ltm/*"

// Setting is one line of the configuration.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Tracking is the refspec that brings a remote's records to where a fetch may
// force and prune them.
func Tracking(remote string) Setting {
	return Setting{
		Key:   "remote." + remote + ".fetch",
		Value: "+refs/ltm/*:refs/ltm-remotes/" + remote + "/*",
	}
}

// Default is the remote that memory goes to: the one that setup fixed, else what ForSetup says. Which branch
// is checked out, and where that one comes from and goes to, says nothing of it. Where the fixed one leads
// elsewhere now, it is an [upstream.ChangedError].
func Default(repo *git.Repo, config git.Config) (string, error) {
	u, fixed, err := upstream.Of(repo)
	switch {
	case err != nil:
		return "", err
	case fixed:
		return u.Remote, u.Changed(config)
	}
	return ForSetup(config)
}

// ForSetup is the remote that setup fixes where nobody names one: that of ltm.remote, else origin, else the
// only one.
func ForSetup(config git.Config) (string, error) {
	if name, ok := config.Get("ltm.remote"); ok {
		return name, Exists(config, name)
	}
	names := config.Remotes()
	if slices.Contains(names, "origin") {
		return "origin", nil
	}
	if len(names) == 1 {
		return names[0], nil
	}
	return "", &NoDefaultError{Remotes: names}
}

// Exists returns an [ErrNone] where the configuration has no remote of that name.
func Exists(config git.Config, name string) error {
	if !slices.Contains(config.Remotes(), name) {
		return fmt.Errorf("remote %q: %w", name, ErrNone)
	}
	return nil
}

// Exchange is what this clone and a remote hold, as far as the last exchange or fetch knows.
type Exchange struct {
	Remote   string `json:"name"`
	URL      string `json:"url"`
	Tracked  bool   `json:"tracked"`          // a plain fetch brings records
	Unpushed int    `json:"unpushed"`         // records that the remote lacks, but for those of other remotes
	Changes  int    `json:"unpushed_changes"` // how many of those change a record, or sign it later
	NotHere  int    `json:"read_from_remote"` // records of the remote that this clone does not hold itself

	Refused *Refused `json:"refused"` // why of what it lacks the last push left something here

	Fixed bool           `json:"fixed"` // setup fixed it
	Trust upstream.Trust `json:"trust"` // how far it is believed, where it is fixed
	Why   string         `json:"why"`   // why
	// another store than this one, for which it delivers what a trusted key signed; else empty
	Other string `json:"-"`
}

// Look compares this clone with what it last saw of the remote that memory goes to. Where there is none it
// fails with [ErrNone].
func Look(ctx context.Context, m *memory.Memory) (Exchange, error) {
	config, err := m.Config(ctx)
	if err != nil {
		return Exchange{}, err
	}
	x := Exchange{}
	if x.Remote, err = Default(m.Repo(), config); err != nil {
		return Exchange{}, err
	}
	x.URL, _ = config.Get("remote." + x.Remote + ".url")
	if err := x.lookFixed(ctx, m, config); err != nil {
		return Exchange{}, err
	}
	x.Tracked = Tracking(x.Remote).isIn(config)
	known := m.Remote(x.Remote)
	gap, err := known.Gap(ctx)
	if x.Unpushed, x.Changes, x.NotHere = gap.Unsent, gap.Changes, gap.NotHere; err == nil && x.Unpushed > 0 {
		var r Refused
		if ok, err := known.File(refusedName).ReadState(&r); err == nil && ok {
			if x.Unpushed, x.Changes = x.Unpushed-r.Elsewhere, x.Changes-r.ElsewhereChanges; r.Why != "" {
				x.Refused = &r
			}
		}
	}
	return x, err
}

// lookFixed says what setup fixed of the remote.
func (x *Exchange) lookFixed(ctx context.Context, m *memory.Memory, config git.Config) error {
	u, fixed, err := upstream.Of(m.Repo())
	if err != nil || !fixed {
		return err
	}
	x.Fixed, x.URL, x.Why = true, u.Places(), u.Why
	if x.Trust, err = trust.OfUpstream(config, u); err != nil {
		return err
	}
	if _, said := config.Get(trust.UpstreamKey); said {
		x.Why = trust.UpstreamKey + " says so"
	}
	if err := checkPlace(m.Repo(), u); err != nil {
		x.Trust, x.Why = upstream.Signed, err.Error()
	}
	x.Other, err = otherStore(ctx, m, u)
	return err
}

// Seen returns what tells whether a remote was last seen to hold an object under the full name of a
// record or of a later signature, as a ref or in an archive.
func Seen(ctx context.Context, m *memory.Memory, name string) (func(ref, object string) bool, error) {
	theirs, archived, err := lastSeen(ctx, m, name)
	return func(ref, object string) bool {
		return theirs.Find(ref) == object || archived[ref] == object
	}, err
}

// NamedThere returns the full names of what a remote was last seen to hold of some records, as refs and in
// archives.
func NamedThere(ctx context.Context, m *memory.Memory, name string, ids []packet.ID) ([]string, error) {
	theirs, archived, err := lastSeen(ctx, m, name)
	for ref := range theirs.All() {
		archived[ref] = ""
	}
	maps.DeleteFunc(archived, func(ref, _ string) bool {
		of, ok := refs.Parse(ref)
		return !ok || !slices.Contains(ids, of.ID)
	})
	return slices.Sorted(maps.Keys(archived)), err
}

// lastSeen is what a remote was last seen to hold: its refs, and the records in its archives.
func lastSeen(ctx context.Context, m *memory.Memory,
	name string,
) (theirs git.RefList, archived map[string]string, err error) {
	archived = map[string]string{}
	if theirs, err = m.Remote(name).Holds(ctx); err != nil {
		return theirs, archived, err
	}
	for _, a := range archivesAmong(theirs.Below(archiveRoot), name) {
		names, err := m.Intake().InArchive(ctx, a)
		if err != nil && !replay.IsUnreadable(err) { // That was told when it was not taken, or a check tells it.
			return theirs, archived, err
		}
		if err == nil {
			maps.Copy(archived, names)
		}
	}
	return theirs, archived, nil
}

// CountRefs says how many of some records and changes are which.
func CountRefs(all, changes int) string {
	var parts []string
	for _, part := range []struct {
		n     int
		thing string
	}{{all - changes, "record"}, {changes, "change"}} {
		if part.n > 1 {
			part.thing += "s"
		}
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.thing))
		}
	}
	return cmp.Or(strings.Join(parts, " and "), "0")
}

// CountNames is [CountRefs] of refs.
func CountNames(names []string) string { return CountRefs(len(names), countChanges(names)) }

func countChanges(names []string) (changes int) {
	for _, ref := range names {
		if name, ok := refs.Parse(ref); ok && name.IsChange() {
			changes++
		}
	}
	return changes
}
