package index

import (
	"math"
	"slices"
	"strings"
)

// mostPostings is how many items are looked at to find candidates, unless the rarest word alone has more.
const mostPostings = 60_000

// candidate is an item that may be a hit, with what its words weigh.
type candidate struct {
	row   int64
	score float64
	most  float64 // most is what the units weigh of which it has a word.
	tie   byte
}

// candidates finds the items that have the rarer words of a query. Common words count only where there are no rarer ones:
// they are judged later, with the words of each candidate at hand.
func (w *weighed) candidates(s *snapshot) ([]candidate, error) {
	must, narrowed, err := w.required(s)
	if err != nil || narrowed && len(must) == 0 {
		return nil, err
	}
	found := must
	left, least := mostPostings, w.needed()
	words := w.drivers()
	rest := 0.0 // rest is the most that the words weigh which are not looked for yet.
	for _, word := range words {
		rest += word.most
	}
	for i, word := range words {
		if word.items > left && (i > 0 || narrowed) || !narrowed && rest < least {
			break
		}
		left -= word.items
		rest -= word.most
		rows, err := w.rows(s, word)
		if err != nil {
			return nil, err
		}
		if narrowed {
			raise(found, rows, word)
		} else {
			found = merged(found, rows, word)
		}
	}
	if narrowed {
		return found, nil
	}
	return slices.DeleteFunc(found, func(c candidate) bool { return c.most+rest < least }), nil
}

// needed is what the units weigh of which one item of a record has words, at least, so that the record is looked at: with a floor,
// so much that the item would reach it by itself if it said each word twice. What reaches it only by what is said elsewhere in the
// record may be missed. Names of paths raise items of little weight.
func (w *weighed) needed() float64 {
	if w.Floor <= 0 || len(w.paths) > 0 {
		return 0
	}
	return math.Atanh(min(w.Floor, 1)) / steepness * w.total / w.saturate(2, 0)
}

// drivers are the words that find candidates, the rarest first.
func (w *weighed) drivers() []word {
	var list []word
	seen := map[string]bool{}
	for _, u := range w.units {
		for _, text := range slices.Concat(u.parts, u.names, []string{u.whole}) {
			if text != "" && !seen[text] && w.known[w.ids[text]].items > 0 {
				seen[text] = true
				list = append(list, w.known[w.ids[text]])
			}
		}
	}
	slices.SortFunc(list, func(a, b word) int {
		if a.items != b.items {
			return a.items - b.items
		}
		return strings.Compare(a.text, b.text)
	})
	return list
}

// required finds the items that have all words of the rarest phrase.
func (w *weighed) required(s *snapshot) (rows []candidate, narrowed bool, err error) {
	var rarest *unit
	for i := range w.units {
		u := &w.units[i]
		if u.phrase && (rarest == nil || w.weight(*u) > w.weight(*rarest)) {
			rarest = u
		}
	}
	if rarest == nil {
		return nil, false, nil
	}
	if !w.isKnown(*rarest) {
		return nil, true, nil
	}
	var both []int64
	for i, part := range rarest.parts {
		list, err := w.rows(s, w.known[w.ids[part]])
		if err != nil {
			return nil, false, err
		}
		if i > 0 {
			list = slices.DeleteFunc(list, func(row int64) bool {
				_, ok := slices.BinarySearch(both, row)
				return !ok
			})
		}
		both = list
	}
	return merged(nil, both, word{}), true, nil
}

// rows returns the items that have a word, in rising order: those of the signers that are asked for.
func (w *weighed) rows(s *snapshot, word word) ([]int64, error) {
	all := make([]int64, 0, word.items)
	for i, list := range word.lists {
		seg, last := s.segments[i], int64(-1)
		for d := (decoder{rest: list}); d.rest != ""; {
			step := d.number()
			if step&1 != 0 { // It stands there more than once.
				d.number()
			}
			if last += int64(step >> 1); d.bad || step < 2 || last >= int64(seg.Items) || last < 0 {
				return nil, errDecode
			}
			all = append(all, seg.first+last)
		}
	}
	if w.Signers == nil {
		return all, nil
	}
	return w.ofSigners(s, all)
}

// ofSigners leaves out the items that none of the signers who are asked for put here.
func (w *weighed) ofSigners(s *snapshot, rows []int64) ([]int64, error) {
	kept := items{snapshot: s}
	var asked []bool // asked are the signers of the segment that are asked for.
	var of *segment
	some := rows[:0]
	for _, row := range rows {
		item, err := kept.at(row)
		if err != nil {
			return nil, err
		}
		if of != kept.segment {
			of = kept.segment
			signers, err := of.signers()
			if err != nil {
				return nil, err
			}
			asked = asked[:0]
			for _, signer := range signers {
				asked = append(asked, slices.Contains(w.Signers, signer))
			}
		}
		if item.signer >= len(asked) {
			return nil, errDecode
		}
		if asked[item.signer] {
			some = append(some, row)
		}
	}
	return some, nil
}

// raise adds what a word weighs to those candidates that have it.
func raise(found []candidate, rows []int64, by word) {
	i := 0
	for _, row := range rows {
		for i < len(found) && found[i].row < row {
			i++
		}
		if i < len(found) && found[i].row == row {
			found[i].score += by.idf
		}
	}
}

// merged adds what a word weighs to the candidates that have it, and takes in those that were none before.
func merged(found []candidate, rows []int64, by word) []candidate {
	out := make([]candidate, 0, len(found)+len(rows))
	for _, row := range rows {
		for len(found) > 0 && found[0].row < row {
			out = append(out, found[0])
			found = found[1:]
		}
		if len(found) > 0 && found[0].row == row {
			out = append(out, candidate{row: row, score: found[0].score + by.idf, most: found[0].most + by.most})
			found = found[1:]
			continue
		}
		out = append(out, candidate{row: row, score: by.idf, most: by.most})
	}
	return append(out, found...)
}

// rate says how promising each candidate is: what its words weigh, and of equal ones the shorter.
func (w *weighed) rate(s *snapshot, found []candidate) error {
	kept := items{snapshot: s}
	for i := range found {
		item, err := kept.at(found[i].row)
		if err != nil {
			return err
		}
		found[i].score *= w.saturate(1, lengthOf(item.length))
		found[i].tie = item.tie
	}
	return nil
}

// sortCandidates puts the most promising candidates first.
func sortCandidates(found []candidate) {
	slices.SortFunc(found, func(a, b candidate) int {
		if a.score != b.score {
			return compareFloat(b.score, a.score)
		}
		return int(a.tie) - int(b.tie)
	})
}

// bestOf returns the n most promising candidates in their order, and those that are alike to the last of them. Of many only
// a few are ever sorted.
func bestOf(found []candidate, n int) []candidate {
	kept := make([]candidate, 0, 4*n)
	worst := math.Inf(-1) // worst is the score that a candidate needs at least.
	for _, c := range found {
		if c.score < worst {
			continue
		}
		if len(kept) == cap(kept) {
			sortCandidates(kept)
			kept = kept[:upTo(kept, n)]
			worst = kept[len(kept)-1].score
			kept = slices.Grow(kept, 4*n)
		}
		kept = append(kept, c)
	}
	sortCandidates(kept)
	return kept[:upTo(kept, n)]
}

// equal reports whether two candidates are alike to order.
func (c candidate) equal(other candidate) bool { return c.score == other.score && c.tie == other.tie }

// upTo returns how many candidates to take so that at least n are taken and no two that are alike are torn apart: which of
// them came first must not matter.
func upTo(found []candidate, n int) int {
	for n < len(found) && found[n].equal(found[n-1]) {
		n++
	}
	return min(n, len(found))
}
