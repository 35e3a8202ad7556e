package briefing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/rank"
)

// Answer is what is known about a question, the best first.
type Answer struct {
	Known  []Ranked
	To     provenance.Audience // who reads it
	More   int                 // answers beyond the limit
	Now    time.Time           // required
	Nonce  string              // required: random for each answer
	Budget int                 // characters of the whole answer; zero is no bound

	Explain bool // also what each score is made of

	Unknown []Spelling // words of the question that no record has, where nothing was found with them
	Instead string     // the question that is answered in place of one with such words
}

// Spelling is a word that no record has, and words of records that are near to it; it is its JSON shape too.
type Spelling struct {
	Word string   `json:"word"`
	Near []string `json:"near"`
}

// Ranked is an answer and why it has its rank.
type Ranked struct {
	Known

	Met     []string // the words of the question that it meets
	Score   float64
	Weak    bool          // it may have met them by chance
	Factors []rank.Factor // what the score is made of

	rank int // from 1
}

// Markdown writes the answer for a reader, human or not. What does not fit the budget is left out whole, and
// where nothing fits, nothing is written.
func (a Answer) Markdown() string {
	kept := keepWhole(a.withRanks(), a.fitsMarkdown)
	if len(kept) == 0 {
		return ""
	}
	return a.writeMarkdown(kept)
}

// Fit leaves out what does not fit the budget of an answer in Markdown, so that the caller knows what is
// told. Where not even one fits, the best is shortened.
func (a Answer) Fit() Answer {
	kept := keepFitting(a.withRanks(), func(k Ranked, columns int) Ranked {
		k.Known = k.Known.shortenKnown(columns)
		return k
	}, a.fitsMarkdown)
	a.More += len(a.Known) - len(kept)
	a.Known = kept
	return a
}

// fitsMarkdown tells whether some answers fit the budget in Markdown.
func (a Answer) fitsMarkdown(some []Ranked) bool {
	return a.Budget <= 0 || utf8.RuneCountInString(a.writeMarkdown(some)) <= a.Budget
}

// withRanks gives each answer its rank.
func (a Answer) withRanks() []Ranked {
	var all []Ranked
	for _, k := range a.Known {
		if k.to = a.To; k.textFor(k.Text) != "" {
			k.rank = len(all) + 1
			all = append(all, k)
		}
	}
	return all
}

func (a Answer) writeMarkdown(kept []Ranked) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<ltm-recall nonce=%q note=%q>\n", a.Nonce, DataNote)
	known := make([]Known, len(kept))
	for i, k := range kept {
		known[i] = k.Known
	}
	most := usualAbout(known, a.Now)
	if most[claim] != "" {
		fmt.Fprintf(&out, usualClaim, most[claim])
	}
	for _, k := range kept {
		it := k.fullItem(most, a.Now)
		fmt.Fprintf(&out, "| %d. %s: %s\n", k.rank, k.Kind, it.text)
		for _, n := range it.notes {
			fmt.Fprintf(&out, "|    %s: %s\n", n.label, n.text)
		}
		fmt.Fprintf(&out, "|    (%s)\n", it.from)
		how := "meets"
		if k.Weak {
			how = byChance
		}
		fmt.Fprintf(&out, "|    %s: %s\n", how, cmp.Or(cleanLine(strings.Join(k.Met, " ")), partsAlone))
		if a.Explain {
			fmt.Fprintf(&out, "|    score %.3f\n", k.Score)
		}
		for _, f := range a.shownFactors(k) {
			fmt.Fprintf(&out, "|      %s %.4f: %s\n", f.Name, f.Value, f.Why)
		}
	}
	fmt.Fprintf(&out, "</ltm-recall nonce=%q>\n", a.Nonce)
	if left := a.More + len(a.Known) - len(kept); left > 0 {
		fmt.Fprintf(&out, "\n"+moreAnswers, left)
	}
	return out.String()
}

// shownFactors are what is told of a score.
func (a Answer) shownFactors(k Ranked) []rank.Factor {
	if !a.Explain {
		return nil
	}
	all := slices.Clone(k.Factors)
	for i := range all {
		all[i].Why = cleanLine(all[i].Why)
	}
	return all
}

// AnswerJSON is the JSON form. The names are stable.
type AnswerJSON struct {
	Version int          `json:"version"`
	Note    string       `json:"note"`
	Answers []jsonRanked `json:"answers"`
	LeftOut int          `json:"left_out"`
	Unknown []Spelling   `json:"unknown,omitempty"`
	Instead string       `json:"answered_instead,omitempty"`
}

type jsonRanked struct {
	jsonKnown

	Rank    int           `json:"rank"`
	Score   float64       `json:"score"`
	Weak    bool          `json:"weak,omitempty"`
	Met     []string      `json:"met"`
	Factors []rank.Factor `json:"factors,omitempty"`
}

// JSON writes the answer as one JSON object and a line break. One that holds no answer may be longer than the
// budget: a program that asks for a value gets one.
func (a Answer) JSON() ([]byte, error) {
	return a.encodeKept(keepWhole(a.withRanks(), func(kept []Ranked) bool {
		return a.Budget <= 0 || countRunes(a.encodeKept(kept)) <= a.Budget
	}))
}

func (a Answer) encodeKept(kept []Ranked) ([]byte, error) {
	j := AnswerJSON{
		Version: FormatVersion, Note: DataNote, Answers: []jsonRanked{},
		LeftOut: a.More + len(a.Known) - len(kept), Unknown: a.Unknown, Instead: a.Instead,
	}
	for _, k := range kept {
		r := jsonRanked{
			jsonKnown: k.jsonForm(), Rank: k.rank, Score: k.Score, Weak: k.Weak,
			Factors: a.shownFactors(k), Met: []string{},
		}
		for _, m := range k.Met {
			r.Met = append(r.Met, cleanLine(m))
		}
		r.Section = ""
		j.Answers = append(j.Answers, r)
	}
	return encodeJSON(j)
}

// countRunes is how long some JSON is. What cannot be encoded fails where it is written.
func countRunes(data []byte, _ error) int { return utf8.RuneCount(data) }

func encodeJSON(v any) ([]byte, error) {
	data, err := clean.JSON(v, "  ")
	if err != nil {
		return nil, fmt.Errorf("encode what is known: %w", err)
	}
	return data, nil
}

// Warning is what is known to stand against something that is about to be done, the surest first.
type Warning struct {
	Met    []Met
	To     provenance.Audience // who reads it
	Now    time.Time           // required
	Nonce  string              // required: random for each warning
	Budget int                 // characters of the whole warning; zero is no bound
}

// Met is something that did not work, or that somebody decided not to do, and how an action meets it.
type Met struct {
	Known

	By   string   // command, path or words
	On   []string // what of the action it is met by
	Sure string   // certain, high, medium or low
}

// Fit leaves out what does not fit the budget, and cuts nothing; but where not even one fits, what the surest
// says is shortened.
func (w Warning) Fit() Warning {
	w.Met = keepFitting(w.addressMet(), func(m Met, most int) Met {
		m.Known = m.Known.shortenKnown(most)
		m.On = []string{clean.Truncate(cleanLine(strings.Join(m.On, " ")), most)}
		return m
	}, func(some []Met) bool {
		w.Met = some
		return w.Budget <= 0 || utf8.RuneCountInString(w.Markdown()) <= w.Budget
	})
	return w
}

// addressMet returns what may be shown to the reader.
func (w Warning) addressMet() []Met {
	var kept []Met
	for _, m := range w.Met {
		if m.to = w.To; m.textFor(m.Text) != "" {
			kept = append(kept, m)
		}
	}
	return kept
}

// Markdown writes the warning for the model that is about to act. Nothing met is nothing written.
func (w Warning) Markdown() string {
	met := w.addressMet()
	if len(met) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(warning)
	fmt.Fprintf(&out, "<ltm-warning nonce=%q>\n", w.Nonce)
	for _, m := range met {
		it := m.fullItem(about{}, w.Now)
		fmt.Fprintf(&out, "| %s: %s\n", m.Kind, it.text)
		for _, n := range it.notes {
			fmt.Fprintf(&out, "|   %s: %s\n", n.label, n.text)
		}
		fmt.Fprintf(&out, "|   met by %s: %s (sure: %s)\n|   (%s)\n", m.By, cleanLine(strings.Join(m.On,
			" ")),
			m.Sure, it.from)
	}
	fmt.Fprintf(&out, "</ltm-warning nonce=%q>\n", w.Nonce)
	return out.String()
}

// How many columns of a record stand in the reason of a call that is held back: 200 together.
const (
	heldText   = 60
	heldWhy    = 100
	heldAuthor = 40
)

// Held is why a call is held back.
type Held struct {
	Met

	To    provenance.Audience // who reads it
	Now   time.Time           // required
	Nonce string              // required: random for each
	Asked bool                // a person reads it, who is asked
}

// Markdown writes the reason for the model that made the call. It holds little of the record, and all of that
// between marks.
func (h Held) Markdown() string {
	h.to = h.To
	text := h.textFor(h.Text)
	if text == "" {
		return ""
	}
	said := heldBack
	if h.Asked {
		said = heldToAsk
	}
	out := fmt.Sprintf("%s<ltm-warning nonce=%q>\n| %s: %s\n", said, h.Nonce, h.Kind,
		clean.Truncate(text, heldText))
	if why := h.textFor(h.Why); why != "" {
		out += "|   why: " + clean.Truncate(why, heldWhy) + "\n"
	}
	from := clean.Truncate(escapeField(cleanLine(h.Text.Origin().By())), heldAuthor) + wholeRecord + h.ID()
	return out + fmt.Sprintf("|   (%s, %s)\n</ltm-warning nonce=%q>\n", Age(h.Created, h.Now), from, h.Nonce)
}

// keepWhole are those of some things that fit together, the first of them first: one that does not fit makes
// room for the next.
func keepWhole[T any](all []T, fits func([]T) bool) (kept []T) {
	if fits(all) {
		return all
	}
	for _, one := range all {
		if more := append(slices.Clone(kept), one); fits(more) {
			kept = more
		}
	}
	return kept
}

// keepFitting are the same. Where not even one fits, the first is shortened, for silence would be worse.
func keepFitting[T any](all []T, shortened func(T, int) T, fits func([]T) bool) []T {
	kept := keepWhole(all, fits)
	for _, columns := range []int{320, 160, 80} {
		if len(kept) > 0 || len(all) == 0 {
			break
		}
		if short := []T{shortened(all[0], columns)}; fits(short) {
			kept = short
		}
	}
	return kept
}

// shortenKnown leaves so many columns of each text, and says that there is more.
func (k Known) shortenKnown(most int) Known {
	short := func(text string) string { return clean.Truncate(joinLines(text), most) }
	k.Text, k.Why, k.Next = provenance.Then(k.Text, short), provenance.Then(k.Why, short), provenance.Text{}
	k.Digest = provenance.Then(k.Digest, short)
	k.Marks = append(slices.Clone(k.Marks), "shortened"+wholeRecord+k.ID())
	return k
}
