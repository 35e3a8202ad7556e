package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
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

// Transaction is a git process that waits for the changes of one transaction, so that its start-up runs beside the
// writing of the objects. A transaction ends with Commit or Abort; when this process dies, nothing was changed.
type Transaction struct {
	repo    *Repo
	process *program.Process
	args    []string
	err     error // err is why the process did not start.
	ended   bool
}

// errEnded says that a transaction was used after its end.
var errEnded = errors.New("transaction has ended")

// Begin starts a transaction, whose process ends with ctx. A process that does not start is reported by Commit.
func (r *Repo) Begin(ctx context.Context) *Transaction {
	return r.begin(ctx, durable())
}

// begin starts a transaction under options of git.
func (r *Repo) begin(ctx context.Context, options []string) *Transaction {
	args := append(slices.Clone(options), "update-ref", "--no-deref", "-z", "--stdin")
	t := &Transaction{repo: r, args: args}
	t.process, t.err = r.run.command(args...).Start(ctx, program.Stdin)
	return t
}

// Commit makes all changes or none. A change that is already as wished counts as made. A ref with an unexpected
// value is ErrConflict; held locks are waited for.
func (t *Transaction) Commit(ctx context.Context, changes []Change) error {
	if t.ended {
		return errEnded
	}
	script, err := transactionScript(changes)
	if err != nil {
		t.Abort()
		return err
	}
	if err := t.send(script); err != nil {
		return t.repo.settle(ctx, changes, err)
	}
	return nil
}

// Abort ends the transaction without a change.
func (t *Transaction) Abort() {
	if t.ended || t.err != nil {
		return
	}
	t.ended = true
	_ = t.process.Stdin.Close() // Without "commit" the end of the input rolls back.
	_ = t.process.Wait()
}

// send hands the script over and waits for the end of git.
func (t *Transaction) send(script string) error {
	t.ended = true
	if t.err != nil {
		return runError(t.args, t.err)
	}
	_, writeErr := io.WriteString(t.process.Stdin, script)
	closeErr := t.process.Stdin.Close()
	if err := runError(t.args, t.process.Wait()); err != nil {
		return err
	}
	return errors.Join(writeErr, closeErr)
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
