package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// The rules of a check about records and the store.
const (
	RuleSchema     = "record-schema"
	RuleEncoding   = "record-encoding"
	ruleID         = "record-id"
	RuleSize       = "record-size"
	RuleKind       = "record-kind"
	RuleObject     = "record-object"
	ruleSignature  = "record-signature"
	ruleTrust      = "record-trust"
	ruleOverridden = "scan-overridden"
	ruleUnscanned  = "scan-unfinished"
	ruleStray      = "ref-stray"
	RuleReserved   = "ref-reserved"
	ruleMissing    = "parent-missing"
	ruleContested  = "contested"
	RuleUnused     = "allow-unused"
)

// The rules of a push, beside those of a check.
const (
	rulePrivate = "push-private"
	ruleRenamed = "push-renamed"
	RuleRewrite = "push-rewrite"
	RulePurged  = "push-purged"
)

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
			Advice: "run 'git ltm sync REMOTE', which takes them out on both sides",
		},
	}
}

// Rules returns the rules of [audit.Auditor.Check] in a fixed order: those about
// records and the store, then those for secrets.
func Rules(r *scan.Rules) []report.Rule { return slices.Concat(recordRules(), SecretRules(r)) }

// SecretRules returns the rules for secrets and private places.
func SecretRules(r *scan.Rules) []report.Rule {
	found := r.List()
	rules := make([]report.Rule, 0, len(found))
	for i := range found {
		rules = append(rules, report.Rule{
			ID: found[i].ID, Area: report.Secret, Level: levelOf(found[i].Severity, found[i].ID),
			About: "Finds what " + found[i].Why + ".", Advice: found[i].Advice,
		})
	}
	return rules
}

func recordRules() []report.Rule {
	const again = "save the packet again with 'git ltm save', and retract this one with 'git ltm rm'"
	return []report.Rule{
		{
			ID: RuleSchema, Area: report.Record, Level: report.Error,
			About: "Finds what breaks the format of a record.", Advice: again,
		},
		{
			ID: RuleEncoding, Area: report.Record, Level: report.Error,
			About: "Finds records whose bytes are not their one canonical encoding.", Advice: again,
		},
		{
			ID: ruleID, Area: report.Record, Level: report.Error,
			About:  "Finds records that lie under the name of another.",
			Advice: "delete the ref, or store the record under its own id",
		},
		{
			ID: RuleSize, Area: report.Record, Level: report.Error,
			About:  "Finds records that are too large to be read.",
			Advice: "split the record and delete the ref",
		},
		{
			ID: RuleKind, Area: report.Record, Level: report.Error,
			About: "Finds records of another kind than their ref says, or of one that this version does not know.", Advice: "update git-ltm, or delete the ref",
		},
		{
			ID: RuleObject, Area: report.Record, Level: report.Error,
			About:  "Finds refs whose object is missing, damaged, or no blob.",
			Advice: "fetch the record again, or run a command that saves: it mends what it can",
		},
		{
			ID: ruleSignature, Area: report.Signature, Level: report.Error,
			About:  "Finds signatures that are bad or whose key was taken back.",
			Advice: "ask its author to sign it again",
		},
		{
			ID: ruleTrust, Area: report.Signature, Level: report.Error,
			About:  "Finds records without the signature that --require or ltm.requireSigned asks for.",
			Advice: "see 'git ltm verify ID'; whoever knows the record can sign it with 'git ltm sign ID'",
		},
		{
			ID: ruleUnscanned, Area: report.Record, Level: report.Error,
			About: "Finds records that rules of your own are too expensive for, so that nothing is known of them.", Advice: "make the rules simpler",
		},
		{
			ID: ruleOverridden, Area: report.Secret, Level: report.Warning,
			About: "Finds packets that their author stored although the scan found a secret.",
			Advice: "change the secret; then 'git ltm purge ID --reason secret' takes the packet out here " +
				"and on the remote",
		},
		{
			ID: ruleStray, Area: report.Store, Level: report.Error,
			About: "Finds refs below refs/ltm that are no record: no program reads or scans them, and " +
				"they travel.", Advice: "delete the ref with 'git update-ref --no-deref -d'",
		},
		{
			ID: RuleReserved, Area: report.Store, Level: report.Error,
			About:  "Finds refs of a later version of the format, which this version cannot look into.",
			Advice: "update git-ltm, or delete the ref",
		},
		{
			ID: ruleMissing, Area: report.Store, Level: report.Warning,
			About:  "Finds records that name another record which is not here.",
			Advice: "fetch the other record, unless it was purged",
		},
		{
			ID: ruleContested, Area: report.Store, Level: report.Warning,
			About:  "Finds records of which another clone holds a different version under the same name.",
			Advice: "ask who wrote the other one, and save one of them under a new id",
		},
		{
			ID: RuleUnused, Area: report.Store, Level: report.Warning,
			About:  "Finds events that allow a finding which is not there.",
			Advice: "take it back with 'git ltm allow --revoke'",
		},
	}
}

// ruleTable finds the rules about records by their ids.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var ruleTable = sync.OnceValue(func() map[string]report.Rule {
	table := map[string]report.Rule{}
	for _, r := range slices.Concat(recordRules(), PushRules()) {
		table[r.ID] = r
	}
	return table
})

// levelOf says how much findings of a rule weigh.
func levelOf(s redact.Severity, rule string) report.Level {
	switch {
	case s == redact.Block:
		return report.Error
	case redact.Finding{Rule: rule}.IsPlace(), rule == redact.Placeholder:
		return report.Note
	default:
		return report.Warning
	}
}

// ResultOf makes the result of a rule about records.
func ResultOf(rule string, d Document, pointer, message string) report.Result {
	about := ruleTable()[rule]
	if d.Name.Kind == "" && about.Area == report.Record && !strings.HasPrefix(d.Subject, "refs/") {
		about.Advice = "mend the file; 'git ltm example' shows a valid packet"
	}
	return report.Result{
		Rule: rule, Area: about.Area, Level: about.Level, Subject: d.Subject, Pointer: pointer,
		Message: message,
		Advice:  about.Advice, Fingerprint: placeFingerprint(rule, d.subjectName(), pointer, message),
	}
}

// resultOfFinding makes the result of a rule for secrets.
func resultOfFinding(f redact.Finding, d Document) report.Result {
	advice := f.Advice
	if d.Name.ID != "" && f.Severity == redact.Block {
		revoke, _, _ := strings.Cut(advice, ", then ")
		revoke, _, _ = strings.Cut(revoke, ", and write ")
		advice = revoke + "; then 'git ltm purge " + string(d.Name.ID) +
			" --reason secret' takes the record out here and on the remote"
	}
	return report.Result{
		Rule: f.Rule, Area: report.Secret, Level: levelOf(f.Severity, f.Rule), Subject: d.Subject,
		Pointer: f.Path, InName: f.InName,
		Region: report.Region{Line: f.Line, Column: f.Column, EndLine: f.EndLine, EndColumn: f.EndColumn},
		Name:   f.Name, Mask: f.Mask, Message: "this " + f.Why, Advice: advice,
		Fingerprint: f.Fingerprint(d.subjectName()),
	}
}

// subjectName is what a fingerprint calls the document: the same record has the same
// fingerprints here, in another clone and on a remote.
func (d Document) subjectName() string {
	if d.Name.ID != "" {
		return string(d.Name.ID)
	}
	return d.Subject
}

// placeFingerprint names a result that is no secret.
func placeFingerprint(parts ...string) string {
	sum := sha256.New()
	for _, part := range append([]string{"ltm result 1"}, parts...) {
		_, _ = fmt.Fprintf(sum, "%d:%s", len(part), part) // A hash takes whatever comes.
	}
	return "v1:" + hex.EncodeToString(sum.Sum(nil)[:8])
}
