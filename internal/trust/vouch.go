package trust

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trace"
)

// Endorser is somebody who signed a record after it was stored.
type Endorser struct {
	Ref   string `json:"ref"` // the full name of the ref that holds the signature
	Store string `json:"-"`   // the store that it was made for, where it is not withheld
	sign.Verdict
}

// MostEndorsers bounds how many later signatures of one record are read. Whoever can push can make up any
// number.
const MostEndorsers = 32

// Judge says who vouches for records of a repository. It is not safe for concurrent use.
type Judge struct {
	repo     *git.Repo
	store    *refs.Store
	config   func(context.Context) (git.Config, error)
	now      time.Time
	trust    *Trust                   // nil until it is asked for
	asks     *Policy                  // nil until it is asked for
	endorsed map[packet.ID][]refs.Ref // nil until it is asked for
	// short names of the keys of all lists; nil until they are asked for
	keys   map[string]bool
	claims *claims         // nil until they are asked for
	muted  map[string]bool // looks of muted names; nil until they are asked for
}

// NewJudge returns the judge of a repository, by its configuration and the time.
func NewJudge(repo *git.Repo, store *refs.Store, config func(context.Context) (git.Config, error),
	now time.Time,
) *Judge {
	return &Judge{repo: repo, store: store, config: config, now: now}
}

// Forget forgets which later signatures there are, so that they are listed again.
func (j *Judge) Forget() { j.endorsed = nil }

// Reload lets the lists be read again, since what they hang on changed.
func (j *Judge) Reload() { j.trust = nil }

// Keep keeps what was learned about signatures.
func (j *Judge) Keep() {
	if j.trust != nil {
		j.trust.Keep()
	}
}

// MayPropose reports whether there may be a list of the team that is not the one which is accepted here. It
// says no only where that is certain, and starts no process for it.
func (j *Judge) MayPropose(ctx context.Context) bool {
	config, err := j.config(ctx)
	if err != nil {
		return true
	}
	_, named := config.Get(refKey)
	pins, pin := config.All(pinKey), ""
	if len(pins) == 1 {
		pin = pins[0]
	}
	for _, head := range headRefs(j.repo, config.Remotes()) {
		commit, err := j.store.Head(ctx, head)
		if err != nil || named || len(pins) > 1 {
			return true
		}
		if commit == "" {
			continue
		}
		if commit == pin {
			return false
		}
		proposed, err := j.store.AtTop(ctx, commit, TeamFolder)
		accepted := ""
		if err == nil && pin != "" {
			accepted, err = j.store.AtTop(ctx, pin, TeamFolder)
		}
		return err != nil || proposed != accepted
	}
	return false
}

// Trust returns whose keys count here. The lists are read when they are first asked for.
func (j *Judge) Trust(ctx context.Context) (*Trust, error) {
	if j.trust != nil {
		return j.trust, nil
	}
	config, err := j.config(ctx)
	if err != nil {
		return nil, err
	}
	j.trust, err = Load(ctx, j.repo, config, j.now)
	return j.trust, err
}

// NotSigned is what is known of a record that lies behind no signature.
const NotSigned = "nobody signed it"

// Vouched is who vouches for a record.
type Vouched struct {
	Verdict   sign.Verdict // of the best signature
	Own       sign.Verdict // of the one that the record is stored behind
	Endorsers []Endorser
}

// Vouch says who vouches for what lies under a name: whoever signed it when it was stored, or else
// afterwards.
func (j *Judge) Vouch(ctx context.Context, id packet.ID, obj refs.Object) (Vouched, error) {
	trace.Judged.Add(1)
	own, err := j.JudgeTag(ctx, id, obj.Tag, obj.TagOID, obj)
	v := Vouched{Verdict: own, Own: own}
	if err != nil || own.Standing.Withheld() {
		return v, err
	}
	if v.Endorsers, err = j.readEndorsers(ctx, id, obj); err != nil || own.Standing == sign.Good {
		return v, err
	}
	for _, e := range v.Endorsers {
		if e.Verdict.Standing == sign.Good {
			v.Verdict = e.Verdict
			v.Verdict.Why = "signed later: " + e.Verdict.Why
			break
		}
	}
	return v, nil
}

// judge says what one tag object is worth for a record.
func (j *Judge) JudgeTag(ctx context.Context, id packet.ID, raw []byte, oid string,
	obj refs.Object,
) (sign.Verdict, error) {
	if len(raw) == 0 {
		return sign.Verdict{Standing: sign.Unsigned, Why: NotSigned}, nil
	}
	tag, err := sign.Examine(raw, string(id), obj.OID, obj.Data)
	if err != nil {
		return sign.Verdict{Standing: sign.Bad, Why: err.Error()}, nil //nolint:nilerr // It is the verdict.
	}
	return j.judgeSignature(ctx, tag, oid)
}

// judgeSignature says what the signature of a tag object is worth here, which fits its record.
func (j *Judge) judgeSignature(ctx context.Context, tag sign.Tag, oid string) (sign.Verdict, error) {
	t, err := j.Trust(ctx)
	if err != nil {
		return sign.Verdict{}, err
	}
	v, err := t.Judge(ctx, tag, oid)
	if err != nil {
		return sign.Verdict{}, err
	}
	return inStore(v, tag.Store, t.Stores()), nil
}

// inStore compares the store that a signature was made for with the one that this is. A signature is good for
// one store, because a tag that was copied into another repository still fits its record.
func inStore(v sign.Verdict, signed string, stores []string) sign.Verdict {
	if v.Standing != sign.Good && v.Standing != sign.Expired {
		return v
	}
	switch {
	case slices.Contains(stores, signed):
		return v
	case signed == "":
		v.Why = "it was signed for no store"
	case len(stores) == 0:
		v.Why = fmt.Sprintf("it was signed for the store %s, and this clone does not know which store it is",
			signed)
	default:
		v.Why = "it was signed for another store, " + signed
	}
	v.Standing = sign.Foreign
	return v
}

// Endorsers reads the later signatures of a record, in the order of their keys.
func (j *Judge) readEndorsers(ctx context.Context, id packet.ID, obj refs.Object) ([]Endorser, error) {
	all, err := j.AllEndorsements(ctx)
	if err != nil {
		return nil, err
	}
	of := all[id]
	if len(of) > MostEndorsers { // Those of keys that a list names come first: anybody can make others.
		listed, err := j.ListedKeys(ctx)
		if err != nil {
			return nil, err
		}
		named, others := []refs.Ref{}, []refs.Ref{}
		for _, e := range of {
			if listed[e.Name.Key] {
				named = append(named, e)
			} else {
				others = append(others, e)
			}
		}
		of = append(named, others...)[:MostEndorsers]
	}
	var found []Endorser
	for _, e := range of {
		tag, v, err := j.Endorsement(ctx, e, obj)
		if err != nil {
			return nil, err
		}
		by := Endorser{Ref: e.Full(), Verdict: v}
		if !v.Standing.Withheld() {
			by.Store = tag.Store
		}
		found = append(found, by)
	}
	return found, nil
}

// ListedKeys returns the short names of the keys that a list names, which are asked for once.
func (j *Judge) ListedKeys(ctx context.Context) (map[string]bool, error) {
	if j.keys != nil {
		return j.keys, nil
	}
	t, err := j.Trust(ctx)
	if err != nil {
		return nil, err
	}
	j.keys = map[string]bool{}
	for _, fingerprint := range t.Fingerprints(ctx) {
		j.keys[ShortKey(fingerprint)] = true
	}
	return j.keys, nil
}

// AllEndorsements returns the later signatures of every record, which are listed once.
func (j *Judge) AllEndorsements(ctx context.Context) (map[packet.ID][]refs.Ref, error) {
	if j.endorsed != nil {
		return j.endorsed, nil
	}
	list, err := j.store.Endorsements(ctx, "")
	if err != nil {
		return nil, err
	}
	j.endorsed = map[packet.ID][]refs.Ref{}
	for _, e := range list {
		j.endorsed[e.Name.ID] = append(j.endorsed[e.Name.ID], e)
	}
	return j.endorsed, nil
}

// Endorsement reads and judges one later signature. One that cannot be read vouches for nothing.
func (j *Judge) Endorsement(ctx context.Context, e refs.Ref,
	obj refs.Object,
) (tag sign.Tag, v sign.Verdict, err error) {
	bad := func(key, why string) (sign.Tag, sign.Verdict, error) {
		return sign.Tag{}, sign.Verdict{Standing: sign.Bad, Key: key, Why: why}, nil
	}
	raw, err := j.store.ReadTag(ctx, e.Object)
	if refs.IsFault(err) {
		return bad("", refs.Flaw(err))
	}
	if err != nil {
		return tag, v, err
	}
	if tag, err = sign.Examine(raw, string(e.Name.ID), obj.OID, obj.Data); err != nil {
		return bad("", err.Error())
	}
	v, err = j.judgeSignature(ctx, tag, e.Object)
	// A signature of x509 names no key that is known before it was verified.
	key := cmp.Or(tag.Key(), v.Key)
	if err == nil && !v.Standing.Withheld() && key != "" && ShortKey(key) != e.Name.Key {
		return bad(v.Key, "the ref is named after another key")
	}
	return tag, v, err
}

// EndorsedBy counts the people who vouch for a record beside the one who stored it.
func EndorsedBy(v sign.Verdict, endorsers []Endorser) int {
	people := map[string]bool{}
	for _, e := range endorsers {
		if e.Verdict.Standing == sign.Good && e.Verdict.Key != v.Key {
			people[Person(e.Verdict)] = true
		}
	}
	delete(people, Person(v))
	return len(people)
}

// Person names the holder of a key, so that two keys of one address are of one person: by the address in a
// user id, or by the principal. Where no list names anybody, the key stands for its holder.
func Person(v sign.Verdict) string {
	name := v.By
	if at := strings.LastIndexByte(name, '<'); at >= 0 {
		name, _, _ = strings.Cut(name[at+1:], ">")
	}
	return strings.ToLower(strings.TrimSpace(cmp.Or(name, v.Key)))
}

// ShortKey is the beginning of a fingerprint in lower-case hexadecimal, as it stands in the name of a later
// signature. It is empty for what is no fingerprint.
func ShortKey(fingerprint string) string {
	if rest, ok := strings.CutPrefix(fingerprint, "SHA256:"); ok {
		raw, err := base64.RawStdEncoding.DecodeString(rest)
		if err != nil {
			return ""
		}
		fingerprint = hex.EncodeToString(raw)
	}
	fingerprint = strings.ToLower(fingerprint)
	return fingerprint[:min(refs.KeyLength, len(fingerprint))]
}

// Policy is what is asked of a record. Where the configuration says nothing of it, no process is started.
func (j *Judge) Policy(ctx context.Context) (Policy, error) {
	if j.asks != nil {
		return *j.asks, nil
	}
	var p Policy
	if j.repo.Settings().MaybeSet(requireKey, endorseKey) {
		config, err := j.config(ctx)
		if err != nil {
			return Policy{}, err
		}
		if p, err = readPolicy(config); err != nil {
			return Policy{}, err
		}
	}
	j.asks = &p
	return p, nil
}

// KeptFrom says why policy keeps a record from those who read it for a reason, or nothing where it is shown.
func KeptFrom(p Policy, verdict sign.Verdict, endorsers []Endorser, to provenance.Audience) string {
	switch {
	case verdict.Standing.Withheld():
		return verdict.Why
	case to == provenance.Inspecting, IsTrusted(p, verdict, endorsers), p.Require == Never,
		p.Require == Warn && to == provenance.Requested:
		return ""
	case verdict.Standing.Vouched():
		return fmt.Sprintf("signatures of others: %d, and ltm.requireEndorsed asks for %d",
			EndorsedBy(verdict, endorsers), p.Endorsed)
	default:
		return Unvouched(p, verdict.Why)
	}
}

// Unvouched says why a record is withheld for which nobody here vouches.
func Unvouched(p Policy, why string) string {
	if p.Require == Always {
		return "ltm.requireSigned asks for a signature that is trusted here: " + why
	}
	return "nobody asked for it, and it is not trusted here: " + why
}

// IsTrusted tells whether somebody who is trusted here vouches for a record, with as many others as policy
// asks for.
func IsTrusted(p Policy, verdict sign.Verdict, endorsers []Endorser) bool {
	return verdict.Standing.Vouched() && (p.Endorsed == 0 || EndorsedBy(verdict, endorsers) >= p.Endorsed)
}
