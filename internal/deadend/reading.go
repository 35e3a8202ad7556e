package deadend

import (
	"cmp"
	"slices"
	"strings"
)

// The bounds of what is read of an action.
const (
	maxText        = 256 << 10 // bytes of a text
	maxPieces      = 40_000    // words and parts of words
	maxOccurrences = 64        // of one word
)

// How far apart words count that stand in two sentences, or two paragraphs.
const (
	sentenceGap  = 2
	paragraphGap = 6
)

// mark says how the author of a text means a word.
type mark int

const (
	meant    mark = iota
	away          // not done, or done away with: "without X", "do not X", "remove X"
	beside        // what is done instead of it: "instead of X"
	replaced      // what something else takes the place of: "replace X by Y"
	ignored       // asked about or reported, not done
)

// occurrence is one place of a word.
type occurrence struct {
	at   int // in words that count
	word int // in words between blanks
	text string
	more []string // of a name that stands there in parts: the other parts
	mark mark
	talk bool // it stands in a comment
}

// reading is an action as far as its words matter: where each word stands.
type reading struct {
	places   map[string][]occurrence
	names    map[string][]occurrence // of names with parts, as far as they were looked for
	numbers  []int
	turns    []turn
	figures  []occurrence      // the numbers as they stand there
	beside   *surroundings     // of an edit
	installs map[string]string // packages that are taken into use, as they are written
	at       int
	word     int
	pieces   int
	talk     bool // what is added stands in a comment
}

// turn is a word that says up or down.
type turn struct{ at, heading int }

func newReading() *reading {
	return &reading{places: make(map[string][]occurrence), names: make(map[string][]occurrence)}
}

// add notes a word between two blanks and all its parts.
func (r *reading) add(word string, m mark) {
	r.word++
	if m == ignored {
		return
	}
	inside := 0
	for _, p := range pieces(word) {
		if r.pieces++; r.pieces > maxPieces {
			return
		}
		r.note(p.key, occurrence{at: r.at, word: r.word, text: p.text, mark: m})
		if p.kind == joinedPiece {
			inside = p.count
			continue
		}
		if p.kind == numberPiece {
			r.numbers = append(r.numbers, r.at)
			r.figures = append(r.figures, occurrence{at: r.at, word: r.word, text: p.text, mark: m})
			if first, _, ok := strings.Cut(p.key, "."); ok && strings.Count(p.key, ".") > 1 {
				r.note(first, occurrence{at: r.at, word: r.word, text: p.text, mark: m})
			}
		}
		if h := heading(p.key); h != 0 {
			r.turns = append(r.turns, turn{r.at, h})
		}
		if inside > 0 || p.kind != plainPiece || !isStop(p) {
			r.at++
		}
		inside = max(0, inside-1)
	}
}

func (r *reading) note(key string, o occurrence) {
	if o.mark == away {
		key = "!" + key
	}
	o.talk = r.talk
	if had := r.places[key]; len(had) < maxOccurrences {
		r.places[key] = append(had, o)
	}
}

// occurrencesOf returns the places of a unit of a rule: where the name stands
// whole, or where all its parts stand side by side.
func (r *reading) occurrencesOf(u unit) []occurrence {
	found := r.places[u.key]
	if len(u.parts) == 0 {
		return found
	}
	name := u.key + " " + strings.Join(u.parts, " ")
	known, ok := r.names[name]
	if !ok {
		known = r.named(found, u)
		r.names[name] = known
	}
	return known
}

// named adds the places where all parts of a name stand side by side.
func (r *reading) named(found []occurrence, u unit) []occurrence {
	for _, first := range r.places[u.parts[0]] {
		if o, ok := r.together(first, u.parts); ok {
			found = append(slices.Clip(found), o)
		}
	}
	if len(found) > 1 {
		slices.SortStableFunc(found, func(a, b occurrence) int { return cmp.Compare(a.at, b.at) })
	}
	return found
}

// together looks for the other parts of a name right beside the first one, in
// any order and with at most two words of prose between them.
func (r *reading) together(first occurrence, parts []string) (occurrence, bool) {
	low, high := first, first
	for _, part := range parts[1:] {
		near, ok := nearest(r.places[part], first.at, len(parts))
		if !ok {
			return occurrence{}, false
		}
		first.more = append(first.more, near.text)
		if near.at < low.at {
			low = near
		}
		if near.at > high.at {
			high = near
		}
	}
	return first, high.at-low.at < len(parts) && high.word-low.word < len(parts)+2
}

// nearest is the place nearest to at, but not at it.
func nearest(places []occurrence, at, within int) (occurrence, bool) {
	var best occurrence
	least := within
	for _, o := range places {
		if d := max(o.at-at, at-o.at); d > 0 && d < least {
			best, least = o, d
		}
	}
	return best, least < within
}

// numberNear says whether a number stands between two places, or a little
// outside of them.
func (r *reading) numberNear(low, high int) bool {
	i, _ := slices.BinarySearch(r.numbers, low-2)
	return i < len(r.numbers) && r.numbers[i] <= high+3
}

// turnsAgainst says whether words near say the other direction, and none says
// the same.
func (r *reading) turnsAgainst(heading, low, high int) bool {
	if heading == 0 {
		return false
	}
	i, _ := slices.BinarySearchFunc(r.turns, low-4, func(t turn, at int) int { return cmp.Compare(t.at, at) })
	against := false
	for ; i < len(r.turns) && r.turns[i].at <= high+4; i++ {
		if r.turns[i].heading == heading {
			return false
		}
		against = true
	}
	return against
}

// readCommands reads the words of the commands that do something.
func readCommands(run []shellCommand) *reading {
	r := newReading()
	for _, c := range run {
		chains := c.unwrapped()
		if len(chains) > 0 && onlyLooks(chains[len(chains)-1]) && !c.settles() {
			continue
		}
		if len(chains) > 0 {
			r.noteInstalls(chains[len(chains)-1])
		}
		m := meant
		for _, word := range slices.Concat(c.assigns, c.words) {
			if isListed("away", Stem(word)) {
				m = away
			}
			for w := range strings.FieldsSeq(word) {
				r.add(w, m)
			}
		}
		r.at += paragraphGap
	}
	return r
}
