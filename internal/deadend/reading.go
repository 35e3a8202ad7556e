package deadend

import (
	"slices"
	"strings"
)

// The bounds of what is read of an action.
const (
	maxText        = 256 << 10 // bytes of a text
	maxPieces      = 40_000    // words and parts of words
	maxOccurrences = 64        // of one word
)

// How far apart words count that stand in two sentences, or two commands.
const (
	sentenceGap = 2
	commandGap  = 6
)

// occurrence is one place of a word.
type occurrence struct {
	at   int // in words that count
	text string
	done bool // the action does it: it is new, and stands in no comment
}

// reading is an action as far as its words matter: where each word stands.
type reading struct {
	places   map[string][]occurrence
	around   map[string]occurrence // of an edit: words of its paths, and behind a "-" those that it takes out
	installs map[string]taken      // packages that are taken into use, by their keys
	paths    []string              // that a prompt wants to be changed
	said     strings.Builder       // what is written or done, see literal
	numbers  []int                 // where numbers stand
	at       int
	pieces   int
	edit     bool
}

func newReading() *reading { return &reading{places: make(map[string][]occurrence)} }

// addWord notes a word between two blanks and all its parts; one that is taken back has a key of its own.
func (r *reading) addWord(word string, away, done bool) {
	for _, p := range splitPieces(word) {
		if r.pieces++; r.pieces > maxPieces {
			return
		}
		o := occurrence{at: r.at, text: p.text, done: done}
		r.noteKey(keyOf(p.key, away), o)
		if p.kind == numberPiece {
			if len(r.numbers) < maxOccurrences {
				r.numbers = append(r.numbers, r.at)
			}
		}
		if p.kind == numberPiece || p.kind == flagPiece || p.kind == plainPiece && !isStop(p) {
			r.at++
		}
	}
}

func (r *reading) noteKey(key string, o occurrence) {
	if had := r.places[key]; len(had) < maxOccurrences {
		r.places[key] = append(had, o)
	}
}

// noteText notes what is written or done.
func (r *reading) noteText(line string) {
	if r.said.Len() < maxText {
		r.said.WriteString(foldText(line) + " ")
	}
}

// readCommands reads the words of the commands that do something.
func readCommands(run []shellCommand) *reading {
	r := newReading()
	for _, c := range run {
		chains := c.commandChain()
		if len(chains) > 0 && onlyLooks(chains[len(chains)-1]) && (len(c.writes) == 0 || onlyTells(c.writes)) {
			continue
		}
		if len(chains) > 0 {
			r.noteInstalls(chains[len(chains)-1])
		}
		r.noteText(strings.Join(c.words, " "))
		if len(c.writes) > 0 || len(chains) > 0 && writesFiles(chains[len(chains)-1]) {
			for line := range strings.Lines(c.body) {
				if line = strings.TrimSpace(line); commentIn(line) == "" {
					r.noteText(line)
				}
			}
		}
		away := false
		for _, word := range slices.Concat(c.assigns, c.words) {
			away = away || isListed("away", Stem(word))
			for w := range strings.FieldsSeq(word) {
				r.addWord(w, away, true)
			}
		}
		r.at += commandGap
	}
	return r
}
