package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/signer"
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
	codePartial     = 8 // of several things some were done
	codeInterrupted = 130
)

// exitCodes is the part of a help text that lists them.
const exitCodes = "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 secret found, 4 signature missing or " +
	"not trusted,\n" +
	"5 moved or contested, 6 invalid record, 7 not found, 8 some of several not done, 130 interrupted."

// isA makes a test for an error type.
func isA[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// isWhere makes a test for an error type of which something holds.
func isWhere[T error](holds func(T) bool) func(error) bool {
	return func(err error) bool {
		found, ok := errors.AsType[T](err)
		return ok && holds(found)
	}
}

// errorOutcomes says for each kind of error its exit code and the way out. The first
// that fits counts.
func errorOutcomes(cmd *cobra.Command) []rule {
	unfinished := func(e *packet.InvalidError) bool {
		return !slices.ContainsFunc(e.Problems, func(p packet.Problem) bool {
			return p.Path != "/goal" && p.Path != "/next_step"
		})
	}
	notFound := "'git ltm ls' lists what is here; 'git ltm sync' brings those of a remote"
	if cmd.Name() != "recall" {
		notFound = idHint + "; 'git ltm sync' brings those of a remote"
	}
	return []rule{
		{is(draft.ErrNoDraft), codeNotFound, "'git ltm distill' makes one of the last session here, and " +
			"'git ltm distill --list' lists them"},
		{is(draft.ErrUserDraft), codeUsage, ""},
		{is(session.ErrNothing), codeNotFound, "only a session that did something leaves a draft"},
		{is(session.ErrForm), codeInvalid, "name the client with --format"},
		{is(errNoTranscript), codeNotFound, "name the file, or run it where the session worked; " +
			"OpenCode prints one with 'opencode export ID', which '-' reads"},
		{isWhere(func(e *importError) bool { return e.Secrets > 0 }), codeSecret, "take the secret out of " +
			"the source, or store it masked with --redact; then import it again: what is there is not " +
			"added twice"},
		{isWhere(func(e *importError) bool { return e.Refused+e.Invalid > 0 }), codeInvalid, "mend what " +
			"is listed; then import it again: what is there is not added twice"},
		{isA[*importError], codeContested, "both are kept; 'git ltm show' tells them apart, and 'git " +
			"ltm edit --superseded-by' or 'git ltm rm' settles it"},
		{
			isWhere(func(e *batchError) bool { return e.stored > 0 }), codePartial,
			"mend the lines that are listed and store them alone",
		},
		{is(gate.ErrOverride), codeUsage, "--redact stores it masked"},
		{is(gate.ErrSelf), codeUsage, "name two records"},
		{is(gate.ErrAllowance), codeUsage, "'git ltm allow --revoke FINGERPRINT' takes it back"},
		{is(command.ErrGroup), codeContested, "'git ltm consolidate' shows the groups as they are now"},
		{is(command.ErrConflict), codeContested, "say which of them holds: 'git ltm edit OLD " +
			"--superseded-by NEW --why W', or 'git ltm edit ID --wrong --why W'"},
		{is(errNoIdentity), codeNotFound, "'git ltm note --kind identity TEXT' stores one"},
		{is(command.ErrKind), codeUsage, "'git ltm show ID' says what it is"},
		{isA[*setup.ScopeError], codeUsage, "leave --scope out; 'git ltm setup --help' says which " +
			"there are"},
		{isA[*setup.TwiceError], codeContested, "leave it at that; or take it out there first: the " +
			"agent's own command uninstalls the plugin git-ltm, and 'git ltm setup AGENT --undo " +
			"--scope SCOPE' takes out hooks"},
		{is(setup.ErrOutside), codeFailed, "run it inside a repository with a work tree, or name " +
			"--scope user"},
		{is(setup.ErrOutward), codeFailed, "look at where it leads; your own files may be links, " +
			"those of a project may not lead out of it"},
		{is(settings.ErrMoved), codeContested, "run the command again: it does what is left"},
		{is(setup.ErrRecord), codeFailed, "remove it; --undo then goes by what stands in the files"},
		{isA[*setup.FileError], codeFailed, "nothing was changed; mend the file, or move what stands " +
			"in the way, and run it again"},
		{is(context.Canceled), codeInterrupted, ""},
		{is(scan.ErrSlow), codeFailed, "make the rules of .gitleaks.toml and of ltm.scanConfig " +
			"simpler, or the text shorter"},
		{isA[*git.OriginError], codeFailed, "take it out of that file, and where it is meant, set it " +
			"with 'git config KEY VALUE'; 'git ltm doctor' names every such setting"},
		{isA[*git.PlainHeadError], codeFailed, "'git remote set-head REMOTE -a' asks the remote for " +
			"its default branch; or write the full name of the branch that is meant"},
		{isA[*scan.RulesError], codeFailed, "mend what is listed; ltm.scanConfig or --config names " +
			"the file, or it is .gitleaks.toml of the work tree"},
		{isA[*usageError], codeUsage, "see 'git ltm %s--help'"},
		{is(memory.ErrElsewhere), codeNotFound, "take it from there first: 'git ltm sync'"},
		{isA[*unfetchedError], codeNotFound, "fetch them first with 'git ltm pull', or look at them " +
			"there: 'git ltm check --remote NAME'"},
		{
			isWhere(func(e *replay.SecretError) bool { return e.Stored }), codeSecret,
			"it is withheld here; tell its author to retract it and to " +
				"change the secret. What is no secret can be allowed: 'git ltm check --remote NAME' " +
				"prints the fingerprint",
		},
		{isA[*replay.SecretError], codeSecret, "take it out, or store it masked with --redact; what is no " +
			"secret: --allow FINGERPRINT --allow-why TEXT"},
		{is(trust.ErrNotHere), codeFailed, "fetch the branch of the list, or accept another with " +
			"'git ltm trust init'"},
		{is(trust.ErrNoRef), codeFailed, "'git remote set-head REMOTE -a' asks the remote for its " +
			"default branch; or fetch the branch and name it with 'git config ltm.trustRef REF'"},
		{isA[*trust.PolicyError], codeFailed, "nothing can be judged while the policy cannot be " +
			"read; 'git config --show-origin KEY' says where a key is set"},
		{isA[*replay.PolicyError], codeSignature, "'git ltm verify ID' says why, and which command " +
			"changes that"},
		{namedByTeam, codeSignature, "look at the list and accept it with 'git ltm trust init'"},
		{isA[*gate.StoreError], codeSignature, "a signature names its store, so that it is good " +
			"in no other; of another project, give this one an id of its own: git config ltm.store NAME"},
		{is(signer.ErrNoKey), codeSignature, "git config user.signingKey FILE names it, with 'git " +
			"config gpg.format ssh' for a key of SSH; 'git ltm key init' makes one for an agent"},
		{is(gate.ErrNoIdentity), codeSignature, "git config user.name NAME, and git config " +
			"user.email ADDRESS"},
		{is(gate.ErrRevoked), codeSignature, "sign with another key: user.signingKey or " +
			"ltm.signingKey names it"},
		{isA[*gate.SignError], codeSignature, "try the same key with 'git tag -s'; --no-sign " +
			"stores it unsigned, and 'git ltm sign ID' signs it later"},
		{isA[*replay.StandingError], codeSignature, "ask its author to save it again, or look at the " +
			"object with git cat-file"},
		{is(replay.ErrExists), codeContested, "records are written once; without its id, or with " +
			"'git ltm save --new-id', it is stored under a new one"},
		{replay.IsStoredUnreadable, codeInvalid, "another program stored it so; 'git ltm rm' takes " +
			"it out of every list"},
		{is(errNotGoodEnough), codeSignature, "'to change' stands with each of them"},
		{is(trust.ErrNoList), codeNotFound, "'git ltm trust --help' says which lists count"},
		{is(audit.ErrUnsigned), codeSignature, "whoever knows the record can sign it with 'git ltm " +
			"sign ID'"},
		{isA[*remote.BusyError], codeContested, "run the command again; 'git ltm status' says how " +
			"memory travels by itself"},
		{is(git.ErrConflict), codeContested, "another process changed the same ref; run the command " +
			"again"},
		{isWhere(unfinished), codeInvalid, "a packet says what the work is after and what is next: git ltm save " +
			"--goal TEXT --next TEXT, with --draft for a draft; on a terminal without flags your editor opens"},
		{isA[*packet.InvalidError], codeInvalid, "mend what is listed; 'git ltm %s--help' says what it " +
			"takes, and 'git ltm example' shows a packet"},
		{isA[*partialError], codePartial, notFound},
		{is(command.ErrEnded), codeUsage, ""},
		{isA[*replay.AmbiguousError], codeUsage, "give more characters of the id"},
		{is(audit.ErrNoFinding), codeNotFound, "'git ltm check' prints the fingerprints of what it " +
			"finds, and 'git ltm allow' lists what is allowed"},
		{is(replay.ErrWithheld), codeNotFound, "'git ltm verify' says why each is withheld and which " +
			"command changes that"},
		{is(replay.ErrHidden), codeNotFound, "'git ltm purge --refuse ID' brings it back, and " +
			"'--accept ID' removes it; 'git ltm status' says who asks"},
		{is(purge.ErrNoRequest), codeNotFound, "'git ltm status' lists the purges that wait for an " +
			"answer"},
		{is(replay.ErrPurged), codeNotFound, "a purge counts for ever; 'git ltm log' says who purged it"},
		{is(replay.ErrTombstone), codeUsage, "name the record itself, or leave it"},
		{is(replay.ErrNotFound), codeNotFound, notFound},
		{is(memory.ErrNoUserStore), codeNotFound, "'git ltm save --user' makes it, or 'git ltm " +
			"--user init'"},
		{is(gate.ErrCopied), codeInvalid, "say it in your own words; a packet may also be saved " +
			"without --as-is, which leaves out and links what it repeats"},
		{is(gate.ErrPlaces), codeInvalid, "write them without the home, or save it without --as-is"},
		{is(gate.ErrPrivate), codeUsage, "keep it in this clone too with --private, or do not name the " +
			"private record; a packet that begins a new thread with --root names none"},
		{is(memory.ErrUserStoreOff), codeFailed, "'git config --show-origin ltm.userStore' says where"},
		{is(remote.ErrNone), codeNotFound, "'git remote -v' lists the remotes, and 'git remote add' " +
			"makes one; name one on the command line, or for good with 'git ltm setup --remote " +
			"REMOTE'; without any: 'git ltm export --bundle FILE'"},
		{is(errWithheld), codeContested, "each line says why; a record that does not pass: save it " +
			"anew and 'git ltm purge' the old one; a remote that refuses: let it take refs/ltm, name " +
			"another with 'git ltm setup --remote NAME', or carry a file with 'git ltm export --bundle'"},
		{isA[*remote.SilentError], codeFailed, "try 'git ls-remote REMOTE'; where it is slow, 'git " +
			"config ltm.remoteTimeout SECONDS' gives it more time"},
		{isA[*remote.ReachError], codeFailed, "git ltm goes where git goes: try 'git ls-remote " +
			"REMOTE'; addresses, keys and passwords are git's own"},
		{isA[*remote.PublicError], codeFailed, "if everybody may read this memory: --yes-public, or " +
			"for good git config ltm.public true; else name another remote with 'git ltm setup " +
			"--remote NAME'"},
		{is(git.ErrMissing), codeFailed, "fetch it first; a shallow clone gets more with 'git fetch " +
			"--unshallow'"},
		{is(git.ErrNoGit), codeFailed, "install git and put it on the PATH"},
		{is(git.ErrNotRepository), codeFailed, "run it inside a git repository, or name one with -C DIR"},
		{is(git.ErrEmbedded), codeFailed, "a clone can bring such a folder like any other files; if " +
			"it is yours, name it: GIT_DIR=DIR git ltm, or git --git-dir=DIR ltm"},
		{is(git.ErrUnsafe), codeFailed, "the repository belongs to another user; if you trust it: " +
			"git config --global --add safe.directory DIR"},
		{is(syscall.EROFS), codeFailed, "nothing can be stored while git's folder is read-only; where the " +
			"sandbox of an agent makes it so, the tools of 'git ltm mcp' run outside of that: call save there"},
		{is(syscall.ENOSPC), codeFailed, "the disk is full: free some space"},
		{is(fs.ErrNotExist), codeNotFound, ""},
		{is(fs.ErrPermission), codeFailed, "check who may read and write there; its owner can share the " +
			"repository (git config core.sharedRepository group), and a clone of your own needs nobody"},
		{
			isA[*batchError], codeInvalid,
			"mend the lines that are listed; 'git ltm %s--help' says what a line takes",
		},
	}
}

// rule ties a kind of error to its outcome.
type rule struct {
	fits func(error) bool
	code int
	hint string
}

// foundHints are the ways out of what did not pass, by what that kept from happening and the exit code.
var foundHints = map[string]map[int]string{
	"": {
		codeSecret:    "change what leaked, then take it out; what is no secret can be listed for --baseline",
		codeSignature: "'git ltm verify' says whether each record is trusted, and which command changes that",
		codeInvalid:   "each result says what to do about it",
	},
	noBundle: {
		codeSecret: "change a secret that leaked, and allow a false positive: 'git ltm allow'; or name the " +
			"records that shall go",
		codeSignature: "sign what is not trusted with 'git ltm sign ID', or name the records that shall go",
		codeInvalid:   "mend what is listed, or name the records that shall go",
	},
	noPush: {
		codeSecret: leaveOut + "; change a secret that leaked, and allow a false positive: 'git ltm allow', " +
			"then push 'refs/ltm/events/*' before the record",
		codeSignature: leaveOut + "; sign what is not trusted with 'git ltm sign ID'",
		codeInvalid:   leaveOut,
	},
	leftOut: {
		codeSecret: "change a secret that leaked and purge the record; a false positive can be allowed with " +
			"'git ltm allow'",
		codeSignature: "'git ltm verify' says why and which command changes that",
		codeInvalid:   "--format jsonl has room for every record",
	},
}

// storedHint is the way out of a secret that is in a ref.
const storedHint = "change what leaked, then take it out with 'git ltm purge ID --reason secret', or where " +
	"there is no id with 'git update-ref --no-deref -d REF'; what is no secret can be allowed with 'git ltm " +
	"allow', or listed for --baseline"

// outcome is the exit code of the worst that did not pass, and the way out.
func (e *foundError) outcome() rule {
	o := rule{code: codeFailed}
	switch {
	case e.secrets > 0:
		o.code = codeSecret
	case e.unsigned > 0:
		o.code = codeSignature
	case e.others > 0:
		o.code = codeInvalid
	}
	if o.hint = foundHints[e.kept][o.code]; e.stored {
		o.hint = storedHint
	}
	return o
}

// reportError prints an error, its details and the way out, and returns its exit
// code.
func (e *env) reportError(cmd *cobra.Command, err error) int {
	o := rule{code: codeFailed}
	for _, c := range errorOutcomes(cmd) {
		if c.fits(err) {
			o = c
			break
		}
	}
	if found, ok := errors.AsType[*foundError](err); ok {
		o = found.outcome()
	}
	if o.code == codeInterrupted {
		e.say("error", "interrupted")
		return o.code
	}
	text := reply.Summary(e.rules, err)
	switch at, ok := errors.AsType[*fs.PathError](err); {
	case isA[*batchError](err):
		text = err.Error()
	case !ok || at.Path == os.Stdout.Name(): // Of what could not be printed more is said.
	case errors.Is(at, fs.ErrPermission):
		text = fmt.Sprintf("you may not use %q", at.Path)
	case errors.Is(at, syscall.EROFS), errors.Is(at, syscall.ENOSPC):
		text = at.Error()
	}
	e.say("error", strings.ReplaceAll(e.rules.Public(text), "\n", "; "))
	for _, d := range errorDetails(err) {
		_, _ = fmt.Fprintf(e.stderr, "  %s\n", e.printable(d))
	}
	if e.userStore != "" && errors.Is(err, remote.ErrNone) {
		o.hint = "'" + e.wayOut() + "' gives your user-wide memory a remote"
	}
	if changed, ok := errors.AsType[*upstream.ChangedError](err); ok {
		o.hint = command.ConfirmHint(changed)
	}
	if blocked, ok := errors.AsType[*memory.BlockedError](err); ok {
		o.hint = fmt.Sprintf("'git update-ref --no-deref -d %[1]s' takes it out of the way; "+
			"'git tag NAME %[1]s' before keeps what it names", blocked.Ref)
	}
	if wrong, ok := errors.AsType[*usageError](err); ok {
		o.hint = cmp.Or(wrong.hint, o.hint)
		if !cmd.HasParent() { // Git answers its --help with a manual page that may not be there.
			o.hint = strings.Replace(o.hint, "%s--help", "-h", 1)
		}
	}
	if errors.Is(err, remote.ErrNone) {
		o.hint = habitHint(cmd, o.hint)
	}
	if strings.Contains(o.hint, "%s") {
		o.hint = fmt.Sprintf(o.hint, strings.TrimPrefix(cmd.CommandPath()+" ", "git ltm "))
	}
	if o.code == codeFailed && o.hint == "" {
		o.hint = git.DamagedRefs(e.dir, e.vars)
	}
	if o.hint != "" {
		e.hint(o.hint)
	}
	return o.code
}

// mostLines is about how many reasons are said of a batch.
const mostLines = 20

// errorDetails lists what an error found, one line each.
func errorDetails(err error) []string {
	if batch, ok := errors.AsType[*batchError](err); ok {
		var all []string
		for i, w := range batch.wrong {
			if len(all) >= mostLines {
				return append(all, fmt.Sprintf("and %d more lines; mend these first", len(batch.wrong)-i))
			}
			for _, text := range errorParts(w.err) {
				all = append(all, fmt.Sprintf("line %d: %s", w.line, text))
			}
		}
		return all
	}
	if several, ok := errors.AsType[*replay.AmbiguousError](err); ok {
		return several.Told
	}
	if partial, ok := errors.AsType[*partialError](err); ok {
		var all []string
		for _, one := range partial.left {
			all = append(all, errorParts(one)...)
		}
		return all
	}
	return reply.Details(err)
}

// namedByTeam tells a store that the team's list names, which nobody has accepted here.
func namedByTeam(err error) bool {
	return isWhere(func(e *gate.StoreError) bool { return e.Team != "" })(err)
}

// say prints one line to the person.
func (e *env) say(kind, text string) {
	// There is nobody left to tell.
	_, _ = fmt.Fprintf(e.stderr, "git-ltm: %s: %s\n", kind, e.printable(text))
}

// hint says what somebody can do, or should know.
func (e *env) hint(text string) { e.say("hint", text) }

func (e *env) hintf(format string, args ...any) { e.hint(fmt.Sprintf(format, args...)) }

func (e *env) warnf(format string, args ...any) { e.say("warning", fmt.Sprintf(format, args...)) }

func (e *env) warnAll(lines []string) {
	for _, line := range lines {
		e.warnf("%s", line)
	}
}

// printable makes a text fit for a terminal and a log. Places stay, they say where to look.
func (e *env) printable(text string) string { return reply.Printable(e.rules, text) }

// printables is a copy of a value with all its texts made fit like that.
func printables[T any](e *env, v T) T { return reply.Printables(e.rules, v) }

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

// errorParts lists everything that is wrong with one line.
func errorParts(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, part := range joined.Unwrap() {
			all = append(all, errorParts(part)...)
		}
		return all
	}
	if found := errorDetails(err); len(found) > 0 {
		return found
	}
	return []string{err.Error()}
}

// errNoIdentity says that nobody stored who they are.
var errNoIdentity = errors.New("not found")
