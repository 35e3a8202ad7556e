package check

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
)

// The rules of a push, beside those of a check.
const (
	rulePrivate = "push-private"
	ruleRenamed = "push-renamed"
	RuleRewrite = "push-rewrite"
	RulePurged  = "push-purged"
)

// Offer is a ref that somebody wants to give a repository.
type Offer struct {
	Ref  string // required: the full name that the receiver would give it
	OID  string // required: the object that it would name
	From string // the full name that the sender gives it; "" where that is not known
	Was  string // the object that the receiver holds under the name; "" for none
}

// PushRules returns the rules of [accept.Intake.CheckOffers] that [audit.Auditor.Check] does not have, in a
// fixed order.
func PushRules() []report.Rule {
	return []report.Rule{
		{
			ID: rulePrivate, Area: report.Store, Level: report.Error,
			About:  "Finds refs that are for one clone alone.",
			Advice: "push 'refs/ltm/*' and the branches by name; --mirror sends every ref",
		},
		{
			ID: ruleRenamed, Area: report.Store, Level: report.Error,
			About:  "Finds records that are sent under another name than their own.",
			Advice: "push it under its own name",
		},
		{
			ID: RuleRewrite, Area: report.Store, Level: report.Error,
			About:  "Finds records that would be written a second time.",
			Advice: "save yours under a new id with 'git ltm save --new-id'",
		},
		{
			ID: RulePurged, Area: report.Store, Level: report.Error,
			About:  "Finds records that were purged before.",
			Advice: "run 'git ltm sync', which takes them out of this clone",
		},
	}
}

// Travels tells the names that [accept.Intake.CheckOffers] has to judge: refs/ltm and what lies below the
// roots of ours, in letters of any case, because some file systems do not tell them apart.
func Travels(ref string) bool {
	for _, root := range []string{refs.Root, refs.PrivateRoot, refs.TrackingRoot} {
		if len(ref) >= len(root) && strings.EqualFold(ref[:len(root)], root) {
			return true
		}
	}
	return strings.EqualFold(ref+"/", refs.Root)
}

// Target says what is to be looked at. What has no business where it would go is not read.
func (o Offer) Target() Target {
	t := Target{Name: o.Ref}
	name, ok := refs.Parse(o.Ref)
	switch {
	case IsPrivate(o.Ref) || IsPrivate(o.From):
		t.Flaw, t.Why = rulePrivate,
			"it is for one clone alone: drafts, private records, and what remotes hold are never sent"
	case !strings.HasPrefix(o.Ref, refs.Root) && o.From != "" && strings.HasPrefix(o.From, refs.Root):
		t.Flaw, t.Why = ruleRenamed, "it would lie outside of refs/ltm, where nobody finds it as a record"
	case !ok:
		return OddTarget(o.Ref, refs.Root)
	default:
		t.Ref = refs.Ref{Name: name, Object: o.OID}
	}
	return t
}

func IsPrivate(ref string) bool {
	return strings.HasPrefix(ref, refs.PrivateRoot) || strings.HasPrefix(ref, refs.TrackingRoot)
}

// JudgeOffer says what is wrong with one offer. It is called by several workers.
func (c *Checker) JudgeOffer(s Stored, o Offer) Checked {
	if s.Flaw == rulePrivate || s.Flaw == ruleRenamed || s.Flaw == RulePurged || s.Flaw == RuleRewrite {
		in := beginInspection(Document{Subject: s.Name, Rules: c.Rules})
		in.refuse(s.Flaw, s.Why)
		return in.checked()
	}
	found := c.Judge(s)
	found.Results = slices.DeleteFunc(found.Results, func(r report.Result) bool {
		return r.Rule == ruleMissing
	})
	in := &inspection{document: Document{Subject: found.Subject}, results: found.Results}
	if s.IsRecord() {
		in.document.Name = s.Ref.Name
	}
	if strings.HasPrefix(o.From, refs.Root) && o.From != o.Ref {
		in.refuse(ruleRenamed, "it has another name here")
	}
	if o.Was != "" && o.Was != o.OID {
		in.refuse(RuleRewrite,
			"records are written once, and the receiver has another object under this name")
	}
	checked := in.checked()
	checked.Object = o.OID
	if o.From != "" && o.From != o.Ref {
		checked.Record = "" // It need not be the record of that name here, in which a finding may be allowed.
	}
	return checked
}

// refuse reports that a rule of a push is broken.
func (in *inspection) refuse(rule, message string) {
	rules := PushRules()
	about := rules[slices.IndexFunc(rules, func(r report.Rule) bool { return r.ID == rule })]
	in.results = append(in.results, report.Result{
		Rule: rule, Area: about.Area, Level: about.Level, Subject: in.document.Subject, Message: message,
		Advice:      about.Advice,
		Fingerprint: placeFingerprint(rule, in.document.subjectName(), "", message),
	})
}
