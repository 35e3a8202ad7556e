package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signing"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// The exit codes.
const (
	codeDone        = 0
	codeFailed      = 1
	codeUsage       = 2
	codeSecret      = 3
	codeSignature   = 4
	codeContested   = 5
	codeInvalid     = 6
	codeNotFound    = 7
	codePartial     = 8 // of a batch: some of it was stored
	codeInterrupted = 130
)

// exitCodes is the part of a help text that lists them.
const exitCodes = "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 secret found, 4 signature missing or not trusted,\n" +
	"5 moved or contested, 6 invalid record, 7 not found, 130 interrupted."

// outcome is what an error means to the user.
type outcome struct {
	code int
	hint string
}

// isA makes a test for an error type.
func isA[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// outcomes says for each kind of error its exit code and the way out. The first
// that fits counts.
func outcomes() []rule {
	batch := rule{
		isA[*batchError],
		outcome{codeInvalid, "mend the lines that are listed; 'git ltm %s--help' says what a line takes"},
	}
	return append(slices.Concat(draftOutcomes(), importOutcomes(), exportOutcomes(), smallOutcomes(),
		setupOutcomes(), allOutcomes()), batch)
}

func allOutcomes() []rule {
	return []rule{
		{is(context.Canceled), outcome{codeInterrupted, ""}},
		{is(scan.ErrSlow), outcome{
			codeFailed,
			"make the rules of .gitleaks.toml and of ltm.scanConfig simpler, or the text shorter",
		}},
		{
			isA[*git.OriginError],
			outcome{codeFailed, "take it out of that file, and where it is meant, set it with 'git config " +
				"KEY VALUE'; 'git ltm doctor' names every such setting"},
		},
		{
			isA[*git.PlainHeadError],
			outcome{codeFailed, "'git remote set-head REMOTE -a' asks the remote for its default branch; " +
				"or write the full name of the branch that is meant"},
		},
		{
			isA[*scan.RulesError],
			outcome{codeFailed, "mend what is listed; ltm.scanConfig or --config names the file, or it is " +
				".gitleaks.toml of the work tree"},
		},
		{isA[*usageError], outcome{codeUsage, "see 'git ltm %s--help'"}},
		{unwrittenSecret, outcome{
			codeSecret,
			"change a secret that leaked, and allow a false positive: 'git ltm allow'; or name the " +
				"records that shall go",
		}},
		{unwrittenUnsigned, outcome{
			codeSignature,
			"sign what is not trusted with 'git ltm sign ID', or name the records that shall go",
		}},
		{
			isA[*unwrittenError],
			outcome{codeInvalid, "mend what is listed, or name the records that shall go"},
		},
		{is(memory.ErrElsewhere), outcome{codeNotFound, "take it from there first: 'git ltm pull'"}},
		{refusedSecret, outcome{
			codeSecret,
			leaveOut + "; change a secret that leaked, and allow a false positive: 'git ltm allow', then " +
				"push 'refs/ltm/events/*' before the record",
		}},
		{refusedUnsigned, outcome{
			codeSignature,
			leaveOut + "; sign what is not trusted with 'git ltm sign ID'",
		}},
		{isA[*refusedError], outcome{codeInvalid, leaveOut}},
		{
			isA[*unfetchedError],
			outcome{
				codeNotFound,
				"fetch them first with 'git ltm pull', or look at them there: 'git ltm check --remote NAME'",
			},
		},
		{foundStored, outcome{
			codeSecret,
			"change what leaked, then take it out with 'git ltm purge ID --reason secret', or where there " +
				"is no id with 'git update-ref -d REF'; what is no secret can be allowed with 'git ltm " +
				"allow', or listed for --baseline",
		}},
		{foundSecret, outcome{
			codeSecret,
			"change what leaked, then take it out; what is no secret can be listed for --baseline",
		}},
		{foundUnsigned, outcome{
			codeSignature,
			"'git ltm verify' says whether each record is trusted, and which command changes that",
		}},
		{foundInvalid, outcome{codeInvalid, "each result says what to do about it"}},
		{isFetchedSecret, outcome{
			codeSecret,
			"it is withheld here; tell its author to retract it and to change the secret. What is no " +
				"secret can be allowed: 'git ltm check --remote NAME' prints the fingerprint",
		}},
		{
			isA[*replay.SecretError],
			outcome{codeSecret, "take it out, or save again with --redact, which masks it, or, for what " +
				"is no secret, with --allow FINGERPRINT --why TEXT"},
		},
		{
			is(trust.ErrNotHere),
			outcome{codeFailed, "fetch the branch of the list, or accept another with 'git ltm trust init'"},
		},
		{
			is(trust.ErrNoRef),
			outcome{codeFailed, "'git remote set-head REMOTE -a' asks the remote for its default branch; " +
				"or fetch the branch and name it with 'git config ltm.trustRef REF'"},
		},
		{
			isA[*trust.PolicyError],
			outcome{codeFailed, "nothing can be judged while the policy cannot be read; 'git config " +
				"--show-origin KEY' says where a key is set"},
		},
		{
			isA[*replay.PolicyError],
			outcome{codeSignature, "'git ltm verify ID' says why, and which command changes that"},
		},
		{namedByTeam, outcome{codeSignature, "look at the list and accept it with 'git ltm trust init'"}},
		{
			isA[*signing.StoreError],
			outcome{
				codeSignature,
				"a signature names its store, so that it is good in no other; of another project, give " +
					"this one an id of its own: git config ltm.store NAME",
			},
		},
		{
			is(signer.ErrNoKey),
			outcome{
				codeSignature,
				"git config user.signingKey FILE names it, with 'git config gpg.format ssh' for a key of " +
					"SSH; 'git ltm key init' makes one for an agent",
			},
		},
		{
			is(signing.ErrNoIdentity),
			outcome{codeSignature, "git config user.name NAME, and git config user.email ADDRESS"},
		},
		{
			is(signing.ErrRevoked),
			outcome{codeSignature, "sign with another key: user.signingKey or ltm.signingKey names it"},
		},
		{
			isA[*signing.SignError],
			outcome{
				codeSignature,
				"try the same key with 'git tag -s'; --no-sign stores it unsigned, and 'git ltm sign ID' " +
					"signs it later",
			},
		},
		{
			isA[*replay.StandingError],
			outcome{
				codeSignature,
				"ask its author to save it again, or look at the object with git cat-file",
			},
		},
		{
			is(replay.ErrExists),
			outcome{
				codeContested,
				"records are written once; 'git ltm save --new-id' stores yours under a new id",
			},
		},
		{
			replay.IsStoredUnreadable,
			outcome{codeInvalid, "another program stored it so; 'git ltm rm' takes it out of every list"},
		},
		{is(errNotGoodEnough), outcome{codeSignature, "'to change' stands with each of them"}},
		{is(trust.ErrNoList), outcome{codeNotFound, "'git ltm trust --help' says which lists count"}},
		{
			is(audit.ErrUnsigned),
			outcome{codeSignature, "whoever knows the record can sign it with 'git ltm sign ID'"},
		},
		{
			isA[*remote.BusyError],
			outcome{
				codeContested,
				"run the command again; 'git ltm status' says how memory travels by itself",
			},
		},
		{
			is(git.ErrConflict),
			outcome{codeContested, "another process changed the same ref; run the command again"},
		},
		{
			isA[*packet.InvalidError],
			outcome{codeInvalid, "mend what is listed; 'git ltm example' shows a valid packet"},
		},
		{isA[*replay.AmbiguousError], outcome{codeUsage, "give more characters of the id"}},
		{
			is(audit.ErrNoFinding),
			outcome{
				codeNotFound,
				"'git ltm check' prints the fingerprints of what it finds, and 'git ltm allow' lists what is allowed",
			},
		},
		{
			is(replay.ErrWithheld),
			outcome{
				codeNotFound,
				"'git ltm verify' says why each is withheld and which command changes that",
			},
		},
		{
			is(replay.ErrHidden),
			outcome{
				codeNotFound,
				"'git ltm purge --refuse ID' brings it back, and '--accept ID' removes it; 'git ltm " +
					"status' says who asks",
			},
		},
		{
			is(purge.ErrNoRequest),
			outcome{codeNotFound, "'git ltm status' lists the purges that wait for an answer"},
		},
		{
			is(replay.ErrPurged),
			outcome{codeNotFound, "a purge counts for ever; 'git ltm log' says who purged it"},
		},
		{is(replay.ErrTombstone), outcome{codeUsage, "name the record itself, or leave it"}},
		{
			is(replay.ErrNotFound),
			outcome{
				codeNotFound,
				"'git ltm ls' lists what is here; 'git ltm pull' brings those of a remote",
			},
		},
		{
			is(memory.ErrNoUserStore),
			outcome{codeNotFound, "'git ltm save --user' makes it, or 'git ltm --user init'"},
		},
		{
			is(gate.ErrCopied),
			outcome{
				codeInvalid,
				"say it in your own words; a packet may also be saved without --as-is, which leaves out " +
					"and links what it repeats",
			},
		},
		{is(gate.ErrPlaces), outcome{codeInvalid, "write them without the home, or save it without --as-is"}},
		{
			is(gate.ErrPrivate),
			outcome{codeUsage, "save with --private what continues it, or begin a new thread with --root"},
		},
		{
			is(memory.ErrUserStoreOff),
			outcome{codeFailed, "'git config --show-origin ltm.userStore' says where"},
		},
		{
			is(remote.ErrNone),
			outcome{
				codeNotFound,
				"'git remote -v' lists the remotes, and 'git remote add' makes one; name one on the " +
					"command line, or for good with 'git ltm setup --remote REMOTE'; without any: 'git " +
					"ltm export --bundle FILE'",
			},
		},
		{
			is(remote.ErrBundle),
			outcome{codeFailed, "'git ltm pull' reads it, and 'git ltm export --bundle FILE' writes one"},
		},
		{is(errWithheld), outcome{
			codeContested,
			"each line says why; a record that does not pass: save it anew and 'git ltm purge' the old " +
				"one; a remote that refuses: let it take refs/ltm, name another with 'git ltm setup " +
				"--remote NAME', or carry a file with 'git ltm export --bundle'",
		}},
		{
			isA[*remote.SilentError],
			outcome{codeFailed, "try 'git ls-remote REMOTE'; where it is slow, 'git config " +
				"ltm.remoteTimeout SECONDS' gives it more time"},
		},
		{
			isA[*remote.ReachError],
			outcome{codeFailed, "git ltm goes where git goes: try 'git ls-remote REMOTE'; addresses, keys " +
				"and passwords are git's own"},
		},
		{
			isA[*remote.PublicError],
			outcome{codeFailed, "if everybody may read this memory: --yes-public, or for good git config " +
				"ltm.public true; else name another remote with 'git ltm setup --remote NAME'"},
		},
		{
			is(git.ErrMissing),
			outcome{codeFailed, "fetch it first; a shallow clone gets more with 'git fetch --unshallow'"},
		},
		{is(git.ErrNoGit), outcome{codeFailed, "install git and put it on the PATH"}},
		{
			is(git.ErrNotRepository),
			outcome{codeFailed, "run it inside a git repository, or name one with -C DIR"},
		},
		{
			is(git.ErrEmbedded),
			outcome{codeFailed, "a clone can bring such a folder like any other files; if it is yours, " +
				"name it: GIT_DIR=DIR git ltm, or git --git-dir=DIR ltm"},
		},
		{is(git.ErrUnsafe), outcome{
			codeFailed,
			"the repository belongs to another user; if you trust it: git config --global --add " +
				"safe.directory DIR",
		}},
		{is(syscall.EROFS), outcome{
			codeFailed,
			"git's folder is read-only here, as it is for commands in the sandbox of Codex; the tools of " +
				"'git ltm mcp' run outside of it: call save there",
		}},
		{is(fs.ErrNotExist), outcome{codeNotFound, ""}},
		{is(fs.ErrPermission), outcome{codeFailed, "check who may read and write there"}},
	}
}

// rule ties a kind of error to its outcome.
type rule struct {
	fits func(error) bool
	outcome
}

// report prints an error, its details and the way out, and returns its exit
// code.
func (e *env) report(cmd *cobra.Command, err error) int {
	o := outcome{code: codeFailed}
	for _, c := range outcomes() {
		if c.fits(err) {
			o = c.outcome
			break
		}
	}
	if o.code == codeInterrupted {
		e.say("error", "interrupted")
		return o.code
	}
	e.say("error", strings.ReplaceAll(e.rules.Public(summary(err)), "\n", "; "))
	for _, d := range details(err) {
		_, _ = fmt.Fprintf(e.stderr, "  %s\n", e.printable(d))
	}
	if e.userStore != "" && errors.Is(err, remote.ErrNone) {
		o.hint = "'" + e.wayOut() + "' gives your user-wide memory a remote"
	}
	if changed, ok := errors.AsType[*upstream.ChangedError](err); ok {
		o.hint = confirmHint(changed)
	}
	if wrong, ok := errors.AsType[*usageError](err); ok {
		o.hint = cmp.Or(wrong.hint, o.hint)
	}
	if errors.Is(err, remote.ErrNone) {
		o.hint = habitHint(cmd, o.hint)
	}
	if strings.Contains(o.hint, "%s") {
		o.hint = fmt.Sprintf(o.hint, strings.TrimPrefix(cmd.CommandPath()+" ", "git ltm "))
	}
	if o.hint != "" {
		e.say("hint", o.hint)
	}
	return o.code
}

// isFetchedSecret tells a secret that a remote sent from one that was about to
// be stored.
func isFetchedSecret(err error) bool {
	secret, ok := errors.AsType[*replay.SecretError](err)
	return ok && secret.Stored
}

// summary is the one line of an error whose details follow.
func summary(err error) string {
	if isA[*batchError](err) {
		return err.Error()
	}
	return reply.Summary(err)
}

// details lists what an error found, one line each.
func details(err error) []string {
	if batch, ok := errors.AsType[*batchError](err); ok {
		var all []string
		for _, w := range batch.wrong {
			for _, text := range parts(w.err) {
				all = append(all, fmt.Sprintf("line %d: %s", w.line, text))
			}
		}
		return all
	}
	return reply.Details(err)
}

// namedByTeam tells a store that the team's list names, which nobody has accepted here.
func namedByTeam(err error) bool {
	store, ok := errors.AsType[*signing.StoreError](err)
	return ok && store.Team != ""
}

// say prints one line to the person.
func (e *env) say(kind, text string) {
	// There is nobody left to tell.
	_, _ = fmt.Fprintf(e.stderr, "git-ltm: %s: %s\n", kind, e.printable(text))
}

func (e *env) warnf(format string, args ...any) { e.say("warning", fmt.Sprintf(format, args...)) }

// printable makes a text fit for a terminal and a log. Places stay, they say where to look.
func (e *env) printable(text string) string { return reply.Printable(e.rules, text) }

// word makes what somebody typed fit to be quoted by an error.
func word(text string) string { return reply.Word(text) }

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
