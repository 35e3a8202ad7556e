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
		LeftOut: a.More + len(a.Known) - len(kept),
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
