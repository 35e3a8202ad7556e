package index

import (
	"cmp"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/view"
)

// builder gathers the records of a segment.
type builder struct {
	records []prepared
	bytes   int // bytes is about how long the records are.
	items   int
	length  int
}

// lists are what a segment says of all its records, by keys.
type lists struct {
	marks, sorts map[string][]int
	// times are the numbers of the records by when they were made, and by when they end.
	times   [2]map[string]int
	counts  map[string]int
	rules   []placedRule
	words   postings
	lengths []byte // lengths are those of the items.
	items   []byte // items says where each stands.
}

// placedRule is a rule and the number of its record.
type placedRule struct {
	preparedRule

	record int
}

// rulesPart is about how many bytes of rules share a value.
const rulesPart = 32 << 10

// listRules returns the parts of the rules, and those of each rare trait, the newest first.
func (l *lists) listRules() (parts [][]byte, traits map[deadend.Trait][]byte) {
	traits = map[deadend.Trait][]byte{}
	for _, r := range slices.Backward(l.rules) {
		if last := len(parts) - 1; last < 0 || len(parts[last]) > rulesPart {
			parts = append(parts, nil)
		}
		last := len(parts) - 1
		parts[last] = view.AppendRule(parts[last], r.record, r.item, r.outline)
		for _, trait := range r.rare {
			traits[trait] = view.AppendRule(traits[trait], r.record, r.item, r.outline)
		}
	}
	return parts, traits
}

// writeSegment writes the segment.
func (b *builder) writeSegment(out io.Writer) (view.Root, error) {
	slices.SortFunc(b.records, func(x, y prepared) int {
		return cmp.Or(cmp.Compare(x.at, y.at), strings.Compare(x.Ref, y.Ref))
	})
	l := lists{
		marks: map[string][]int{}, sorts: map[string][]int{}, counts: map[string]int{},
		times: [2]map[string]int{{}, {}},
		words: postings{places: map[string]int{}},
	}
	b.items, b.length = 0, 0
	for n := range b.records {
		if err := b.listRecord(&l, n); err != nil {
			return view.Root{}, err
		}
	}
	w := view.NewWriter(out)
	var err error
	add := func(key string, value []byte) {
		if err == nil {
			err = w.Add(key, value)
		}
	}
	count := func(n int) []byte {
		return binary.AppendUvarint(nil, uint64(n)) //nolint:gosec // It is no less than 0.
	}
	for _, times := range l.times {
		for _, key := range slices.Sorted(maps.Keys(times)) {
			add(key, count(times[key]))
		}
	}
	var value []byte
	for n, p := range b.records {
		value = appendText(appendText(appendText(value[:0], p.Ref), p.recordName()), p.version())
		value = append(value, p.body...)
		add(numberKey(keyRecord, n), value)
	}
	for _, name := range slices.Sorted(maps.Keys(l.counts)) {
		add(keyOf(keyCount, name), count(l.counts[name]))
	}
	add(keyOf(keyLengths, ""), l.lengths)
	for _, mark := range slices.Sorted(maps.Keys(l.marks)) {
		add(keyOf(keyMark, mark), appendNumbers(nil, l.marks[mark]))
	}
	part := 0
	for data := range slices.Chunk(l.items, itemsPart*itemBytes) {
		add(numberKey(keyItems, part), data)
		part++
	}
	parts, traits := l.listRules()
	for part, rules := range parts {
		add(view.RulesKey(part), rules)
	}
	order := make([]int, len(b.records))
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(x, y int) int {
		return strings.Compare(b.records[x].recordName(), b.records[y].recordName())
	})
	for _, n := range order {
		at := b.records[n].Listed
		value := appendText(count(n), strings.TrimSuffix(at.Ref, at.recordName()))
		add(keyOf(keyRef, at.recordName()), append(value, at.version()...))
	}
	for _, sort := range slices.Sorted(maps.Keys(l.sorts)) {
		add(sort, appendNumbers(nil, l.sorts[sort]))
	}
	for _, word := range slices.Sorted(maps.Keys(l.words.places)) {
		p := &l.words.lists[l.words.places[word]]
		p.endList()
		add(keyOf(keyTerm, word), append(count(p.items), p.data...))
	}
	for n, p := range b.records {
		if p.words != "" {
			add(numberKey(keyWords, n), []byte(p.words))
		}
	}
	for _, trait := range slices.Sorted(maps.Keys(traits)) {
		add(view.TraitKey(trait), traits[trait])
	}
	if err != nil {
		return view.Root{}, err
	}
	return w.Close()
}

// listRecord notes what a record has: marks, sorts, rules, and the words of its items. What holds for the
// whole record stands with its first item.
func (b *builder) listRecord(l *lists, n int) error {
	r, err := readBody(n, b.records[n])
	if err != nil {
		return err
	}
	rules, err := r.readRules()
	if err != nil {
		return err
	}
	for _, mark := range r.head.recordMarks() {
		if list := l.marks[mark]; len(list) == 0 || list[len(list)-1] != n {
			l.marks[mark] = append(list, n)
		}
	}
	for _, sort := range r.head.sortNames() {
		key := sortKey(sort) + string([]byte{^byte(n / sortPart)}) //nolint:gosec // A segment has few parts.
		l.sorts[key] = append(l.sorts[key], n)
	}
	for _, name := range r.head.counters() {
		l.counts[name]++
	}
	if !r.head.ExpiresAt.IsZero() {
		l.times[1][timeKey(keyExpires, r.head.ExpiresAt, n)] = n
	}
	for _, rule := range rules {
		l.rules = append(l.rules, placedRule{rule, n})
	}
	if len(r.head.Items) == 0 {
		return nil
	}
	l.times[0][timeKey(keyMade, r.head.CreatedAt, n)] = n
	words := strings.Split(r.words, "\n") // Two lines of the record, and two of each item.
	if items := len(r.head.Items); len(words) != 2*items+2 || words[2*items+1] != "" {
		return errDecode
	}
	for i := range slices.Backward(r.head.Items) { // Of equal items the last of a segment is the best.
		// An item is found by its own lines, and by what holds for the whole record, as does the goal with which
		// one begins.
		lines := []string{words[2*i+1], words[2*i+2], words[0]}
		if i > 0 && r.head.Items[0].Kind == packet.ItemGoal {
			lines = append(lines, words[1])
		}
		for _, line := range lines {
			l.words.countWords(b.items, line)
		}
		// Is the length of an item: of what it says and what holds for its record, and half of its
		// reason.
		shared := countPlaces(lines[2])
		length := shared + countPlaces(lines[0]) + countPlaces(lines[1])/2
		for _, goal := range lines[3:] {
			length = max(length, (shared+countPlaces(goal))*9/8+1)
		}
		l.lengths = append(l.lengths, quantiseLength(length))
		l.items = binary.BigEndian.AppendUint16(l.items,
			uint16(n)) //nolint:gosec // A segment has fewer records.
		l.items = binary.BigEndian.AppendUint16(l.items,
			uint16(i)) //nolint:gosec // And a record fewer items.
		b.items++
		b.length += length
	}
	return nil
}

// postings says in which items words stand.
type postings struct {
	places map[string]int // places are those of the words in lists.
	lists  []posting
}

// posting is the items of one word, each as how far it is from the one before, twice, and one more where how
// often it stands there follows.
type posting struct {
	data  []byte
	items int
	// last is the item before, here the one whose words are counted, many how often the word stands there.
	last, here, many int
}

// endList writes the item whose words were counted.
func (p *posting) endList() {
	if p.many == 0 {
		return
	}
	step := uint64(p.here-p.last) << 1 //nolint:gosec // It rises.
	if p.many > 1 {
		p.data = binary.AppendUvarint(binary.AppendUvarint(p.data, step|1),
			uint64(p.many)) //nolint:gosec // It is a count.
	} else {
		p.data = binary.AppendUvarint(p.data, step)
	}
	p.items++
	p.last, p.many = p.here, 0
}

// countWords takes in the words of a line of an item.
func (t *postings) countWords(item int, line string) {
	for line != "" {
		var word string
		word, line, _ = strings.Cut(line, " ")
		word = strings.TrimPrefix(word, string(nameMark))
		at, ok := t.places[word]
		if !ok {
			at = len(t.lists)
			t.places[word] = at
			t.lists = append(t.lists, posting{last: -1})
		}
		p := &t.lists[at]
		if p.here != item {
			p.endList()
			p.here = item
		}
		p.many++
	}
}
