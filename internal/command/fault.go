package command

import (
	_ "embed"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/session"
	"github.com/git-ltm/git-ltm/internal/settings"
	"github.com/git-ltm/git-ltm/internal/setup"
	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Fault is a kind of error. What there is to do about it stands in faults.txt below its name.
type Fault struct {
	Name string
	Fits func(error) bool
}

// Way is what there is to do about an error.
type Way struct {
	Code         int    // with which a command ends
	Hint, Advice string // for people, and for agents; empty for none
}

//go:embed faults.txt
var faultWords string

// WayOf is the way of the first kind that an error is of; ok is false where it is of none.
func WayOf(err error, kinds []Fault) (w Way, ok bool) {
	i := slices.IndexFunc(kinds, func(f Fault) bool { return f.Fits(err) })
	if i < 0 {
		return w, false
	}
	return WayNamed(kinds[i].Name), true
}

// WayNamed reads a way. One that is not there has nothing but the code of any error.
func WayNamed(name string) (w Way) {
	_, rest, _ := strings.Cut(faultWords, "\n= "+name+" ")
	section, _, _ := strings.Cut(rest, "\n= ")
	code, text, _ := strings.Cut(section, "\n")
	hint, advice, _ := strings.Cut(text, "> ")
	w = Way{1, strings.Join(strings.Fields(hint), " "), strings.Join(strings.Fields(advice), " ")}
	if n, err := strconv.Atoi(code); err == nil {
		w.Code = n
	}
	return w
}

// Is makes a test for an error.
func Is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// IsA tells an error of a type.
func IsA[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// IsWhere makes a test for an error of a type of which something holds.
func IsWhere[T error](holds func(T) bool) func(error) bool {
	return func(err error) bool {
		found, ok := errors.AsType[T](err)
		return ok && holds(found)
	}
}

// NamedByTeam tells a store that the team's list names, which nobody has accepted here.
func NamedByTeam(err error) bool {
	return IsWhere(func(e *gate.StoreError) bool { return e.Team != "" })(err)
}

// isUnfinished tells a packet that lacks nothing but what the work is after and what is next.
func isUnfinished(e *packet.InvalidError) bool {
	return !slices.ContainsFunc(e.Problems, func(p packet.Problem) bool {
		return p.Path != "/goal" && p.Path != "/next_step"
	})
}

// Faults are the kinds of errors that come from below. The first that fits counts.
func Faults() []Fault {
	return []Fault{
		{"draft.ErrNoDraft", Is(draft.ErrNoDraft)},
		{"draft.ErrUserDraft", Is(draft.ErrUserDraft)},
		{"session.ErrNothing", Is(session.ErrNothing)},
		{"session.ErrForm", Is(session.ErrForm)},
		{"gate.ErrOverride", Is(gate.ErrOverride)},
		{"gate.ErrSelf", Is(gate.ErrSelf)},
		{"gate.ErrAllowance", Is(gate.ErrAllowance)},
		{"command.ErrGroup", Is(ErrGroup)},
		{"command.ErrConflict", Is(ErrConflict)},
		{"command.ErrKind", Is(ErrKind)},
		{"setup.ErrScope", Is(setup.ErrScope)},
		{"setup.ErrTwice", Is(setup.ErrTwice)},
		{"setup.ErrOutside", Is(setup.ErrOutside)},
		{"setup.ErrOutward", Is(setup.ErrOutward)},
		{"settings.ErrMoved", Is(settings.ErrMoved)},
		{"setup.ErrRecord", Is(setup.ErrRecord)},
		{"setup.FileError", IsA[*setup.FileError]},
		{"scan.ErrSlow", Is(scan.ErrSlow)},
		{"git.OriginError", IsA[*git.OriginError]},
		{"git.PlainHeadError", IsA[*git.PlainHeadError]},
		{"scan.RulesError", IsA[*scan.RulesError]},
		{"memory.ErrElsewhere", Is(memory.ErrElsewhere)},
		{"replay.SecretError.Stored", IsWhere(func(e *replay.SecretError) bool { return e.Stored })},
		{"replay.SecretError", IsA[*replay.SecretError]},
		{"trust.ErrNotHere", Is(trust.ErrNotHere)},
		{"trust.ErrNoRef", Is(trust.ErrNoRef)},
		{"trust.PolicyError", IsA[*trust.PolicyError]},
		{"replay.PolicyError", IsA[*replay.PolicyError]},
		{"gate.StoreError.Team", NamedByTeam},
		{"gate.StoreError", IsA[*gate.StoreError]},
		{"signer.ErrNoKey", Is(signer.ErrNoKey)},
		{"gate.ErrNoIdentity", Is(gate.ErrNoIdentity)},
		{"gate.ErrRevoked", Is(gate.ErrRevoked)},
		{"gate.SignError", IsA[*gate.SignError]},
		{"replay.StandingError", IsA[*replay.StandingError]},
		{"replay.ErrExists", Is(replay.ErrExists)},
		{"replay.IsStoredUnreadable", replay.IsStoredUnreadable},
		{"trust.ErrNoList", Is(trust.ErrNoList)},
		{"audit.ErrUnsigned", Is(audit.ErrUnsigned)},
		{"remote.BusyError", IsA[*remote.BusyError]},
		{"git.ErrConflict", Is(git.ErrConflict)},
		{"packet.InvalidError.Goal", IsWhere(isUnfinished)},
		{"command.InputError", IsA[*InputError]},
		{"packet.InvalidError", IsA[*packet.InvalidError]},
		{"command.ErrEnded", Is(ErrEnded)},
		{"replay.AmbiguousError", IsA[*replay.AmbiguousError]},
		{"audit.ErrNoFinding", Is(audit.ErrNoFinding)},
		{"replay.ErrWithheld", Is(replay.ErrWithheld)},
		{"replay.ErrHidden", Is(replay.ErrHidden)},
		{"purge.ErrNoRequest", Is(purge.ErrNoRequest)},
		{"replay.ErrPurged", Is(replay.ErrPurged)},
		{"replay.ErrTombstone", Is(replay.ErrTombstone)},
		{"replay.ErrNotFound", Is(replay.ErrNotFound)},
		{"memory.ErrNoUserStore", Is(memory.ErrNoUserStore)},
		{"gate.ErrCopied", Is(gate.ErrCopied)},
		{"gate.ErrPlaces", Is(gate.ErrPlaces)},
		{"gate.ErrPrivate", Is(gate.ErrPrivate)},
		{"memory.ErrUserStoreOff", Is(memory.ErrUserStoreOff)},
		{"remote.ErrNone", Is(remote.ErrNone)},
		{"remote.SilentError", IsA[*remote.SilentError]},
		{"remote.ReachError", IsA[*remote.ReachError]},
		{"remote.PublicError", IsA[*remote.PublicError]},
		{"git.ErrMissing", Is(git.ErrMissing)},
		{"git.ErrNoGit", Is(git.ErrNoGit)},
		{"git.ErrNotRepository", Is(git.ErrNotRepository)},
		{"git.ErrEmbedded", Is(git.ErrEmbedded)},
		{"git.ErrUnsafe", Is(git.ErrUnsafe)},
		{"syscall.EROFS", Is(syscall.EROFS)},
		{"syscall.ENOSPC", Is(syscall.ENOSPC)},
		{"fs.ErrNotExist", Is(fs.ErrNotExist)},
		{"fs.ErrPermission", Is(fs.ErrPermission)},
	}
}
