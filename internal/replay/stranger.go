package replay

import (
	"context"
	"time"

	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// The words for who put a record here, beside the fingerprints of keys of SSH. They never say that a record counts: they keep
// crowds of strangers from being read.
const (
	byThisClone = "here"   // this user of this clone made it
	byAnybody   = "unsure" // it is signed, and only who reads it can tell
	byNobody    = "nobody" // it lies behind no signature, and others made it
	bySomebody  = "young"  // it lies behind no signature, and it is not noted yet who made it
)

// youngRecord is how old a record is by its id of which everything is noted: the process that makes one notes that after its ref.
const youngRecord = 10 * time.Minute

// signerWord says who put a record here.
func (s *Source) signerWord(ref refs.Ref, obj refs.Object) string {
	name := ref.Name
	was, known := s.reader.opts.Seen.Find(name)
	if was.Made || name.Private {
		return byThisClone
	}
	_, _, delivered := s.reader.opts.Seen.Delivery(name)
	young := !known && !delivered && ref.Remote == "" && s.reader.opts.Now().Sub(name.ID.Time()).Abs() < youngRecord
	switch {
	case obj.TagOID == "" && young:
		return bySomebody
	case obj.TagOID == "":
		return byNobody
	case young:
		return byAnybody
	}
	tag, err := sign.ParseTag(obj.Tag)
	if err != nil {
		return byNobody // Its signature is bad.
	}
	key, _, ok := tag.PublicKey()
	if _, _, certified := tag.Authority(); !ok || certified {
		return byAnybody
	}
	return key
}

// mostSigners is how many keys are asked for by their fingerprints.
const mostSigners = 24

// Signers are the words of [Text] for those who put records here that may be shown to somebody who did not ask for them; nil is
// everybody, where that cannot be told beforehand. It rests on lists of keys as they are now, and nothing of it is kept.
func (s *Source) Signers(ctx context.Context) ([]string, error) {
	p, err := s.reader.opts.Judge.Policy(ctx)
	if err != nil || p.Require == trust.Never || s.reader.opts.Repo.Local().IsShared() {
		return nil, err
	}
	endorsed, err := s.reader.opts.Judge.AllEndorsements(ctx)
	if err != nil || len(endorsed) > 0 {
		return nil, err
	}
	signers := []string{byThisClone, byAnybody, bySomebody}
	if !trust.HasLists(s.reader.opts.Repo) {
		return signers, nil
	}
	t, err := s.reader.opts.Judge.Trust(ctx)
	if err != nil {
		return nil, err
	}
	keys, ok := t.SSHKeys()
	if !ok || len(keys) > mostSigners {
		return nil, nil
	}
	return append(signers, keys...), nil
}

// IsSure tells a word for who put a record here from those of which only who reads the record can tell more.
func IsSure(signer string) bool { return signer != byAnybody && signer != bySomebody }

// Stranger says why a record which lies behind no signature is surely kept from those who did not ask for it, without reading it:
// this clone did not make it, and nobody signed it later. Nothing says that it has to be read. It is for crowds: anybody who can
// push can make any number of records that meet a question.
func (s *Source) Stranger(ctx context.Context, full, signer string) (why string, err error) {
	if signer != byNobody && signer != bySomebody {
		return "", nil
	}
	p, err := s.reader.opts.Judge.Policy(ctx)
	if err != nil || p.Require == trust.Never {
		return "", err
	}
	name, ok := refs.ParseName(full)
	if !ok {
		if _, name, ok = refs.ParseTracking(full); !ok {
			return "", nil // Whatever is private was made here.
		}
	}
	if s.reader.opts.Seen.Made(name) {
		return "", nil
	}
	endorsed, err := s.reader.opts.Judge.AllEndorsements(ctx)
	if err != nil || len(endorsed[name.ID]) > 0 {
		return "", err
	}
	return vouch.Unvouched(p, vouch.NotSigned), nil
}
