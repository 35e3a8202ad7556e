package check

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
)

// Offer is a ref that somebody wants to give a repository.
type Offer struct {
	Ref  string // required: the full name that the receiver would give it
	OID  string // required: the object that it would name
	From string // the full name that the sender gives it; "" where that is not known
	Was  string // the object that the receiver holds under the name; "" for none
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
	found := c.Judge(s)
	if s.Flaw != "" {
		return found // One reason is enough to refuse it.
	}
	found.Results = slices.DeleteFunc(found.Results, func(r report.Result) bool {
		return r.Rule == ruleMissing
	})
	in := &inspection{document: Document{Subject: found.Subject}, results: found.Results}
	if s.IsRecord() {
		in.document.Name = s.Ref.Name
	}
	if strings.HasPrefix(o.From, refs.Root) && o.From != o.Ref {
		in.addResult(ruleRenamed, "", "it has another name here")
	}
	if o.Was != "" && o.Was != o.OID {
		in.addResult(RuleRewrite, "",
			"records are written once, and the receiver has another object under this name")
	}
	checked := in.checked()
	checked.Object = o.OID
	if o.From != "" && o.From != o.Ref {
		checked.Record = "" // It need not be the record of that name here, in which a finding may be allowed.
	}
	return checked
}
