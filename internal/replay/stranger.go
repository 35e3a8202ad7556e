package replay

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
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

// byAuthor stands between such a word and one for the author whom the record states, where a remote delivered it.
const byAuthor = "~"

// signerWord says who put a record here.
func (s *Source) signerWord(ref refs.Ref, obj refs.Object, by packet.Provenance) string {
	name := ref.Name
	was, known := s.reader.opts.Seen.Find(name)
	if was.Made || name.Private {
		return byThisClone
	}
	address, _, delivered := s.reader.opts.Seen.Delivery(name)
	young := !known && !delivered && ref.Remote == "" && s.reader.opts.Now().Sub(name.ID.Time()).Abs() < youngRecord
	word := byNobody
	switch {
	case obj.TagOID == "" && young:
		word = bySomebody
	case obj.TagOID == "":
	case young:
		word = byAnybody
	default:
		if tag, err := sign.ParseTag(obj.Tag); err == nil { // Else its signature is bad.
			key, _, ok := tag.PublicKey()
			if _, _, certified := tag.Authority(); !ok || certified {
				key = byAnybody
			}
			word = key
		}
	}
	if delivered {
		word += byAuthor + vouch.AuthorWord(address, by)
	}
	return word
}

// mostSigners is how many keys, and how many authors, are asked for by their words.
const mostSigners = 24

// Voices are words of [Text] for those whose records may be shown to somebody who did not ask for them.
type Voices struct {
	Trusted []string // those who may be trusted
	Anybody bool     // it cannot be told beforehand who may be trusted
	Claimed []string // those whose unsigned records are shown although nobody vouches for them, because the upstream delivered them
	Unknown []string // those for whom that may hold once its default branch is fetched
}

// Voices parts some words. That rests on lists of keys and names as they are now, and nothing of it is kept.
func (s *Source) Voices(ctx context.Context, words []string) (v Voices, err error) {
	trusted, err := s.signers(ctx)
	if v.Anybody = trusted == nil; err != nil {
		return v, err
	}
	for _, word := range words {
		who, author, delivered := strings.Cut(word, byAuthor)
		if slices.Contains(trusted, who) || v.Anybody && who != byNobody {
			v.Trusted = append(v.Trusted, word)
			continue
		}
		if !delivered {
			continue
		}
		heard, maybe, err := s.reader.opts.Judge.IsHeard(ctx, author, s.reader.opts.Seen.Signs)
		if err != nil {
			return v, err
		}
		if heard {
			v.Claimed = append(v.Claimed, word)
		} else if maybe && who == byNobody {
			v.Unknown = append(v.Unknown, word)
		}
	}
	return v, nil
}

// signers are the words for those who may be trusted, but for their authors; nil is everybody, where that cannot be told beforehand.
func (s *Source) signers(ctx context.Context) ([]string, error) {
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
func IsSure(signer string) bool {
	who, _, _ := strings.Cut(signer, byAuthor)
	return who != byAnybody && who != bySomebody
}

// Stranger says why a record which lies behind no signature is surely kept from those who did not ask for it, without reading it:
// this clone did not make it, and nobody signed it later. Nothing says that it has to be read. It is for crowds: anybody who can
// push can make any number of records that meet a question.
func (s *Source) Stranger(ctx context.Context, full, signer string) (why string, err error) {
	if who, _, _ := strings.Cut(signer, byAuthor); who != byNobody && who != bySomebody {
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
