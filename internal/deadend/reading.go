package deadend

import (
	"maps"
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
	text string
	mark mark
	done bool // the action does it: it is new, and stands in no comment
}

// reading is an action as far as its words matter: where each word stands.
type reading struct {
	places   map[string][]occurrence
	around   map[string]occurrence // of an edit: words of its paths, and behind a "-" those that it takes out
	installs map[string]taken      // packages that are taken into use, by their keys
	paths    []string              // that a prompt wants to be changed
	said     strings.Builder       // what is written or done, see literal
	at       int
	pieces   int
	edit     bool
}

func newReading() *reading { return &reading{places: make(map[string][]occurrence)} }

// anyNumber is the key under which every number stands.
const anyNumber = "#"

// add notes a word between two blanks and all its parts.
func (r *reading) add(word string, m mark, done bool) {
	if m == ignored {
		return
	}
	for _, p := range pieces(word) {
		if r.pieces++; r.pieces > maxPieces {
			return
		}
		o := occurrence{at: r.at, text: p.text, mark: m, done: done}
		r.note(p.key, o)
		if p.kind == numberPiece {
			r.note(anyNumber, o)
			if first, _, ok := strings.Cut(p.key, "."); ok && strings.Count(p.key, ".") > 1 {
				r.note(first, o)
			}
		}
		if p.kind == numberPiece || p.kind == flagPiece || p.kind == plainPiece && !isStop(p) {
			r.at++
		}
	}
}

func (r *reading) note(key string, o occurrence) {
	if o.mark == away {
		key = "!" + key
	}
	if had := r.places[key]; len(had) < maxOccurrences {
		r.places[key] = append(had, o)
	}
}

// say notes what is written or done.
func (r *reading) say(line string) {
	if r.said.Len() < maxText {
		r.said.WriteString(literal(line) + " ")
	}
}

// near says whether a number, or a word of a list, stands between two places.
func (r *reading) near(low, high int, list string) bool {
	keys := []string{anyNumber}
	if list != anyNumber {
		keys = slices.Collect(maps.Keys(lexicon()[list]))
	}
	return slices.ContainsFunc(keys, func(key string) bool {
		return slices.ContainsFunc(r.places[key], func(o occurrence) bool { return low <= o.at && o.at <= high })
	})
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
		r.say(strings.Join(c.words, " "))
		if len(c.writes) > 0 || len(chains) > 0 && writes(chains[len(chains)-1]) {
			for line := range strings.Lines(c.body) {
				if _, comment := commentWords(strings.TrimSpace(line)); !comment {
					r.say(line)
					r.noteImport(strings.TrimSpace(line))
				}
			}
		}
		m := meant
		for _, word := range slices.Concat(c.assigns, c.words) {
			if isListed("away", Stem(word)) {
				m = away
			}
			for w := range strings.FieldsSeq(word) {
				r.add(w, m, true)
			}
		}
		r.at += paragraphGap
	}
	return r
}
