package index

import (
	"cmp"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/deadend"
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
	traits  map[deadend.Trait][]byte
	words   postings
	lengths []byte // lengths are those of the items.
	items   []byte // items says where each stands.
}

// writeSegment writes the segment.
func (b *builder) writeSegment(out io.Writer) (view.Root, error) {
	slices.SortFunc(b.records, func(x, y prepared) int {
		return cmp.Or(cmp.Compare(x.at, y.at), strings.Compare(x.Ref, y.Ref))
	})
	l := lists{
		marks: map[string][]int{}, sorts: map[string][]int{}, counts: map[string]int{},
		times:  [2]map[string]int{{}, {}},
		traits: map[deadend.Trait][]byte{}, words: postings{places: map[string]int{}},
	}
	b.items, b.length = 0, 0
	for n := range b.records {
		if err := b.listRecord(&l, n); err != nil {
			return view.Root{}, err
		}
	}
	w := view.NewWriter(out)
	// In the order of what the keys begin with.
	for _, write := range []func(*view.Writer) error{
		func(w *view.Writer) error { return writeNumber(w, "", l.times[0]) },
		func(w *view.Writer) error { return writeNumber(w, "", l.times[1]) },
		b.writeRecords,
		func(w *view.Writer) error { return writeNumber(w, keyOf(keyCount, ""), l.counts) },
		func(w *view.Writer) error { return w.Add(keyOf(keyLengths, ""), l.lengths) },
		func(w *view.Writer) error { return writeNumbers(w, keyOf(keyMark, ""), l.marks) },
		l.writeItems,
		b.writeRefs,
		func(w *view.Writer) error { return writeNumbers(w, "", l.sorts) },
		l.words.writePostings,
		b.writeWords,
		l.writeTraits,
	} {
		if err := write(w); err != nil {
			return view.Root{}, err
		}
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
	counts, rules, err := r.readMore()
	if err != nil {
		return err
	}
	for _, mark := range r.head.recordMarks() {
		if list := l.marks[mark]; len(list) == 0 || list[len(list)-1] != n {
			l.marks[mark] = append(list, n)
		}
	}
	for _, sort := range r.head.sortNames(counts) {
		key := sortKey(sort) + string([]byte{^byte(n / sortPart)}) //nolint:gosec // A segment has few parts.
		l.sorts[key] = append(l.sorts[key], n)
	}
	for _, name := range r.head.counterNames(counts) {
		l.counts[name]++
	}
	if !r.head.expires.IsZero() {
		l.times[1][timeKey(keyExpires, r.head.expires, n)] = n
	}
	for _, rule := range rules {
		for _, trait := range rule.rare {
			value := binary.AppendUvarint(binary.AppendUvarint(l.traits[trait], uint64(n)),
				uint64(rule.item)) //nolint:gosec // Places in lists.
			l.traits[trait] = appendText(value, rule.outline)
		}
	}
	if len(r.head.items) == 0 {
		return nil
	}
	l.times[0][timeKey(keyMade, r.head.created, n)] = n
	words, err := parseWords(r.words, len(r.head.items))
	if err != nil {
		return err
	}
	for i := range slices.Backward(r.head.items) { // Of equal items the last of a segment is the best.
		lines := words.linesOf(i, r.head.items[0].kind)
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

// writeNumber writes numbers below keys.
func writeNumber(w *view.Writer, before string, all map[string]int) error {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if err := w.Add(before+key, binary.AppendUvarint(nil, uint64(all[key]))); err !=
			nil { //nolint:gosec // They are counts.
			return err
		}
	}
	return nil
}

// writeNumbers writes lists of numbers below keys.
func writeNumbers(w *view.Writer, before string, all map[string][]int) error {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if err := w.Add(before+key, appendNumbers(nil, all[key])); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) writeRecords(w *view.Writer) error {
	var value []byte
	for n, p := range b.records {
		value = append(appendText(appendText(appendText(value[:0], p.Ref), p.recordName()), p.Object), p.body...)
		if err := w.Add(numberKey(keyRecord, n), value); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) writeWords(w *view.Writer) error {
	for n, p := range b.records {
		if p.words == "" {
			continue
		}
		if err := w.Add(numberKey(keyWords, n), []byte(p.words)); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) writeRefs(w *view.Writer) error {
	order := make([]int, len(b.records))
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(x, y int) int {
		return strings.Compare(b.records[x].recordName(), b.records[y].recordName())
	})
	for _, n := range order {
		if err := w.Add(keyOf(keyRef, b.records[n].recordName()),
			appendStored(nil, n, b.records[n].Listed)); err != nil {
			return err
		}
	}
	return nil
}

func (l *lists) writeTraits(w *view.Writer) error {
	for _, trait := range slices.Sorted(maps.Keys(l.traits)) {
		if err := w.Add(view.TraitKey(trait), l.traits[trait]); err != nil {
			return err
		}
	}
	return nil
}

func (l *lists) writeItems(w *view.Writer) error {
	part := 0
	for data := range slices.Chunk(l.items, itemsPart*itemBytes) {
		if err := w.Add(numberKey(keyItems, part), data); err != nil {
			return err
		}
		part++
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

func (t *postings) writePostings(w *view.Writer) error {
	for _, word := range slices.Sorted(maps.Keys(t.places)) {
		p := &t.lists[t.places[word]]
		p.endList()
		if err := w.Add(keyOf(keyTerm, word),
			append(binary.AppendUvarint(nil, uint64(p.items)), p.data...)); err !=
			nil { //nolint:gosec // It is a count.
			return err
		}
	}
	return nil
}
