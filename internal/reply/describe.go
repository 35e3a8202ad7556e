package reply

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// TrustKey says how the key that signed a record comes to count. The signature of a gpg key does not hold that.
func TrustKey(id packet.ID, key string) string {
	if strings.HasPrefix(key, "SHA256:") {
		return "if you know who holds the key: git ltm trust add " + string(id)
	}
	return "if you know who holds the key: git ltm trust add FILE, where FILE is what they print with gpg --armor --export " +
		clean.Line(key)
}

// Describe tells a record to a person.
func Describe(entry replay.Shown, now time.Time) *Description {
	d := new(Description)
	kind := string(entry.Kind())
	d.Put(strings.ToUpper(kind[:1])+kind[1:], string(entry.ID))
	if own := entry.Record().OwnID(); own != string(entry.ID) {
		d.Put("Own id", own)
	}
	d.Put("Format", entry.Packet().Version)
	d.Put("Created", entry.CreatedAt().In(now.Location()).Format(time.RFC3339)+" ("+briefing.Age(entry.CreatedAt(), now)+")")
	d.Put("Author", GistOf(entry).Author())
	v := entry.Verdict
	d.Put("Trust", string(v.Standing)+" ("+v.Why+")")
	if !v.Standing.Vouched() {
		how := "'git ltm verify " + string(entry.ID) + "' says what changes that"
		if v.Standing == sign.Unknown {
			how = TrustKey(entry.ID, v.Key)
		}
		d.Put("Unverified", "no trusted key signed it; "+how)
	}
	d.Put("Signed by", v.By)
	d.Put("Key", v.Key)
	for _, later := range entry.Endorsers {
		d.Put("Later", string(later.Verdict.Standing)+" "+later.Verdict.By+" "+later.Verdict.Key)
	}
	if n := clean.Count(string(entry.Data())); n > 0 {
		d.Put("Cleaned", fmt.Sprintf("%d hidden or control characters are left out below", n))
	}
	d.Put("Memory", memoryName(entry.Store))
	d.Put("From", entry.Remote)
	if o := entry.Origin(); o.How == provenance.Delivered {
		d.Put("Delivered", "by "+Address(o.From)+", "+Stamp(o.At))
	}
	if entry.Conflict {
		d.Put("Contested", "a remote holds another record under this id")
	}
	d.putLife(entry, now)
	if entry.Kind() == packet.KindEvent {
		d.putEvent(entry.Event())
	} else {
		d.putContent(entry, now)
	}
	d.listClaims(entry)
	d.listUnknown(entry.Record().Unknown())
	return d
}

// putContent says what a packet, a note or a skip says.
func (d *Description) putContent(entry replay.Shown, now time.Time) {
	c, p, n, s := entry.Content(), entry.Packet(), entry.Note(), entry.Skip()
	if c.Kind == packet.KindNote {
		d.Put("Kind", n.Kind)
		d.putTask(entry)
	}
	d.Put("Topic", c.Topic)
	d.Put("Continues", strings.TrimSpace(strings.Join(append([]string{p.ParentID}, p.Parents...), " ")))
	d.Put("Supersedes", strings.Join(p.Supersedes, " "))
	d.putAnchor(c.Anchor)
	d.Put("Project", strings.TrimSpace(p.Project.Name+" "+p.Project.Ref))
	d.Put("Tags", strings.Join(c.Tags, " "))
	d.putImpact(entry)
	d.Put("Origin", c.Origin)
	d.putEnd(entry, now)
	d.Put("Goal", p.Goal)
	d.Put("Next step", p.Next())
	for _, m := range []packet.Match{n.Match, s.Match} { // At what agents are warned.
		d.Put("Words", m.Words)
		d.Put("Files", m.Path)
		d.Put("Command", m.Command)
		d.Put("Adding", m.Adds)
	}
	d.Block("Text", n.Text)
	d.Block("Why", n.Why)
	d.Block("Not to be done", s.Item)
	d.Block("Reason", s.Reason)
	d.Block("How it ended", p.Outcome)
	d.List("Done when", p.SuccessCriteria)
	d.PutItems(p, func(string) string { return "" })
	if c.Kind != packet.KindPacket {
		d.listCites(c.Cites)
	}
	d.List("Paths", p.Paths)
	d.List("Speaks of", n.Links)
	d.listLinks(entry)
	d.List("Secrets that the author allowed", p.Scan.Overridden)
	if masked := n.Scan.Masked + s.Scan.Masked; masked > 0 {
		d.Printf("\nMasked: %d secrets or places that must not travel\n", masked)
	}
}

// memoryName says for a person in which memory a record lies; nothing for that of the repository.
func memoryName(s replay.Store) string {
	switch s {
	case replay.OfUser:
		return "user: yours on this machine, beside those of repositories"
	case replay.OfClone:
		return "private: it never leaves this clone"
	default:
		return ""
	}
}

func (d *Description) putAnchor(a packet.Anchor) {
	place := a.Branch
	if a.Commit != "" {
		place += " at " + a.Commit
	}
	if a.Dirty {
		place += ", with changes that were not committed"
	}
	d.Put("Branch", place)
}

// PutItems writes the lists of a packet, each item with where it comes from, as far as from knows that of a
// JSON pointer.
func (d *Description) PutItems(p packet.Packet, from func(pointer string) string) {
	at := func(list string, i int) string { return from("/" + list + "/" + strconv.Itoa(i)) }
	if d.Head("Constraints", len(p.Constraints)) {
		for i, text := range p.Constraints {
			d.Item(text, "from", at("constraints", i))
		}
	}
	if d.Head("Decisions", len(p.Decisions)) {
		for i, x := range p.Decisions {
			what := x.What
			if x.Locked {
				what = "[locked] " + what
			}
			d.Item(what, "why", x.Why, "breaks otherwise", x.Consequences, "from", at("decisions", i))
		}
	}
	if d.Head("Attempts", len(p.Attempts)) {
		for i, x := range p.Attempts {
			d.Item(x.Tried, "outcome", x.Outcome, "learned", x.Learned, "confidence", x.Confidence, "met by",
				metBy(x.Match), "from", at("attempts", i))
		}
	}
	if d.Head("Methods", len(p.Methods)) {
		for _, x := range p.Methods {
			d.Item(x.Name, "when", x.WhenApplicable, "how", x.How)
		}
	}
	d.List("Open questions", p.OpenQuestions)
	d.listCites(p.Cites)
}

// metBy says what an attempt is met by, beside its words.
func metBy(m packet.Match) string {
	var all []string
	for _, way := range []struct{ name, text string }{
		{"words", m.Words},
		{"files", m.Path},
		{"command", m.Command},
		{"adding", m.Adds},
	} {
		if way.text != "" {
			all = append(all, way.name+" "+way.text)
		}
	}
	return strings.Join(all, "; ")
}

func (d *Description) listCites(all []packet.Cite) {
	if !d.Head("Cites", len(all)) {
		return
	}
	for _, x := range all {
		d.Item(x.String(), "note", x.Note, "commit", x.Commit)
	}
}

// putLife says what events made of a record.
func (d *Description) putLife(entry replay.Shown, now time.Time) {
	l := entry.Life
	hidden := "hidden: not shown automatically"
	if why, by := readText(l.Hiding, entry); why != "" {
		hidden += "; why: " + why
		if by != "" {
			hidden += " (by " + by + ")"
		}
	}
	for _, line := range []struct {
		is   bool
		text string
	}{
		{l.Retracted, "retracted by event " + string(l.By)},
		{l.Superseded != "", "superseded by " + string(l.Superseded)},
		{l.Consolidated != "", "said together with others by " + string(l.Consolidated)},
		{l.Expired, "expired"},
		{l.Archived, hidden},
		{l.Closed && entry.Note().Kind != packet.NoteTask, "closed"},
		{l.Contradicted, "wrong, as somebody said; 'git ltm show " + string(entry.ID) +
			" --events' says why"},
	} {
		if line.is {
			d.Put("Life", line.text)
		}
	}
	if !l.Confirmed.IsZero() {
		by := l.Confirmer.Origin()
		d.Put("Confirmed", fmt.Sprintf("%s (%s) by %s, %s", l.Confirmed.In(now.Location()).Format(time.RFC3339),
			briefing.Age(l.Confirmed, now), by.By(), by.Verdict.Standing))
	}
	d.Put("Confidence", ConfidenceText(entry))
	if text, by := readText(l.Digest, entry); text != "" {
		if by != "" {
			by = " of " + by
		}
		d.Put("Digest", text+" (a short text that an event"+by+
			" put beside the record; what its author wrote follows)")
	}
}

// listClaims says what others say of a record in which they have no say.
func (d *Description) listClaims(entry replay.Shown) {
	l := entry.Life
	if !d.Head("What others say of it, which changes nothing", len(l.Claims)) {
		return
	}
	for _, c := range l.Claims {
		value, by := readText(c.Value, entry)
		why, _ := readText(c.Why, entry)
		d.Item(strings.TrimSpace(EventWord(c.Event)+" "+EventText(value))+" (by "+by+")", "why", why,
			"to let it", "git ltm trust accept "+string(c.Value.Origin().ID))
	}
	if l.ClaimsLeft > 0 {
		d.Item("and " + strconv.Itoa(l.ClaimsLeft) + " more")
	}
}

// EventWord is the word for an event that people know from the commands.
func EventWord(event string) string {
	switch event {
	case "retract":
		return "rm"
	case "archive":
		return "hide"
	case "contradict":
		return "wrong"
	}
	return event
}

// EventText is the value of an event, for a person.
func EventText(value string) string {
	change, err := packet.ParseChange(value)
	if err != nil {
		return clean.Line(value)
	}
	return ChangeText(change)
}

// ChangeText is a change of a task, for a person.
func ChangeText(change packet.Change) string {
	var parts []string
	for _, part := range [][2]string{
		{"status ", change.Status}, {"category ", change.Category}, {"next: ", change.NextAction},
	} {
		if part[1] != "" {
			parts = append(parts, part[0]+clean.Line(part[1]))
		}
	}
	if change.Priority != nil {
		parts = append(parts, "priority "+strconv.Itoa(*change.Priority))
	}
	return strings.Join(parts, ", ")
}

// ConfidenceText says how sure a record is, where somebody said so.
func ConfidenceText(entry replay.Shown) string {
	said := entry.Content().Confidence
	prior := rank.Prior(said)
	now := entry.Life.Confidence(prior)
	text := strconv.FormatFloat(now, 'f', 2, 64)
	switch {
	case now != prior && said != "":
		return text + ", " + said + " by its author and changed by events"
	case now != prior:
		return text + ", after what events say of it"
	case said != "":
		return text + ", " + said + " by its author"
	default:
		return ""
	}
}

// putImpact says how much depends on a record, and who says so.
func (d *Description) putImpact(entry replay.Shown) {
	said, set := GistOf(entry).Impact, entry.Life.Impact
	switch {
	case set == "" || set == said:
		d.Put("Impact", said)
	case said == "":
		d.Put("Impact", set+" (by an event)")
	default:
		d.Put("Impact", set+" (by an event; "+said+" by its author)")
	}
}

// putEnd says when a record ends.
func (d *Description) putEnd(entry replay.Shown, now time.Time) {
	at := entry.ExpiresAt()
	if at.IsZero() {
		return
	}
	text := at.In(now.Location()).Format(time.RFC3339)
	if !entry.Life.Until.IsZero() {
		text += " (by an event)"
	}
	d.Put("Ends", text)
}

// listLinks says which records events linked with this one.
func (d *Description) listLinks(entry replay.Shown) {
	all := entry.Life.Links
	if !d.Head("Linked with", len(all)) {
		return
	}
	for _, l := range all {
		text, by := readText(l.Label, entry)
		d.Item(string(l.ID), "as", text, "by", by)
	}
}

// readText is a text that may stand in an event, and who wrote it where that is not the author of the record.
func readText(t provenance.Text, of replay.Shown) (text, by string) {
	text, _ = t.For(of.Reader())
	return text, t.ByOther(of.Origin())
}

// putTask says how a task stands; nothing of another note.
func (d *Description) putTask(entry replay.Shown) {
	task := entry.Task()
	if task.Kind != packet.NoteTask {
		return
	}
	d.Put("Category", task.Category)
	d.Put("Status", TaskStatus(entry))
	for _, who := range []struct {
		did string
		by  provenance.Text
	}{{"Taken by", entry.Life.Taken}, {"Done by", entry.Life.Closer}} {
		if text, _ := who.by.For(entry.Reader()); text != "" {
			d.Put(who.did, who.by.Origin().By())
		}
	}
	d.Put("Priority", strconv.Itoa(task.Priority))
	next, by := readText(entry.NextAction(), entry)
	d.Put("Next action", next)
	if next != "" {
		d.Put("Set by", by)
	}
}

func (d *Description) putEvent(ev packet.Event) {
	d.Put("Event", ev.Event)
	d.Put("Targets", strings.Join(ev.Targets, " "))
	d.Put("By", strings.Join(ev.By, " "))
	d.Put("Value", ev.Value)
	d.Put("Ends", Stamp(ev.ExpiresAt))
	d.Put("Why", ev.Why)
}

// Description is text in labelled lines, and its parts for who lays them out otherwise. All that it is given is
// cleaned.
type Description struct {
	strings.Builder
	Parts []DescribedPart
}

// DescribedPart is a label with a text, or with items.
type DescribedPart struct {
	Label, Text string
	Lines       bool // the text may have lines of its own
	Items       []DescribedItem
}

// DescribedItem is a text with notes, a label and a text each.
type DescribedItem struct {
	Text  string
	Notes [][2]string
}

// Printf writes text as it is.
func (d *Description) Printf(format string, args ...any) {
	_, _ = fmt.Fprintf(&d.Builder, format, args...) // A Builder does not fail.
}

// Put writes a label and a text on one line; nothing where there is no text.
func (d *Description) Put(label, text string) {
	if text = clean.Line(text); text != "" {
		d.Parts = append(d.Parts, DescribedPart{Label: label, Text: text})
		d.Printf("%-11s %s\n", label+":", text)
	}
}

// Block writes a text with its own lines. They stand in by two blanks, so that none of them passes for a
// label.
func (d *Description) Block(title, text string) {
	if text = clean.Text(text); text == "" {
		return
	}
	d.Parts = append(d.Parts, DescribedPart{Label: title, Text: text, Lines: true})
	d.Printf("\n%s:\n", title)
	for line := range strings.SplitSeq(text, "\n") {
		d.Printf("%s\n", strings.TrimRight("  "+line, " "))
	}
}

// Head writes a heading where something follows, and tells whether it does.
func (d *Description) Head(title string, n int) bool {
	if n > 0 {
		d.Parts = append(d.Parts, DescribedPart{Label: title})
		d.Printf("\n%s:\n", title)
	}
	return n > 0
}

// Item writes a text as an item of a list, and notes below it: a label and a text each.
func (d *Description) Item(text string, notes ...string) {
	i := DescribedItem{Text: clean.Line(text)}
	d.Printf("  - %s\n", i.Text)
	for at := 0; at+1 < len(notes); at += 2 {
		if n := clean.Line(notes[at+1]); n != "" {
			i.Notes = append(i.Notes, [2]string{notes[at], n})
			d.Printf("    %s: %s\n", notes[at], n)
		}
	}
	if last := len(d.Parts) - 1; last >= 0 {
		d.Parts[last].Items = append(d.Parts[last].Items, i)
	}
}

// List writes texts as items below a heading.
func (d *Description) List(title string, texts []string) {
	if d.Head(title, len(texts)) {
		for _, t := range texts {
			d.Item(t)
		}
	}
}

func (d *Description) listUnknown(all []packet.Member) {
	if !d.Head("Members that this version does not know", len(all)) {
		return
	}
	for _, x := range all {
		d.Item(x.Path + " = " + x.JSON)
	}
}
