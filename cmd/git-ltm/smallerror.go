package main

import (
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// smallError is a note, a skip or an event that was not stored. The ways out are others than those of
// packets.
type smallError struct{ err error }

func (e *smallError) Error() string {
	if secret, ok := errors.AsType[*replay.SecretError](e.err); ok {
		if n := len(secret.Findings); n != 1 {
			return fmt.Sprintf("it holds %d secrets, nothing was stored", n)
		}
		return "it holds a secret, nothing was stored"
	}
	return e.err.Error()
}

func (e *smallError) Unwrap() error { return e.err }

// batchError is what is wrong with lines of a batch, which were not stored.
type batchError struct {
	lines  int // of the batch
	stored int
	wrong  []lineError
}

// lineError is what is wrong with one line.
type lineError struct {
	line int
	err  error
}

func (e *batchError) Error() string {
	if e.stored > 0 {
		return fmt.Sprintf("%d of %d lines were not stored, the others were", len(e.wrong), e.lines)
	}
	return fmt.Sprintf("%d of %d lines cannot be stored", len(e.wrong), e.lines)
}

func (e *batchError) Unwrap() []error {
	all := make([]error, len(e.wrong))
	for i, w := range e.wrong {
		all[i] = w.err
	}
	return all
}

// parts lists everything that is wrong with one line.
func parts(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, part := range joined.Unwrap() {
			all = append(all, parts(part)...)
		}
		return all
	}
	if found := details(err); len(found) > 0 {
		return found
	}
	return []string{err.Error()}
}

// isSmall makes a test for an error of a note, a skip or an event, or of a batch of them.
func isSmall(fits func(error) bool) func(error) bool {
	return func(err error) bool { return (isA[*smallError](err) || isA[*batchError](err)) && fits(err) }
}

// isPartial tells a batch of which some lines were stored.
func isPartial(err error) bool {
	batch, ok := errors.AsType[*batchError](err)
	return ok && batch.stored > 0
}

// smallOutcomes says what the errors of small records mean to the user.
func smallOutcomes() []rule {
	return []rule{
		{isPartial, outcome{codePartial, "mend the lines that are listed and store them alone"}},
		{
			isSmall(isA[*replay.SecretError]),
			outcome{codeSecret, "take it out, or store it masked with --redact; what is no secret: " +
				"--allow FINGERPRINT --allow-why TEXT"},
		},
		{is(gate.ErrOverride), outcome{codeUsage, "--redact stores it masked"}},
		{
			isSmall(is(gate.ErrPrivate)),
			outcome{codeUsage, "keep it in this clone too with --private, or do not name the private record"},
		},
		{
			isSmall(is(replay.ErrExists)),
			outcome{codeContested, "records are written once; without its id it is stored under a new one"},
		},
		{
			isSmall(isA[*packet.InvalidError]),
			outcome{codeInvalid, "mend what is listed; 'git ltm %s--help' says what it takes"},
		},
		{is(gate.ErrSelf), outcome{codeUsage, "name two records"}},
		{is(gate.ErrAllowance), outcome{codeUsage, "'git ltm allow --revoke FINGERPRINT' takes it back"}},
		{is(errGroup), outcome{codeContested, "'git ltm consolidate' shows the groups as they are now"}},
		{is(errConflict), outcome{
			codeContested,
			"say which of them holds: 'git ltm supersede OLD --by NEW --why W', or 'git ltm contradict ID --why W'",
		}},
		{is(errNoIdentity), outcome{codeNotFound, "'git ltm identity set TEXT' stores one"}},
		{is(command.ErrKind), outcome{codeUsage, "'git ltm show ID' says what it is"}},
	}
}

// errNoIdentity says that nobody stored who they are.
var errNoIdentity = errors.New("not found")
