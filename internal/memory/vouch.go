package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trace"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Endorser is somebody who signed a record after it was stored.
type Endorser struct {
	Ref     string // the full name of the ref that holds the signature
	Store   string // the store that it was made for, where it is not withheld
	Verdict sign.Verdict
}

// mostEndorsers bounds how many later signatures of one record are read. Whoever can push can make up any number.
const mostEndorsers = 32

// Trust returns whose keys count here. The lists are read when they are first asked for.
func (m *Memory) Trust(ctx context.Context) (*trust.Trust, error) {
	if m.trust != nil {
		return m.trust, nil
	}
	config, err := m.Config(ctx)
	if err != nil {
		return nil, err
	}
	m.trust, err = trust.Load(ctx, m.repo, config, m.opts.Now())
	return m.trust, err
}

// Config returns the configuration of git, which is read once.
func (m *Memory) Config(ctx context.Context) (git.Config, error) { return m.config(ctx) }

// unsigned is what is known of a record that lies behind no signature.
const unsigned = "nobody signed it"

// vouched is who vouches for a record.
type vouched struct {
	verdict   sign.Verdict // of the best signature
	own       sign.Verdict // of the one that the record is stored behind
	endorsers []Endorser
}

// vouch says who vouches for what lies under a name: whoever signed it when it was stored, or else afterwards.
func (m *Memory) vouch(ctx context.Context, id packet.ID, obj refs.Object) (vouched, error) {
	trace.Judged.Add(1)
	own, err := m.judge(ctx, id, obj.Tag, obj.TagOID, obj)
	v := vouched{verdict: own, own: own}
	if err != nil || own.Standing.Withheld() {
		return v, err
	}
	if v.endorsers, err = m.endorsers(ctx, id, obj); err != nil || own.Standing == sign.Good {
		return v, err
	}
	for _, e := range v.endorsers {
		if e.Verdict.Standing == sign.Good {
			v.verdict = e.Verdict
			v.verdict.Why = "signed later: " + e.Verdict.Why
			break
		}
	}
	return v, nil
}

// judge says what one tag object is worth for a record.
func (m *Memory) judge(ctx context.Context, id packet.ID, raw []byte, oid string, obj refs.Object) (sign.Verdict, error) {
	if len(raw) == 0 {
		return sign.Verdict{Standing: sign.Unsigned, Why: unsigned}, nil
	}
	tag, err := sign.Examine(raw, string(id), obj.OID, obj.Data)
	if err != nil {
		return sign.Verdict{Standing: sign.Bad, Why: err.Error()}, nil //nolint:nilerr // It is the verdict.
	}
	return m.worth(ctx, tag, oid)
}

// worth says what the signature of a tag object is worth here, which fits its record.
func (m *Memory) worth(ctx context.Context, tag sign.Tag, oid string) (sign.Verdict, error) {
	t, err := m.Trust(ctx)
	if err != nil {
		return sign.Verdict{}, err
	}
	v, err := t.Judge(ctx, tag, oid)
	if err != nil {
		return sign.Verdict{}, err
	}
	return inStore(v, tag.Store, t.Stores()), nil
}

// inStore compares the store that a signature was made for with the one that this is. A signature is good for one store,
// because a tag that was copied into another repository still fits its record.
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
		v.Why = fmt.Sprintf("it was signed for the store %s, and this clone does not know which store it is", signed)
	default:
		v.Why = "it was signed for another store, " + signed
	}
	v.Standing = sign.Foreign
	return v
}

// endorsers reads the later signatures of a record, in the order of their keys.
func (m *Memory) endorsers(ctx context.Context, id packet.ID, obj refs.Object) ([]Endorser, error) {
	all, err := m.allEndorsements(ctx)
	if err != nil {
		return nil, err
	}
	of, err := m.listedFirst(ctx, all[id])
	if err != nil {
		return nil, err
	}
	found := make([]Endorser, 0, min(len(of), mostEndorsers))
	for _, e := range of[:min(len(of), mostEndorsers)] {
		tag, v, err := m.endorsement(ctx, e, obj)
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

// listedFirst puts the signatures of keys that a list names before those of others, which anybody can make. Where none would
// be left out, the order does not matter.
func (m *Memory) listedFirst(ctx context.Context, all []refs.Endorsement) ([]refs.Endorsement, error) {
	if len(all) <= mostEndorsers {
		return all, nil
	}
	listed, err := m.listedKeys(ctx)
	if err != nil {
		return nil, err
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b refs.Endorsement) int {
		switch {
		case listed[a.Key] == listed[b.Key]:
			return 0
		case listed[a.Key]:
			return -1
		default:
			return 1
		}
	})
	return sorted, nil
}

// listedKeys returns the short names of the keys that a list names, which are asked for once.
func (m *Memory) listedKeys(ctx context.Context) (map[string]bool, error) {
	if m.keys != nil {
		return m.keys, nil
	}
	t, err := m.Trust(ctx)
	if err != nil {
		return nil, err
	}
	m.keys = map[string]bool{}
	for _, fingerprint := range t.Fingerprints(ctx) {
		m.keys[shortKey(fingerprint)] = true
	}
	return m.keys, nil
}

// allEndorsements returns the later signatures of every record, which are listed once.
func (m *Memory) allEndorsements(ctx context.Context) (map[packet.ID][]refs.Endorsement, error) {
	if m.endorsed != nil {
		return m.endorsed, nil
	}
	list, err := m.store.Endorsements(ctx, "")
	if err != nil {
		return nil, err
	}
	m.endorsed = map[packet.ID][]refs.Endorsement{}
	for _, e := range list {
		m.endorsed[e.ID] = append(m.endorsed[e.ID], e)
	}
	return m.endorsed, nil
}

// endorsement reads and judges one later signature. One that cannot be read vouches for nothing.
func (m *Memory) endorsement(ctx context.Context, e refs.Endorsement, obj refs.Object) (tag sign.Tag, v sign.Verdict, err error) {
	bad := func(key, why string) (sign.Tag, sign.Verdict, error) {
		return sign.Tag{}, sign.Verdict{Standing: sign.Bad, Key: key, Why: why}, nil
	}
	raw, err := m.store.ReadTag(ctx, e.Object)
	if IsUnreadable(err) {
		return bad("", objectFlaw(err))
	}
	if err != nil {
		return tag, v, err
	}
	if tag, err = sign.Examine(raw, string(e.ID), obj.OID, obj.Data); err != nil {
		return bad("", err.Error())
	}
	v, err = m.worth(ctx, tag, e.Object)
	if err == nil && !v.Standing.Withheld() && !namedAfter(e, tag, v.Key) {
		return bad(v.Key, "the ref is named after another key")
	}
	return tag, v, err
}

// namedAfter tells whether a later signature lies under the name of the key that it names itself. A signature of x509 names
// none that is known before it was verified.
func namedAfter(e refs.Endorsement, tag sign.Tag, key string) bool {
	key = cmp.Or(tag.Key(), key)
	return key == "" || shortKey(key) == e.Key
}

// endorsedBy counts the people who vouch for a record beside the one who stored it.
func endorsedBy(v sign.Verdict, endorsers []Endorser) int {
	people := map[string]bool{}
	for _, e := range endorsers {
		if e.Verdict.Standing == sign.Good && e.Verdict.Key != v.Key {
			people[person(e.Verdict)] = true
		}
	}
	delete(people, person(v))
	return len(people)
}

// person names the holder of a key, so that two keys of one address are of one person: by the address in a user id, or by
// the principal. Where no list names anybody, the key stands for its holder.
func person(v sign.Verdict) string {
	name := v.By
	if at := strings.LastIndexByte(name, '<'); at >= 0 {
		name, _, _ = strings.Cut(name[at+1:], ">")
	}
	return strings.ToLower(strings.TrimSpace(cmp.Or(name, v.Key)))
}
