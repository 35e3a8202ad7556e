package command

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// namedRecords is how many records of a purge are named in one line, and mostRequests how many
// purges have one of their own.
const (
	namedRecords = 3
	mostRequests = 5
)

// purgeRequestText says in one line who wants what removed, and which command answers.
func purgeRequestText(r purge.PurgeRequest) string {
	by := r.By
	if by == "" {
		by = "somebody without a name"
	}
	how := string(r.Standing)
	if r.Standing == sign.Unknown {
		how = "unknown key"
	}
	if r.Remote != "" {
		how += ", from " + r.Remote
	}
	names := make([]string, 0, namedRecords)
	for _, id := range r.IDs[:min(len(r.IDs), namedRecords)] {
		names = append(names, string(id))
	}
	what := strings.Join(names, ", ")
	if more := len(r.IDs) - len(names); more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	until := ""
	if r.Until != nil {
		until = " until " + r.Until.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s (%s) wants %s removed, hidden here%s: %s; "+
		"git ltm purge --accept %s, or --refuse %s",
		by, how, Counted(len(r.IDs), "record"), until, what, r.Event, r.Event)
}

// RequestLines are what status and sync say of purges that wait.
func RequestLines(all []purge.PurgeRequest) []string {
	var lines []string
	for _, r := range all[:min(len(all), mostRequests)] {
		lines = append(lines, purgeRequestText(r))
	}
	if more := len(all) - mostRequests; more > 0 {
		lines = append(lines, Counted(more, "more purge")+" from elsewhere: git ltm status --json")
	}
	if len(all) > 1 {
		lines = append(lines, "if all of them are yours, from another machine: git ltm purge --accept --all")
	}
	return lines
}
