package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/view"
)

// Rule is what an item of a record forbids.
type Rule struct {
	Place string // Place is that of the item.
	Rule  deadend.Rule
}

// RuleHit is a rule and the item that it stands in.
type RuleHit struct {
	Hit
	Rule deadend.Rule
}

// preparedRule is a rule as it goes into a segment.
type preparedRule struct {
	item    int
	text    string
	outline string
	rare    []deadend.Trait
}

// prepareRules takes the rules of a document apart.
func prepareRules(d Document) ([]preparedRule, error) {
	list := make([]preparedRule, 0, len(d.Rules))
	for _, r := range d.Rules {
		item := slices.IndexFunc(d.Content.Items, func(i packet.Item) bool { return i.Place == r.Place })
		if item < 0 {
			return nil, errDecode
		}
		o := r.Rule.Outline()
		list = append(list, preparedRule{item, string(encodeRule(r.Rule)), string(o.Append(nil)), o.Rare()})
	}
	return list, nil
}

// encodeRule writes a rule as lengths and texts.
func encodeRule(r deadend.Rule) []byte {
	out := []byte{0}
	if r.Derived {
		out[0] = 1
	}
	for _, text := range []string{r.Words, r.Path, r.Command, r.Confidence} {
		out = appendText(out, text)
	}
	if r.Adds != "" {
		out = appendText(out, r.Adds)
	}
	return out
}

// appendRules writes rules behind some bytes.
func appendRules(out []byte, rules []preparedRule) []byte {
	out = binary.AppendUvarint(out, uint64(len(rules)))
	for _, r := range rules {
		out = binary.AppendUvarint(out, uint64(r.item)) //nolint:gosec // It is the place in a list.
		out = appendText(appendText(out, r.text), r.outline)
		out = binary.AppendUvarint(out, uint64(len(r.rare)))
		for _, trait := range r.rare {
			out = binary.AppendUvarint(out, uint64(trait))
		}
	}
	return out
}

// readRules reads the rules of the items of a record.
func (r *record) readRules() (rules []preparedRule, err error) {
	d := decoder{rest: r.rules}
	for range d.decodeCount() {
		r := preparedRule{item: d.atMost(len(r.head.Items) - 1), text: d.decodeText(), outline: d.decodeText()}
		for range d.decodeCount() {
			r.rare = append(r.rare, deadend.Trait(d.atMost(math.MaxUint32)))
		}
		rules = append(rules, r)
	}
	if d.bad || d.rest != "" {
		return nil, errDecode
	}
	return rules, nil
}

// decodeRule reads what encodeRule wrote.
func decodeRule(data string) (deadend.Rule, error) {
	d := decoder{rest: data}
	r := deadend.Rule{Derived: d.decodeByte() != 0}
	for _, text := range []*string{&r.Words, &r.Path, &r.Command, &r.Confidence} {
		*text = d.decodeText()
	}
	if d.rest != "" {
		r.Adds = d.decodeText()
	}
	if d.bad || d.rest != "" {
		return deadend.Rule{}, errDecode
	}
	return r, nil
}

// Rules returns the rules that an action with some traits may meet, at most so many: those of which it has most,
// and of equal ones those of the newest records. They come in the order of their records, the newest first. Of
// few signers it leaves out what others put here; nil is anybody.
func (x *Index) Rules(ctx context.Context, traits deadend.Traits, signers []string,
	limit int,
) (hits []RuleHit, err error) {
	var sorts []int64
	if signers != nil {
		sorts = (&asked{Query: Query{Signers: signers}}).sortLists(nil)
	}
	err = x.withSnapshot(ctx, "find rules in index", func(s *snapshot) error {
		hits = nil
		met := map[*segment]map[ruleAt]int{} // how much of a rule the action has
		var weights []int
		left := view.MostCompared
		for _, seg := range s.segments {
			of := map[ruleAt]int{}
			among, err := seg.recordsOf(sorts)
			if err == nil && (among == nil || len(among) > 0) {
				err = seg.Rules(traits, among, &left, func(r view.Rule) bool {
					at := ruleAt{r.Record, r.Item}
					of[at] = max(of[at], r.Weight)
					return true
				})
			}
			if err != nil {
				return err
			}
			// Of equal rules of a segment as many are enough: it has its records in their order.
			best := slices.SortedFunc(maps.Keys(of), func(a, b ruleAt) int {
				return cmp.Or(of[b]-of[a], b.record-a.record, a.item-b.item)
			})
			for _, at := range best[min(len(best), limit):] {
				delete(of, at)
			}
			met[seg] = of
			weights = slices.AppendSeq(weights, maps.Values(of))
		}
		slices.SortFunc(weights, func(a, b int) int { return b - a })
		least, above := 0, len(weights)
		if len(weights) > limit {
			least = weights[limit-1]
			above = slices.Index(weights, least)
		}
		equal := limit - above // how many of the least are taken
		var all []*newest
		for seg, rules := range met {
			c := &newest{segment: seg}
			for at, weight := range rules {
				if weight >= least {
					c.numbers = append(c.numbers, at.record)
				}
			}
			slices.Sort(c.numbers)
			c.numbers = slices.Compact(c.numbers)
			all = append(all, c)
		}
		return mergeNewest(all, func(seg *segment, r *record) (more bool, err error) {
			rules, err := r.readRules()
			for _, rule := range rules {
				weight, ok := met[seg][ruleAt{r.n, rule.item}]
				switch {
				case !ok || weight < least || weight == least && equal == 0:
					continue
				case weight == least:
					equal--
				default:
					above--
				}
				decoded, err := decodeRule(rule.text)
				if err != nil {
					return false, err
				}
				hits = append(hits, RuleHit{r.head.hitOf(r.Ref, rule.item), decoded})
			}
			return above > 0 || equal > 0, err
		})
	})
	return hits, err
}

// ruleAt is a rule of a segment: the number of its record, and its item.
type ruleAt struct{ record, item int }
