package main

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// A pending is a list of the team that does not count here yet. The zero value is none.
type pending struct {
	proposal *trust.Proposal
}

// pending looks for a list of the team that nobody has accepted here, or that has changed since. Where there
// is none, or it cannot be read, there is nothing to tell: 'git ltm trust init' says why.
func (e *env) pending(ctx context.Context, m *memory.Memory) pending {
	if !m.Judge().MayPropose(ctx) {
		return pending{}
	}
	t, err := m.Judge().Trust(ctx)
	if err != nil {
		return pending{}
	}
	p, err := t.Propose(ctx, "")
	if err != nil || p.Pinned != "" && p.Same() {
		return pending{}
	}
	return pending{p}
}

// command is what accepts the list.
func (p pending) command() string {
	if p.proposal.Pinned == "" {
		return "git ltm trust init"
	}
	return "git ltm trust update"
}

// tell tells of the list.
func (p pending) tell(e *env) {
	switch {
	case p.proposal == nil:
	case p.proposal.Pinned == "":
		e.say("hint", "the team keeps a list of keys in "+trust.TeamFolder+" of "+p.proposal.Ref+
			", which nobody has accepted here: "+p.command())
	default:
		e.say("hint", "the team's list has changed on "+p.proposal.Ref+": "+p.command())
	}
}

// changes tells whether the list names the key or the store of a record.
func (p pending) changes(said audit.Testimony) bool {
	if p.proposal == nil {
		return false
	}
	key := func(k trust.Key) bool { return k.Fingerprint == said.Verdict.Key }
	return said.Verdict.Key != "" && slices.ContainsFunc(p.proposal.List.Keys(), key) &&
		(said.Verdict.By == "" || slices.Contains(p.proposal.List.Stores(), said.Store))
}

// change is the command that changes the standing of a record, in words.
func (p pending) change(said audit.Testimony) string {
	id := string(said.ID)
	switch v := said.Verdict; {
	case v.Standing == sign.Good, v.Standing == sign.Expired:
		if said.Policy+said.Unasked != "" {
			return "others sign it with: git ltm sign " + id
		}
		return ""
	case v.Standing == sign.Revoked:
		return "its author saves it anew, signed with another key: git cat-file blob " +
			clean.Line(said.Ref) + "^{blob} | git ltm save --new-id --sign -; then git ltm rm " + id
	case said.Tampered:
		return "look at it with git cat-file; if you know what happened: git ltm trust accept " + id
	case v.Standing == sign.Bad:
		return "its author saves it anew; look at it with git cat-file, and take it out of the lists " +
			"with: git ltm rm " + id
	case p.changes(said):
		return "the team's list, which does not count here as it is now, names it: " + p.command()
	case storeLater(said) != "":
		return ofStore(storeLater(said))
	case v.Key == "" && vouch.MayBeLearned(said.Unasked):
		return "if somebody of the name has committed since: " + learning
	case v.Key == "":
		return changeUnsigned(said)
	case v.By == "":
		return changeUnknown(said)
	case said.Store == "":
		return "sign it here with: git ltm sign " + id
	default:
		return ofStore(said.Store)
	}
}

// ofStore says how a clone comes to know its store.
func ofStore(id string) string {
	return "if this is a clone of the project that it was signed in: git config --add ltm.store " +
		clean.Line(id)
}

// storeLater is the store for which a key that counts signed a record later, where that does not count here;
// else nothing.
func storeLater(said audit.Testimony) string {
	for _, x := range said.Endorsers {
		if x.Verdict.Standing == sign.Foreign {
			return x.Store
		}
	}
	return ""
}

// changeUnsigned says how a record comes to count that was stored unsigned. Of several keys that signed it
// later nobody is told which to take.
func changeUnsigned(said audit.Testimony) string {
	unknown := 0
	for _, x := range said.Endorsers {
		if x.Verdict.Standing == sign.Unknown {
			unknown++
			said.Verdict.Key = x.Verdict.Key
		}
	}
	switch unknown {
	case 0:
		return "its author, or whoever has read it, can sign it: git ltm sign " + string(said.ID)
	case 1:
		return changeUnknown(said)
	default:
		return "if you know who holds one of the keys: git ltm trust add FILE, which holds it"
	}
}

// changeUnknown says how a key comes to count.
func changeUnknown(said audit.Testimony) string {
	key := said.Verdict.Key
	if strings.HasPrefix(key, "SHA256:") {
		return "if you know who holds the key: git ltm trust add " + string(said.ID)
	}
	return "if you know who holds the key: import it with gpg --import FILE, then gpg --quick-lsign-key " +
		clean.Line(key)
}
