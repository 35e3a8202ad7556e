package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/packet"
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

// preparedRule is a rule as it goes into the database.
type preparedRule struct {
	item    int
	text    []byte
	outline []byte
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
		list = append(list, preparedRule{item, encodeRule(r.Rule), o.Append(nil), o.Rare()})
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
	return out
}

// decodeRule reads what encodeRule wrote.
func decodeRule(data string) (deadend.Rule, error) {
	d := decoder{rest: data}
	r := deadend.Rule{Derived: d.byte() != 0}
	for _, text := range []*string{&r.Words, &r.Path, &r.Command, &r.Confidence} {
		*text = d.text()
	}
	if d.bad || d.rest != "" {
		return deadend.Rule{}, errDecode
	}
	return r, nil
}

// addRules writes the rules of a record, and the traits by which they are found.
func (w *writer) addRules(ctx context.Context, n int64, p *prepared) error {
	for _, r := range p.rules {
		row := n + int64(r.item)
		if err := w.exec(ctx, "INSERT INTO rule VALUES (?, ?)", row, r.text); err != nil {
			return err
		}
		for _, trait := range r.rare {
			if err := w.exec(ctx, "INSERT INTO trait VALUES (?, ?, ?)", int64(trait), row, r.outline); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeRules takes the rules of a record out, with their traits.
func (w *writer) removeRules(ctx context.Context, n int64, items int) error {
	for row := n; row < n+int64(items); row++ {
		var text string
		err := each(ctx, w.db, func(scan func(...any) error) error { return scan(&text) }, "SELECT text FROM rule WHERE row = ?", row)
		if err != nil {
			return err
		}
		if text == "" {
			continue
		}
		rule, err := decodeRule(text)
		if err != nil {
			return err
		}
		for _, trait := range rule.Outline().Rare() {
			if err := w.exec(ctx, "DELETE FROM trait WHERE sum = ? AND row = ?", int64(trait), row); err != nil {
				return err
			}
		}
		if err := w.exec(ctx, "DELETE FROM rule WHERE row = ?", row); err != nil {
			return err
		}
	}
	return nil
}

// mostOutlined is how many rules are compared by their outlines: those that came in last of those that have a rare trait.
const mostOutlined = 20_000

// Rules returns the rules that an action with some traits may meet, at most so many: those that came in last.
func (x *Index) Rules(ctx context.Context, traits deadend.Traits, limit int) (hits []RuleHit, err error) {
	err = x.do(ctx, "find rules in index", func(db *sql.Conn) error {
		rows, err := outlined(ctx, db, traits)
		if err != nil || len(rows) == 0 {
			return err
		}
		hits, err = rulesOf(ctx, db, rows[:min(len(rows), limit)])
		return err
	})
	return hits, err
}

// outlined are the rules that an action may meet by their outlines, the last first. The outline stands with each of its rare
// traits, so that rules which are not met cost one look.
func outlined(ctx context.Context, db *sql.Conn, traits deadend.Traits) (rows []int64, err error) {
	list, _ := json.Marshal(traits.All()) // Numbers always have a form.
	err = each(ctx, db, func(scan func(...any) error) error {
		var row int64
		var data sql.RawBytes
		if err := scan(&row, &data); err != nil {
			return err
		}
		may, ok := deadend.Kept(data).MayMeet(traits)
		if !ok {
			return errDecode
		}
		if may {
			rows = append(rows, row)
		}
		return nil
	}, "SELECT t.row, t.outline FROM json_each(?) j CROSS JOIN trait t ON t.sum = j.value LIMIT ?", string(list), mostOutlined)
	slices.SortFunc(rows, func(a, b int64) int { return int(b - a) })
	return slices.Compact(rows), err
}

// rulesOfRows finds the rules of some items, with their records.
const rulesOfRows = `SELECT u.row - r.n, u.text, r.ref, r.items, r.head FROM json_each(?) j
	CROSS JOIN rule u ON u.row = j.value JOIN record r ON r.n = (SELECT max(n) FROM record WHERE n <= u.row)`

// rulesOf reads some rules.
func rulesOf(ctx context.Context, db *sql.Conn, rows []int64) (hits []RuleHit, err error) {
	list, _ := json.Marshal(rows) // Numbers always have a form.
	err = each(ctx, db, func(scan func(...any) error) error {
		var text, ref, headText sql.RawBytes
		var item, items int
		if err := scan(&item, &text, &ref, &items, &headText); err != nil {
			return err
		}
		h, err := decodeHead(string(headText))
		if err != nil || len(h.items) != items || item >= items {
			return errDecode
		}
		rule, err := decodeRule(string(text))
		hits = append(hits, RuleHit{h.hit(string(ref), item), rule})
		return err
	}, rulesOfRows, string(list))
	return hits, err
}
