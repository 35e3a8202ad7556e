package command

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// State is the JSON shape of where a memory stands, as far as its clone knows.
type State struct {
	recall.Census

	Branch string           `json:"branch"`
	Head   string           `json:"head"`
	Remote *remote.Exchange `json:"remote"`
	Broken []Broken         `json:"broken"`
}

// Broken is the JSON shape of a ref whose record cannot be read.
type Broken struct {
	Ref    string `json:"ref"`
	Reason string `json:"reason"`
}

// StateOf says where a memory stands; its remote is the caller's.
func StateOf(ctx context.Context, m *memory.Memory, r *recall.Recall, rules *scan.Rules) (State, error) {
	s := State{Branch: reply.Printable(rules, m.Repo().Head.Branch)}
	stand, err := m.Threads().Stand(ctx, replay.Asked)
	if err != nil {
		return State{}, err
	}
	s.Head = string(stand.Own.ID)
	if s.Census, err = r.Census(ctx); err != nil {
		return State{}, err
	}
	broken, err := m.Audit().Broken(ctx)
	if err != nil {
		return State{}, err
	}
	for _, b := range broken {
		s.Broken = append(s.Broken, Broken{reply.Printable(rules, b.Ref), reply.Printable(rules, b.Reason)})
	}
	return s, nil
}

// TrustLine says what agents are shown of what the fixed remote delivers, and why.
func TrustLine(r *remote.Exchange) string {
	if r.Trust == upstream.Remote {
		return fmt.Sprintf("remote, since %s: agents see what is unsigned, too", r.Why)
	}
	return fmt.Sprintf("signed, since %s: agents see what a trusted key signed", r.Why)
}

// RefusedText says what the last push left here, why, and the way out.
func RefusedText(r *remote.Exchange) string {
	const longest = 300 // columns of the reason
	what := "the last push failed"
	if n := r.Refused.Refs; n > 0 {
		what = "the last push left " + Counted(n, "ref") + " here"
	}
	return fmt.Sprintf("%s: %s; once that is mended: git ltm sync %s; or to another remote: git ltm setup --remote NAME",
		what, clean.Truncate(clean.Line(r.Refused.Why), longest), r.Remote)
}

// PutCensus says how many records there are, and where those lie that are not of this clone and shared; of other
// kinds than packets nothing where there is none.
func PutCensus(d *reply.Description, c recall.Census) {
	for _, kind := range []struct {
		label                        string
		all, fetched, private, tasks int
	}{
		{"Packets", c.Packets, c.Fetched, c.Private, 0},
		{"Notes", c.Notes, 0, c.PrivateNotes, c.Tasks},
		{"Skips", c.Skips, 0, c.PrivateSkips, 0},
	} {
		text := strconv.Itoa(kind.all)
		if kind.fetched > 0 {
			text += fmt.Sprintf(", %d only on a remote", kind.fetched)
		}
		if kind.private > 0 {
			text += fmt.Sprintf(", %d private", kind.private)
		}
		if kind.tasks > 0 {
			text += ", " + Counted(kind.tasks, "open task")
		}
		if kind.all > 0 || kind.label == "Packets" {
			d.Put(kind.label, text)
		}
	}
	if c.Events > 0 {
		d.Put("Events", strconv.Itoa(c.Events)+", the changes of these")
	}
}

// Withheld says how many records are withheld, of those that were looked at, and begins a sentence about
// them.
func Withheld(h replay.Heard) string {
	switch {
	case h.More:
		return fmt.Sprintf("%d or more records are", h.Withheld)
	case h.Withheld == 1:
		return "1 record is"
	default:
		return fmt.Sprintf("%d records are", h.Withheld)
	}
}

// Unheard is the line for a session to which nothing could be shown of all the records that are here, or
// nothing.
func Unheard(heard replay.Heard) string {
	if heard.Told > 0 || heard.Withheld == 0 {
		return ""
	}
	return fmt.Sprintf(briefing.NothingTrusted, Withheld(heard))
}

// ShownLine says how much of the memory agents are shown automatically.
func ShownLine(h replay.Heard) string {
	of := fmt.Sprintf("%d of %d packets, notes and skips", h.Told, h.All())
	if h.More {
		of = fmt.Sprintf("%d of the newest %d packets, notes and skips", h.Told, h.All())
	}
	if h.Hidden > 0 {
		of += fmt.Sprintf("; retracted, hidden, done or over: %d", h.Hidden)
	}
	if h.Withheld > 0 {
		of += fmt.Sprintf("; not trusted: %d, see git ltm verify", h.Withheld)
	}
	return of
}

// UnsignedMay is the rule about records of others (docs/trust.md).
const UnsignedMay = "unsigned, others may hide what nobody signed, and change or replace nothing"

// Undoing is what an event did, and the command that takes it back.
func Undoing(word string) (did, back string) {
	known, ok := map[string][2]string{
		"retract": {"retracted", "edit --restore"}, "archive": {"hid", "edit --restore"},
		"supersede": {"replaced", "edit --restore"}, "consolidate": {"summed up", "edit --restore"},
		"close": {"closed", "edit --reopen"}, "restore": {"brought back", "undo"},
		"reopen": {"brought back", "undo"}, replay.UndoEvent: {"undid a change of", "undo"},
	}[word]
	if !ok {
		return "ended", "undo"
	}
	return known[0], known[1]
}

// Asking is what an event asks for that has no say in the record.
func Asking(word string) string {
	return "asks to " + cmp.Or(map[string]string{
		"impact": "set the impact of", "confirm": "confirm", "link": "link", "contradict": "call wrong",
		"supersede": "replace", "consolidate": "sum up", "digest": "put a short text beside",
		replay.UndoEvent: "undo a change of", "retract": "retract", "archive": "hide", "close": "close",
		"expire": "end", "restore": "bring back", "reopen": "reopen",
	}[word], "change")
}

// SharingText says how memory travels by itself, and what a person should know of it.
func SharingText(s *Sharing, now time.Time) string {
	switch {
	case s == nil:
		return ""
	case !s.On:
		return "off: git ltm setup --no-share=false lets memory travel by itself"
	case s.Unused:
		return "off, since no agent is set up here: git ltm setup AGENT"
	case s.Fault != "":
		text := "stopped: " + s.Fault
		if s.Began.After(s.Good) { // Else it has not been tried since.
			text = fmt.Sprintf("stopped %s: %s", briefing.Age(s.Began, now), s.Fault)
		}
		if !s.Barred { // Else it says itself what to do.
			text += "; git ltm sync " + s.Remote
		}
		return text
	case s.Held:
		return fmt.Sprintf("nothing is sent, because everybody can read %s: %s answers without an "+
			"account; git ltm setup --yes-public sends it", s.Remote, s.Open)
	case s.Withheld > 0:
		return fmt.Sprintf("%s stayed behind: git ltm sync %s says why", Counted(s.Withheld, "record"),
			s.Remote)
	case s.Good.IsZero():
		return "with " + s.Remote + ", from the next session on"
	default:
		return "with " + s.Remote + ", last " + briefing.Age(s.Good, now)
	}
}

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

// Notices say what the scan found in a record that was stored, what became of it, and what was left
// out because others say it.
func Notices(r gate.Receipt) []string {
	var all []string
	for _, f := range redact.Warnings(r.Findings) {
		all = append(all, f.String())
	}
	if r.Relative > 0 {
		all = append(all, Counted(r.Relative, "place")+" of this machine written anew: below the work "+
			"tree, as ~, or a host by its first label")
	}
	hits := redact.Blocking(r.Findings)
	switch {
	case r.Allowed > 0 && r.Allowed == len(hits):
		all = append(all, "stored with "+Counted(len(hits), "finding")+" that --allow lets through for "+
			"365 days; 'git ltm allow' lists it:")
	case len(hits) > 0 && r.Secrets == gate.Allow:
		all = append(all, "STORED WITH "+strings.ToUpper(Counted(len(hits), "secret"))+
			", as --allow-unredacted asked; "+
			"the packet says so to every reader:")
	case len(hits) > 0:
		all = append(all, "masked "+Counted(len(hits), "secret")+":")
	}
	for _, f := range hits {
		all = append(all, f.String())
	}
	if copied := reply.SavedOf(r, false).Copied(); copied != "" {
		all = append(all, copied)
	}
	return all
}

// Repeats says that a record says what another one says already, or not the same of one thing.
func Repeats(r gate.Receipt, d recall.Alike) string {
	if d.Conflict != "" {
		return fmt.Sprintf("%s and %s do not say the same of one thing, %s", r.ID, d.Card.ID, d.Conflict)
	}
	return fmt.Sprintf("%s says what %s says already", r.ID, d.Card.ID)
}

// Mended says what of a memory was left out and mended when it was opened.
func Mended(m *memory.Memory) []string {
	var all []string
	if fault := m.RuleSource().Fault(); fault != nil {
		all = append(all, fault.Error())
	}
	for _, err := range m.LeftOut() {
		all = append(all, err.Error())
	}
	healed := m.Healed()
	for _, ref := range healed.Restored {
		all = append(all, fmt.Sprintf("mended %q, which had lost its ref or its object", ref))
	}
	for _, b := range healed.Quarantined {
		all = append(all, fmt.Sprintf("moved the broken ref %q (%s) to quarantine, so that git gc works", b.Ref, b.Reason))
	}
	return all
}

// KindOf is what was stored: a packet, a note or a skip.
func KindOf(r gate.Receipt) packet.Kind {
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil {
		return "record"
	}
	return rec.Kind()
}

// Counted is a number with what it counts.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
