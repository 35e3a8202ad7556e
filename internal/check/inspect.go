package check

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Document is what lies in a ref or a file that should be a record.
type Document struct {
	Subject string       // required: the path of a file, "-", or the full name of a ref
	Name    refs.Name    // what the ref calls the record; the zero value for a file
	Data    []byte       // the stored bytes
	OID     string       // the object that holds them
	Tag     []byte       // the raw tag object before them; nil where there is none
	Rules   *scan.Rules  // what it is scanned by; nil is the built-in rules
	Verdict sign.Verdict // who vouches for it; of the zero value only the form of the tag is looked at
}

// Inspect says everything that is wrong with one record, at once. It looks at
// nothing but the document: that a parent is missing only [audit.Auditor.Check] can
// tell.
func Inspect(d Document) Checked {
	in := beginInspection(d)
	in.inspectRecord()
	return in.checked()
}

// ScanFile says which secrets stand in a text of any kind. JSON is read as
// JSON, so that each result has the pointer of its place.
func ScanFile(d Document) Checked {
	in := beginInspection(d)
	in.scanRecord()
	in.addSecrets()
	in.allowInline()
	return in.checked()
}

// An inspection collects what is wrong with one document.
type inspection struct {
	document Document
	findings []redact.Finding // what the scan found in it
	// a name in it may hold a secret, so no pointer repeats one that cannot be judged
	unnamed bool
	results []report.Result
}

// beginInspection looks at the name of a document. A name that is no record's may be
// anything, and travels as a record does.
func beginInspection(d Document) *inspection {
	in := &inspection{document: d}
	if d.Name.ID != "" {
		return in
	}
	in.document.Subject = d.Rules.Public(d.Subject)
	for _, f := range d.Rules.SecretsIn(d.Subject) {
		r := resultOfFinding(f, in.document)
		r.Region, r.Message = report.Region{}, r.Message+"; it stands in the name"
		in.results = append(in.results, r)
	}
	return in
}

// checked is what there is to say of the document. Every result of a check comes
// through here.
func (in *inspection) checked() Checked {
	return Checked{Subject: in.document.Subject, Record: in.document.Name.ID, Results: in.results}
}

// addResult reports one thing at a pointer.
func (in *inspection) addResult(rule, pointer, message string) {
	in.results = append(in.results, ResultOf(rule, in.document, pointer, message))
}

// inspectRecord looks at the record, and returns it, or nil where it cannot be read.
func (in *inspection) inspectRecord() *packet.Record {
	in.scanRecord()
	rec := in.parseRecord()
	if rec != nil {
		in.checkName(rec)
		in.checkOverride(rec)
	}
	in.checkSignature()
	in.addSecrets()
	return rec
}

// parseRecord reads the record. Its problems are one result each.
func (in *inspection) parseRecord() *packet.Record {
	d := in.document
	most := int64(packet.MaxPacket)
	if d.Name.Kind != "" {
		most = refs.Bound(d.Name.Kind)
	}
	if n := int64(len(d.Data)); n > most {
		in.addResult(RuleSize, "", fmt.Sprintf("it has %d bytes, at most %d are allowed", n, most))
		return nil
	}
	mode := packet.Stored
	if d.Name.Kind == "" {
		mode = packet.Draft // A file is judged as it is: whoever saves it fills in the rest.
	}
	rec, err := packet.Parse(d.Data, mode)
	invalid, ok := errors.AsType[*packet.InvalidError](err)
	switch {
	case ok:
		for _, p := range invalid.Problems {
			in.addResult(RuleSchema, in.document.Rules.Pointer(p.Path, in.unnamed),
				in.document.Rules.MaskText(p.Text))
		}
	case err != nil:
		in.addResult(RuleSchema, "", in.document.Rules.MaskText(err.Error()))
	}
	return rec
}

// checkName compares the record with the ref that it lies in. A file has no name to agree with, and its
// record may stand there in any encoding.
func (in *inspection) checkName(rec *packet.Record) {
	name := in.document.Name
	if name.Kind == "" {
		return
	}
	if !rec.EncodesAs(in.document.Data) {
		in.addResult(RuleEncoding, "", "the bytes are not the canonical encoding of the record")
	}
	if want := refs.RecordKind(name.Kind); rec.Kind() != want {
		in.addResult(RuleKind, "/type",
			fmt.Sprintf("it is a record of the kind %s in the place of a record of the kind %s", rec.Kind(),
				want))
	}
	if own, err := packet.ParseID(rec.OwnID()); err == nil && own != name.ID {
		in.addResult(ruleID, "/id", fmt.Sprintf("the record says that it is %s", own))
	}
}

// checkOverride tells that the author walked around the scan.
func (in *inspection) checkOverride(rec *packet.Record) {
	if rec.Kind() != packet.KindPacket || !rec.Has("scan") {
		return
	}
	rules := rec.Packet().Scan.Overridden
	if len(rules) == 0 {
		return
	}
	var known []string
	for _, id := range rules {
		if in.document.Rules.Known(id) {
			known = append(known, id)
		}
	}
	message := "its author stored it although the scan found something"
	if len(known) > 0 {
		slices.Sort(known)
		message += ": " + strings.Join(slices.Compact(known), ", ")
	}
	in.addResult(ruleOverridden, "/scan/overridden", message)
}

// checkSignature judges the tag object of a signed record.
func (in *inspection) checkSignature() {
	d := in.document
	if len(d.Tag) == 0 {
		return
	}
	v := d.Verdict
	if _, err := sign.Examine(d.Tag, string(d.Name.ID), d.OID, d.Data); err != nil {
		v = sign.Verdict{Standing: sign.Bad, Why: err.Error()}
	}
	in.checkWithheld(v)
	in.tagSecrets()
}

// checkWithheld reports a signature that no reader gets to see. Where nobody asked who vouches for it,
// there is no standing.
func (in *inspection) checkWithheld(v sign.Verdict) {
	if v.Standing != "" && v.Standing.Withheld() {
		in.addResult(ruleSignature, "",
			fmt.Sprintf("its signature is %s: %s", v.Standing, in.document.Rules.MaskText(v.Why)))
	}
}

// Scan looks for secrets in the bytes as they are stored, whether they are a
// record or not.
func (in *inspection) scanRecord() {
	var err error
	if in.findings, in.unnamed, err = in.document.Rules.Examine(in.document.Data); err != nil {
		in.addResult(ruleUnscanned, "", err.Error())
	}
}

// addSecrets reports what the scan found.
func (in *inspection) addSecrets() {
	for _, f := range in.findings {
		in.results = append(in.results, resultOfFinding(f, in.document))
	}
}

// allowInline does not count what a comment in its own line allows, as gitleaks has it. That holds for files,
// whose text people review as they review code, and never for a record.
func (in *inspection) allowInline() {
	const mark = "gitleaks:allow"
	if !bytes.Contains(in.document.Data, []byte(mark)) {
		return
	}
	lines := bytes.Split(in.document.Data, []byte("\n"))
	for i := range in.results {
		r := &in.results[i]
		if first, last := r.Region.Line, max(r.Region.Line, r.Region.EndLine); first > 0 &&
			last <= len(lines) &&
			slices.ContainsFunc(lines[first-1:last], func(line []byte) bool {
				return bytes.Contains(line, []byte(mark))
			}) {
			r.Suppressed = &report.Suppression{By: mark}
		}
	}
}

// A link is a place in a record that names another record.
type link struct{ pointer, Id string }

// Links returns the other records that a record names.
func Links(rec *packet.Record) []link {
	if rec == nil {
		return nil
	}
	var all []link
	list := func(name string, ids []string) {
		for i, id := range ids {
			all = append(all, link{"/" + name + "/" + strconv.Itoa(i), id})
		}
	}
	if rec.Kind() == packet.KindEvent {
		e := rec.Event()
		list("targets", e.Targets)
		list("by", e.By)
		return all
	}
	if rec.Kind() == packet.KindNote {
		list("links", rec.Note().Links)
		return all
	}
	if !rec.Has("parent_id") && !rec.Has("parents") && !rec.Has("supersedes") {
		return nil
	}
	p := rec.Packet()
	if p.ParentID != "" {
		all = append(all, link{"/parent_id", p.ParentID})
	}
	list("parents", p.Parents)
	list("supersedes", p.Supersedes)
	return all
}

// OddTarget says what is wrong with a name below root that is no record.
func OddTarget(full, root string) Target {
	t := Target{Name: full}
	inner := refs.Root + strings.TrimPrefix(full, root)
	name, ok := refs.Parse(inner)
	switch {
	case ok: // It was found among the strays: it stands for another ref.
		t.Ref.Name = name
		t.Flaw, t.Why = ruleStray, "it stands for another ref, and is never followed"
	case refs.InLayout(inner):
		t.Flaw, t.Why = RuleReserved, "the name is reserved, and this version cannot look into it"
	default:
		t.Flaw, t.Why = ruleStray, "the name is not of this format; it is never read, and it travels"
	}
	return t
}

// Present is the names of all records that are known here, of this clone and of remotes: the last parts of the
// refs, and of packets the last 16 characters of these. Names are all that a check holds of every record.
type Present map[string]bool

// has tells whether a record of that name, or of that own id, is known. A packet
// that brought an id of another form is found by the name that is derived from
// it.
func (p Present) has(own string) bool {
	if _, err := packet.ParseID(own); err != nil {
		own = packet.DerivedSuffix(own)
	}
	return p[own]
}
