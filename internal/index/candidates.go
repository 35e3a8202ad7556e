package index

import (
	"context"
	"database/sql"
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
func (w *weighed) candidates(ctx context.Context, db *sql.Conn) ([]candidate, error) {
	must, narrowed, err := w.required(ctx, db)
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
		rows, err := postings(ctx, db, w.ofSigners(quote(word.text)))
		if err != nil {
			return nil, err
		}
		if narrowed {
			raise(found, rows, word)
		} else {
			found = merge(found, rows, word)
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
func (w *weighed) required(ctx context.Context, db *sql.Conn) (rows []candidate, narrowed bool, err error) {
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
	quoted := make([]string, len(rarest.parts))
	for i, part := range rarest.parts {
		quoted[i] = quote(part)
	}
	list, err := postings(ctx, db, w.ofSigners(strings.Join(quoted, " AND ")))
	return merge(nil, list, word{}), true, err
}

// postings returns the items that match, in rising order. They come as one text, since to fetch them one by one takes
// longer than to find them.
func postings(ctx context.Context, db *sql.Conn, match string) ([]int64, error) {
	var text sql.RawBytes
	rows, err := db.QueryContext(ctx, "SELECT group_concat(rowid, ' ') FROM find WHERE find MATCH ?", match)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Whatever went wrong is in Err.
	var list []int64
	for rows.Next() {
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = parseRows(text)
	}
	return list, rows.Err()
}

// parseRows reads numbers with spaces between them.
func parseRows(text []byte) []int64 {
	list := make([]int64, 0, len(text)/7+1)
	var n int64
	for _, c := range text {
		if c == ' ' {
			list = append(list, n)
			n = 0
			continue
		}
		n = n*10 + int64(c-'0')
	}
	if len(text) > 0 {
		list = append(list, n)
	}
	return list
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

// merge adds what a word weighs to the candidates that have it, and takes in those that were none before.
func merge(found []candidate, rows []int64, by word) []candidate {
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
func (w *weighed) rate(ctx context.Context, db *sql.Conn, found []candidate) error {
	m := norms{db: db}
	for i := range found {
		length, tie, err := m.at(ctx, found[i].row)
		if err != nil {
			return err
		}
		found[i].score *= w.saturate(1, lengthOf(length))
		found[i].tie = tie
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
// them came first to the database must not matter.
func upTo(found []candidate, n int) int {
	for n < len(found) && found[n].equal(found[n-1]) {
		n++
	}
	return min(n, len(found))
}
