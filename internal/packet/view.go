package packet

import (
	"fmt"
	"strings"
	"time"
)

// Packet is a view of a Core Memory Packet. What the packet leaves out is the
// zero value here.
type Packet struct {
	Version, ID, ParentID string
	CreatedAt             time.Time
	Project               Project
	Goal, NextStep        string
	Outcome               string // what came of the work
	SuccessCriteria       []string
	Constraints           []string
	OpenQuestions         []string
	Tags                  []string
	Decisions             []Decision
	Methods               []Method
	Attempts              []Attempt
	Provenance            Provenance
	Anchor                Anchor
	Cites                 []Cite
	ExpiresAt             time.Time
	Supersedes            []string
	Parents               []string
	Paths                 []string
	Impact, Origin        string
	Scan                  Scan
}

// NoNextStep is the next step of a packet whose work left none: the member is required, and such a packet is finished.
const NoNextStep = "none"

// Next returns the next step, or the empty string where the packet says that there is none.
func (p Packet) Next() string {
	if strings.EqualFold(p.NextStep, NoNextStep) {
		return ""
	}
	return p.NextStep
}

// Project says what the work belongs to.
type Project struct{ Name, Ref string }

// Decision is something that was settled. A locked one is not to be reopened.
type Decision struct {
	What, Why, Consequences string
	Locked                  bool
}

// Method is a way of doing something that proved worth repeating.
type Method struct{ Name, WhenApplicable, How string }

// Attempt is something that was tried, and what came of it.
type Attempt struct {
	Tried, Outcome, Learned, Confidence string
	Match                               Match // what is about to try it again
}

// Failed tells whether the attempt did anything but succeed. A partial success
// counts as failed, and so does an outcome in free text.
func (a Attempt) Failed() bool { return a.Outcome != "succeeded" }

// Provenance says who wrote a record, in its own words. Nobody vouched for it.
type Provenance struct {
	Agent, Model, Host       string
	AuthorModel, AuthorHuman string
	SourceHash, Confidence   string
}

// Anchor is the place in the history of the project at which a record was made.
type Anchor struct {
	Branch, Commit, Tree, MergeBase string
	Dirty                           bool // the work tree had changes
}

// Cite points at a place in the files of the project. A line of zero means the
// whole file.
type Cite struct {
	Path               string
	Line, EndLine      int
	Commit, Blob, Note string
}

// String names the place as PATH:LINE-LINE, as far as it is known.
func (c Cite) String() string {
	switch {
	case c.Line == 0:
		return c.Path
	case c.EndLine > c.Line:
		return fmt.Sprintf("%s:%d-%d", c.Path, c.Line, c.EndLine)
	default:
		return fmt.Sprintf("%s:%d", c.Path, c.Line)
	}
}

// Scan says how a record was scanned for secrets before it was stored.
type Scan struct {
	Rules      string
	Masked     int
	Overridden []string
}

// Event is a view of a record that says what became of other records.
type Event struct {
	ID          string
	CreatedAt   time.Time
	Event       string
	Targets, By []string
	Value, Why  string
	Object      string // the object of the target that is meant, where the event is about one
	ExpiresAt   time.Time
	Provenance  Provenance
}

// Packet returns the view of a valid packet.
func (r *Record) Packet() Packet {
	o := r.root
	return Packet{
		Version:         o.text("ltm_version"),
		ID:              o.text("id"),
		ParentID:        o.text("parent_id"),
		CreatedAt:       o.time("created_at"),
		Project:         viewProject(o.object("project")),
		Goal:            o.text("goal"),
		NextStep:        o.text("next_step"),
		Outcome:         o.text("outcome"),
		SuccessCriteria: o.texts("success_criteria"),
		Constraints:     o.texts("constraints"),
		OpenQuestions:   o.texts("open_questions"),
		Tags:            o.texts("tags"),
		Decisions:       views(o, "decisions", viewDecision),
		Methods:         views(o, "methods", viewMethod),
		Attempts:        views(o, "attempts", viewAttempt),
		Provenance:      viewProvenance(o.object("provenance")),
		Anchor:          viewAnchor(o.object("anchor")),
		Cites:           views(o, "cites", viewCite),
		ExpiresAt:       o.time("expires_at"),
		Supersedes:      o.texts("supersedes"),
		Parents:         o.texts("parents"),
		Paths:           o.texts("paths"),
		Impact:          o.text("impact"),
		Origin:          o.text("origin"),
		Scan:            viewScan(o.object("scan")),
	}
}

// Event returns the view of a valid event.
func (r *Record) Event() Event {
	o := r.root
	return Event{
		ID:         o.text("id"),
		CreatedAt:  o.time("created_at"),
		Event:      o.text("event"),
		Targets:    o.texts("targets"),
		By:         o.texts("by"),
		Value:      o.text("value"),
		Object:     o.text("object"),
		Why:        o.text("why"),
		ExpiresAt:  o.time("expires_at"),
		Provenance: viewProvenance(o.object("provenance")),
	}
}

func viewProject(o object) Project {
	return Project{Name: o.text("name"), Ref: o.text("ref")}
}

func viewDecision(v *value) Decision {
	o := v.items
	return Decision{
		What:         o.text("what"),
		Why:          o.text("why"),
		Consequences: o.text("consequences"),
		Locked:       o.flag("locked"),
	}
}

func viewMethod(v *value) Method {
	o := v.items
	return Method{
		Name:           o.text("name"),
		WhenApplicable: o.text("when_applicable"),
		How:            o.text("how"),
	}
}

func viewAttempt(v *value) Attempt {
	o := v.items
	return Attempt{
		Tried:      o.text("tried"),
		Outcome:    o.text("outcome"),
		Learned:    o.text("learned"),
		Confidence: o.text("confidence"),
		Match:      viewMatch(o.object("match")),
	}
}

func viewProvenance(o object) Provenance {
	return Provenance{
		Agent:       o.text("agent"),
		Model:       o.text("model"),
		Host:        o.text("host"),
		AuthorModel: o.text("author_model"),
		AuthorHuman: o.text("author_human"),
		SourceHash:  o.text("source_hash"),
		Confidence:  o.text("confidence"),
	}
}

func viewAnchor(o object) Anchor {
	return Anchor{
		Branch:    o.text("branch"),
		Commit:    o.text("commit"),
		Tree:      o.text("tree"),
		MergeBase: o.text("merge_base"),
		Dirty:     o.flag("dirty"),
	}
}

func viewCite(v *value) Cite {
	o := v.items
	return Cite{
		Path:    o.text("path"),
		Line:    o.count("line"),
		EndLine: o.count("end_line"),
		Commit:  o.text("commit"),
		Blob:    o.text("blob"),
		Note:    o.text("note"),
	}
}

func viewScan(o object) Scan {
	return Scan{
		Rules:      o.text("rules"),
		Masked:     o.count("masked"),
		Overridden: o.texts("overridden"),
	}
}
