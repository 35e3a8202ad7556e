package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// endorsement reads the tag of a later signature, and the record that it speaks of where that can be read.
func (c *Checker) endorsement(ctx context.Context, e refs.Ref) (refs.Object, error) {
	tag, err := c.Store.ReadTag(ctx, e.Object)
	if err != nil {
		return refs.Object{}, err
	}
	object := refs.Object{Tag: tag, TagOID: e.Object}
	ref, ok := c.Beside[e.Name.ID]
	if !ok {
		var err error
		if ref, err = HolderOf(ctx, c.Store, e.Name.ID); err != nil || ref.Name.ID == "" {
			return object, err
		}
	}
	record, err := c.Store.Read(ctx, ref)
	if refs.IsFault(err) {
		return object, nil // The record is told of where it lies.
	}
	object.Type, object.OID, object.Data = record.Type, record.OID, record.Data
	return object, err
}

// RecordsAmong returns the records among targets, by their ids, that have later signatures among them.
func RecordsAmong(targets []Target) map[packet.ID]refs.Ref {
	signed := map[packet.ID]bool{}
	for _, t := range targets {
		if t.Ref.Name.Key != "" {
			signed[t.Ref.Name.ID] = true
		}
	}
	records := map[packet.ID]refs.Ref{}
	for _, t := range targets {
		if t.Flaw == "" && t.IsRecord() && signed[t.Ref.Name.ID] {
			records[t.Ref.Name.ID] = t.Ref
		}
	}
	return records
}

// explainEndorsement turns an error of a later signature into a flaw, and returns any other.
func (s *Stored) explainEndorsement(err error) error {
	large, tooLarge := errors.AsType[*refs.TooLargeError](err)
	switch {
	case tooLarge:
		s.Flaw, s.Why = ruleSignature,
			fmt.Sprintf("its tag object has %d bytes, at most %d are allowed", large.Size, large.Max)
		return nil
	case errors.Is(err, refs.ErrShape):
		s.Flaw, s.Why = ruleSignature, "it names no tag object"
		return nil
	}
	return s.explainFailure(err)
}

// judgeEndorsement says what is wrong with one later signature.
func (c *Checker) judgeEndorsement(s Stored) Checked {
	in := beginInspection(Document{
		Subject: s.Name, Data: s.object.Data, OID: s.object.OID, Tag: s.object.Tag,
		Rules: c.Rules,
	})
	if s.Flaw != "" {
		in.addResult(s.Flaw, "", s.Why)
	} else {
		in.inspectEndorsement(s.Ref.Name.ID, s.verdict)
	}
	checked := in.checked()
	checked.Object = s.Ref.Object
	return checked
}

// inspectEndorsement judges the tag object of a later signature of a record.
func (in *inspection) inspectEndorsement(id packet.ID, v sign.Verdict) {
	d := in.document
	if d.OID == "" {
		in.addResult(ruleMissing, "", "it endorses "+string(id)+", which is not here")
	}
	tag, err := sign.ParseTag(d.Tag)
	switch {
	case err != nil:
	case !tag.Formed():
		err = fmt.Errorf("%w: its message is not that of a signed record", sign.ErrTag)
	case d.OID == "":
		tag.Digest = "" // Nothing is here to compare it with.
		err = tag.Bind(string(id), tag.Object, nil)
	default:
		err = tag.Bind(string(id), d.OID, d.Data)
	}
	if err != nil {
		v = sign.Verdict{Standing: sign.Bad, Why: err.Error()}
	}
	in.checkWithheld(v)
	in.tagSecrets()
}

// tagSecrets looks for secrets in the tag object. What stands in it travels too, in the headers of the armor
// as well.
func (in *inspection) tagSecrets() {
	d := in.document
	for _, f := range redact.Blocking(d.Rules.ScanText(string(sign.Prose(d.Tag)))) {
		r := resultOfFinding(f, d)
		r.Region, r.Message = report.Region{}, r.Message+"; it stands in the tag object"
		in.results = append(in.results, r)
	}
}
