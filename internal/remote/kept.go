package remote

import (
	"context"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// keptFile is the journal of the refs that remotes did not let be deleted, each with the object that it names. They are not asked
// for again.
func keptFile(repo *git.Repo) *journal.File {
	return journal.Open(repo.Local().File("kept"))
}

const (
	holdsPurged = " purged" // holdsPurged stands behind the object of a ref that holds what was purged.
	notKept     = "-"       // notKept is in the place of an object, where the remote does not hold that any more.
)

// keptKey is what the journal calls a ref of a remote.
func keptKey(remote, name string) string { return remote + " " + name }

// leaves reports whether a ref of the remote stays where it is: an exchange neither brings nor
// deletes it. A purge asks each time.
func (x *exchange) leaves(name string) bool {
	value, ok := x.kept.Find(keptKey(x.request.Remote, name))
	return ok && strings.TrimSuffix(value, holdsPurged) == x.theirs.refs[name] && x.request.Way != Forget
}

// noteKept remembers what the remote keeps, and counts the records among it.
func (x *exchange) noteKept() {
	var fresh []journal.Entry
	some := len(x.out.Kept)+len(x.out.KeptPurged) > 0
	for e, err := range keptFile(x.repo).All() {
		name, own := strings.CutPrefix(e.Key, keptKey(x.request.Remote, ""))
		some = some || own
		if err == nil && own && e.Value != notKept && strings.TrimSuffix(e.Value, holdsPurged) != x.theirs.refs[name] {
			fresh = append(fresh, journal.Entry{Key: e.Key, Value: notKept})
		}
	}
	for _, name := range x.out.Kept {
		fresh = append(fresh, journal.Entry{Key: keptKey(x.request.Remote, name), Value: x.theirs.refs[name]})
	}
	for _, name := range x.out.KeptPurged {
		fresh = append(fresh, journal.Entry{Key: keptKey(x.request.Remote, name), Value: x.theirs.refs[name] + holdsPurged})
	}
	if len(fresh) > 0 {
		_ = keptFile(x.repo).Append(fresh) // Without it, the next exchange asks again.
		x.kept = keptFile(x.repo).Reader()
	}
	if !some {
		return
	}
	for name := range x.theirs.refs {
		if _, _, record := parts(name); record && x.leaves(name) {
			x.out.Idle++
		}
	}
}

// KeptPurged counts the refs of a remote that hold what was purged here, and that it did not let be deleted, as far as the last
// exchange saw.
func KeptPurged(ctx context.Context, m *memory.Memory, remote string) (n int, err error) {
	purged, err := m.Tombstones(ctx)
	if err != nil {
		return 0, err
	}
	for e, err := range keptFile(m.Repo()).All() {
		if err != nil {
			return 0, err
		}
		name, own := strings.CutPrefix(e.Key, keptKey(remote, ""))
		if !own || e.Value == notKept {
			continue
		}
		_, id, _ := parts(name)
		if strings.HasSuffix(e.Value, holdsPurged) || purged[id].Sure && purged[id].Reaches(name) {
			n++
		}
	}
	return n, nil
}
