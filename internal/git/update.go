package git

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	lockPatience = 10 * time.Second // lockPatience is how long a lock of another process is waited for.
	// blindRetries is how often a failure without a visible reason is tried again.
	blindRetries = 5
	firstPause   = 10 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// Update makes all changes in one transaction, or none. A change that is already as wished counts as made. A
// ref with an unexpected value is ErrConflict; held locks are waited for.
func (r *Repo) Update(ctx context.Context, changes []Change) error {
	return r.updateWith(ctx, durableOptions(), changes)
}

// updateWith is Update under options of git.
func (r *Repo) updateWith(ctx context.Context, options []string, changes []Change) error {
	script, err := transactionScript(changes)
	if err != nil {
		return err
	}
	if err := r.runTransaction(ctx, options, script); err != nil {
		return r.settleFailure(ctx, changes, err)
	}
	return nil
}

// UpdateMany is Update for so many changes that to sync each ref takes long: all refs are gathered into the
// packed-refs file, which is synced once. A power cut before it returns can leave refs that are empty. Where
// refs are not files, one sync is enough for all in any case.
func (r *Repo) UpdateMany(ctx context.Context, changes []Change) error {
	if r.RefFormat != "files" {
		return r.Update(ctx, changes)
	}
	if err := r.updateWith(ctx, patientOptions(), changes); err != nil {
		return err
	}
	if _, err := r.run.readOutput(ctx, nil, append(durableOptions(), "pack-refs", "--all")...); err != nil {
		return fmt.Errorf("pack refs: %w", err)
	}
	return nil
}

// settleFailure decides what a failed transaction means by looking at the refs, and tries again while that
// may help.
func (r *Repo) settleFailure(ctx context.Context, changes []Change, failure error) error {
	patience, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	for try := 0; ; try++ {
		if ctx.Err() != nil {
			return failure
		}
		left, err := r.unsettledChanges(ctx, changes)
		if err != nil || len(left) == 0 {
			return err
		}
		locked := r.isLocked(left)
		if patience.Err() != nil || (!locked && try >= blindRetries) {
			return failure
		}
		if err := pauseBetween(ctx, try); err != nil {
			return failure
		}
		script, err := transactionScript(left)
		if err != nil {
			return err
		}
		if failure = r.runTransaction(ctx, durableOptions(), script); failure == nil {
			return nil
		}
	}
}

// unsettledChanges returns the changes that are still to be made. A ref with an unexpected value is
// ErrConflict.
func (r *Repo) unsettledChanges(ctx context.Context, changes []Change) ([]Change, error) {
	names := make([]string, len(changes))
	for i, change := range changes {
		names[i] = change.Ref
	}
	now := make(map[string]string, len(names))
	for len(names) > 0 {
		count := min(len(names), valuesAtOnce)
		refs, err := r.Refs(ctx, names[:count]...)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			now[ref.Name] = ref.Object
		}
		names = names[count:]
	}
	var left []Change
	for _, change := range changes {
		done, conflict := change.compareValue(now[change.Ref])
		if conflict {
			return nil, fmt.Errorf("change ref %q: %w", change.Ref, ErrConflict)
		}
		if done {
			continue
		}
		left = append(left, change)
	}
	return left, nil
}

// compareValue tells whether a ref with the value now has what the change wants, or contradicts it.
func (c Change) compareValue(now string) (done, conflict bool) {
	switch c.Kind {
	case Create:
		return now == c.New, now != "" && now != c.New
	case Update:
		return now == c.New, now != c.New && c.Old != "" && now != strings.Trim(c.Old, "0") && now != c.Old
	default:
		return now == "", now != "" && c.Old != "" && now != c.Old
	}
}

// valuesAtOnce bounds how many names go into one command line.
const valuesAtOnce = 200

// isLocked reports whether another process holds a lock that the changes need.
func (r *Repo) isLocked(changes []Change) bool {
	files := []string{"packed-refs", "reftable/tables.list"}
	for _, change := range changes {
		files = append(files, change.Ref)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		return isThere(filepath.Join(r.CommonDir, filepath.FromSlash(file)) + ".lock")
	})
}

// pauseBetween waits a little longer at each try, by a random part, so that rivals do not meet again.
func pauseBetween(ctx context.Context, try int) error {
	longest := min(firstPause<<min(try, 10), longestPause)
	var random [1]byte
	_, _ = rand.Read(random[:]) // It never fails.
	timer := time.NewTimer(longest/2 + longest/2*time.Duration(random[0])/256)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Kind is what a change does to a ref.
type Kind int

// The changes of a transaction.
const (
	Create Kind = iota + 1 // Create makes a ref that must not exist.
	Update                 // Update moves a ref from Old to New; an empty Old is any value.
	Delete                 // Delete removes a ref that has the value Old; an empty Old is any value.
)

// Change is one step of a transaction.
type Change struct {
	Ref  string // Ref is the full name, required.
	Old  string // Old is the object that the ref must name now.
	New  string // New is the object that the ref shall name.
	Kind Kind   // Kind is required.
}

// asCommand writes the change in the language of update-ref, with NUL after each field.
func (c Change) asCommand() (string, error) {
	if !strings.HasPrefix(c.Ref, "refs/") || strings.ContainsAny(c.Ref, "\x00\n \x7f") {
		return "", fmt.Errorf("ref %q: not a full name", c.Ref)
	}
	if (c.Old != "" && !IsObjectID(c.Old)) || (c.New != "" && !IsObjectID(c.New)) {
		return "", fmt.Errorf("ref %q: %q or %q is not an object name", c.Ref, c.Old, c.New)
	}
	switch c.Kind {
	case Create:
		return "create " + c.Ref + "\x00" + c.New + "\x00", nil
	case Update:
		return "update " + c.Ref + "\x00" + c.New + "\x00" + c.Old + "\x00", nil
	case Delete:
		return "delete " + c.Ref + "\x00" + c.Old + "\x00", nil
	}
	return "", fmt.Errorf("ref %q: unknown kind of change %d", c.Ref, c.Kind)
}

// durableOptions returns the options under which git writes a ref: synced before it gets its name, waiting
// for locks of others, without a reflog (a record is written once), and without taking an object name for a
// ref.
func durableOptions() []string {
	return append([]string{"-c", "core.fsync=reference", "-c", "core.fsyncMethod=fsync"}, patientOptions()...)
}

// patientOptions returns the options under which git writes a ref as in durable, and leaves it to a later
// step to sync it.
func patientOptions() []string {
	return []string{
		"-c", "core.filesRefLockTimeout=3000", "-c", "core.packedRefsTimeout=5000", "-c",
		"reftable.lockTimeout=5000",
		"-c", "core.logAllRefUpdates=false", "-c", "core.warnAmbiguousRefs=false",
	}
}

// runTransaction runs one transaction under options of git.
func (r *Repo) runTransaction(ctx context.Context, options []string, script string) error {
	_, err := r.run.readOutput(ctx, strings.NewReader(script),
		append(options, "update-ref", "--no-deref", "-z", "--stdin")...)
	return err
}

// transactionScript is the input of update-ref. The explicit start makes an early end of input a rollback.
func transactionScript(changes []Change) (string, error) {
	size := 64
	for _, change := range changes {
		size += len("update \x00\x00\x00") + len(change.Ref) + len(change.New) + len(change.Old)
	}
	var script strings.Builder
	script.Grow(size)
	script.WriteString("start\x00")
	for _, change := range changes {
		command, err := change.asCommand()
		if err != nil {
			return "", err
		}
		script.WriteString(command)
	}
	script.WriteString("prepare\x00commit\x00")
	return script.String(), nil
}
