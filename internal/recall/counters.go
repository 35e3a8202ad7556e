package recall

import (
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// How the names of the counters begin that the index keeps of records, each with the word behind it that is counted. What is
// private is counted by its kind alone; events have no author and no week.
const (
	countKind    = "kind "    // packet, note, skip or event
	countPrivate = "private " // the same, of what never leaves this clone
	countRemote  = "remote "  // the same, of what a remote alone holds
	countSigner  = "by "      // who put it here
	countNote    = "note "    // the kind of a note
	countEvent   = "event "   // what an event says
	countAuthor  = "author "
	countBranch  = "branch "
	countWeek    = "week " // the Monday of the week in which it was made
)

// How the names of private records begin, and of those that remotes hold.
const (
	privateNames = "refs/ltm-local/"
	remoteNames  = "refs/ltm-remotes/"
)

// countersOf are the counters of a record.
func countersOf(t memory.Text) []string {
	kind := string(t.Content.Kind)
	counters := []string{countKind + kind}
	told := t.Content.Kind != packet.KindEvent
	if told {
		counters = append(counters, countSigner+t.Signer)
	}
	if strings.HasPrefix(t.Name, privateNames) {
		return append(counters, countPrivate+kind)
	}
	if strings.HasPrefix(t.Name, remoteNames) {
		counters = append(counters, countRemote+kind)
	}
	if !told {
		return append(counters, countEvent+t.Event.Event)
	}
	if t.Content.Kind == packet.KindNote && len(t.Content.Items) > 0 {
		counters = append(counters, countNote+t.Content.Items[0].Kind)
	}
	return append(counters,
		countAuthor+clean.Line(provenance.By(t.Content.Provenance)), countBranch+clean.Line(t.Content.Anchor.Branch),
		countWeek+monday(t.Content.CreatedAt).Format(time.DateOnly))
}

// monday is the one with which the week of a time begins.
func monday(at time.Time) time.Time {
	day := at.UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}
