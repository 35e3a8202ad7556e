package packet

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Packet is a view of a Core Memory Packet. What the packet leaves out is the
// zero value here.
type Packet struct {
	Version         string `member:"ltm_version"`
	ID, ParentID    string
	CreatedAt       time.Time
	Project         Project
	Goal, NextStep  string
	Outcome         string // what came of the work
	SuccessCriteria []string
	Constraints     []string
	OpenQuestions   []string
	Tags            []string
	Decisions       []Decision
	Methods         []Method
	Attempts        []Attempt
	Provenance      Provenance
	Anchor          Anchor
	Cites           []Cite
	ExpiresAt       time.Time
	Supersedes      []string
	Parents         []string
	Paths           []string
	Impact, Origin  string
	Scan            Scan
}

// NoNextStep is the next step of a packet whose work left none: the member is required, and such a packet is
// finished.
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
	What         string `json:"what"`
	Why          string `json:"why"`
	Consequences string `json:"consequences,omitempty"`
	Locked       bool   `json:"locked,omitempty"`
}

// Method is a way of doing something that proved worth repeating.
type Method struct {
	Name           string `json:"name"`
	WhenApplicable string `json:"when_applicable"`
	How            string `json:"how"`
}

// Attempt is something that was tried, and what came of it.
type Attempt struct {
	Tried      string `json:"tried"`
	Outcome    string `json:"outcome"`
	Learned    string `json:"learned,omitempty"`
	Confidence string `json:"confidence,omitempty"`
	Match      Match  `json:"match,omitzero"` // what is about to try it again
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
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	EndLine int    `json:"end_line,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Blob    string `json:"blob,omitempty"`
	Note    string `json:"note,omitempty"`
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
func (r *Record) Packet() Packet { return viewOf[Packet](r.root) }

// Event returns the view of a valid event.
func (r *Record) Event() Event { return viewOf[Event](r.root) }

// viewOf makes a view of an object. Each field holds the member that has its name in the words of the format:
// ParentID holds parent_id. Of a member that is missing, or is something else, it holds the zero value.
func viewOf[T any](o object) T {
	var view T
	fillView(reflect.ValueOf(&view).Elem(), fieldsOf(reflect.TypeFor[T]()), o)
	return view
}

// A viewField is the member that a field of a view holds, and how it is put there.
type viewField struct {
	member string
	set    func(field reflect.Value, v *value)
}

func fillView(view reflect.Value, fields []viewField, o object) {
	for i := range fields {
		if v := o.findValue(fields[i].member); v != nil && fields[i].set != nil {
			fields[i].set(view.Field(i), v)
		}
	}
}

// viewFields are the fields of the types that views were made of, by the type: what can be known of one is found
// out once, so that reading a record costs little more than it would with code for each field.
//
//nolint:gochecknoglobals // What is there never changes.
var viewFields sync.Map

func fieldsOf(t reflect.Type) []viewField {
	if known, ok := viewFields.Load(t); ok {
		return known.([]viewField)
	}
	var fields []viewField
	for field := range t.Fields() {
		name, ok := field.Tag.Lookup("member")
		if !ok {
			last := ' '
			for _, c := range field.Name { // ASCII: an expression would cost more than all else here.
				if unicode.IsUpper(c) && unicode.IsLower(last) {
					name += "_"
				}
				name += string(unicode.ToLower(c))
				last = c
			}
		}
		f := viewField{member: name}
		switch t := field.Type; {
		case name == "-": // It is no member.
		case t.Kind() == reflect.String:
			f.set = func(field reflect.Value, v *value) { field.SetString(v.asString()) }
		case t.Kind() == reflect.Bool:
			f.set = func(field reflect.Value, v *value) {
				field.SetBool(v.is == isBool && v.text == "true")
			}
		case t.Kind() == reflect.Int:
			f.set = func(field reflect.Value, v *value) { field.SetInt(int64(v.asInt())) }
		case t == reflect.TypeFor[time.Time]():
			f.set = func(field reflect.Value, v *value) {
				*field.Addr().Interface().(*time.Time) = v.asTime()
			}
		case t == reflect.TypeFor[[]string]():
			f.set = func(field reflect.Value, v *value) {
				*field.Addr().Interface().(*[]string) = v.asStrings()
			}
		case t.Kind() == reflect.Slice:
			inner := fieldsOf(t.Elem())
			f.set = func(field reflect.Value, v *value) {
				if v.is != isArray || len(v.items) == 0 {
					return
				}
				field.Set(reflect.MakeSlice(t, len(v.items), len(v.items)))
				for i := range v.items {
					fillView(field.Index(i), inner, v.items[i].value.items)
				}
			}
		default:
			inner := fieldsOf(t)
			f.set = func(field reflect.Value, v *value) {
				if v.is == isObject {
					fillView(field, inner, v.items)
				}
			}
		}
		fields = append(fields, f)
	}
	viewFields.Store(t, fields)
	return fields
}
