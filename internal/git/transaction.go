package git

import (
	"context"
	"fmt"
	"strings"
)

// Kind is what a change does to a ref.
type Kind int

// The changes of a transaction.
const (
	Create Kind = iota + 1 // Create makes a ref that must not exist.
	Update                 // Update moves a ref from Old to New; an empty Old is any value.
	Delete                 // Delete removes a ref that has the value Old; an empty Old is any value.
	Verify                 // Verify changes nothing but wants the value Old; an empty Old wants no ref.
)

// Change is one step of a transaction.
type Change struct {
	Ref  string // Ref is the full name, required.
	Old  string // Old is the object that the ref must name now.
	New  string // New is the object that the ref shall name.
	Kind Kind   // Kind is required.
}

// command writes the change in the language of update-ref, with NUL after each field.
func (c Change) command() (string, error) {
	if !strings.HasPrefix(c.Ref, "refs/") || strings.ContainsAny(c.Ref, "\x00\n \x7f") {
		return "", fmt.Errorf("ref %q: not a full name", c.Ref)
	}
	if (c.Old != "" && !isObjectID(c.Old)) || (c.New != "" && !isObjectID(c.New)) {
		return "", fmt.Errorf("ref %q: %q or %q is not an object name", c.Ref, c.Old, c.New)
	}
	switch c.Kind {
	case Create:
		return "create " + c.Ref + "\x00" + c.New + "\x00", nil
	case Update:
		return "update " + c.Ref + "\x00" + c.New + "\x00" + c.Old + "\x00", nil
	case Delete:
		return "delete " + c.Ref + "\x00" + c.Old + "\x00", nil
	case Verify:
		return "verify " + c.Ref + "\x00" + c.Old + "\x00", nil
	}
	return "", fmt.Errorf("ref %q: unknown kind of change %d", c.Ref, c.Kind)
}

// durable returns the options under which git writes a ref: synced before it gets its name, waiting for locks of
// others, without a reflog (a record is written once), and without taking an object name for a ref.
func durable() []string {
	return append([]string{"-c", "core.fsync=reference", "-c", "core.fsyncMethod=fsync"}, patient()...)
}

// patient returns the options under which git writes a ref as in durable, and leaves it to a later step to sync it.
func patient() []string {
	return []string{
		"-c", "core.filesRefLockTimeout=3000", "-c", "core.packedRefsTimeout=5000", "-c", "reftable.lockTimeout=5000",
		"-c", "core.logAllRefUpdates=false", "-c", "core.warnAmbiguousRefs=false",
	}
}

// transact runs one transaction under options of git.
func (r *Repo) transact(ctx context.Context, options []string, script string) error {
	_, err := r.run.output(ctx, strings.NewReader(script), append(options, "update-ref", "--no-deref", "-z", "--stdin")...)
	return err
}

// transactionScript is the input of update-ref. The explicit start makes an early end of input a rollback.
func transactionScript(changes []Change) (string, error) {
	var script strings.Builder
	script.WriteString("start\x00")
	for _, change := range changes {
		command, err := change.command()
		if err != nil {
			return "", err
		}
		script.WriteString(command)
	}
	script.WriteString("prepare\x00commit\x00")
	return script.String(), nil
}
