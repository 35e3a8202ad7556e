package retrieval

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The depths at which is measured.
const (
	gainDepth   = 10
	recallDepth = 5
)

// Score is how well a search did on a collection, or on a part of it.
type Score struct {
	Questions int     // Questions are those that have an answer.
	NDCG      float64 // NDCG is the mean of NDCG over these questions.
	Recall    float64 // Recall is the mean of Recall over these questions.
	Met       int     // Met are those of them of which an answer is among what was returned.

	Unanswerable int // Unanswerable are the questions that nothing answers.
	// FalseAlarms are those of them for which something was returned that the search is sure of.
	FalseAlarms int
}

// Answer is what a search returned for one question.
type Answer struct {
	Question Question
	Hits     []Hit
	NDCG     float64
	Recall   float64
}

// NDCG is the normalised discounted cumulative gain of the first ten keys, as Järvelin and
// Kekäläinen defined it (Cumulated gain-based evaluation of IR techniques, ACM Transactions on
// Information Systems 20, 2002), in the form that trec_eval computes as ndcg_cut_10: the sum of
// grade/log2(rank+1), where the rank counts from one, divided by what the best order of the judged
// items would give. It lies between 0 and 1. A key that stands there again gains nothing.
func NDCG(keys []string, relevant map[string]int) float64 {
	grades := make([]int, 0, len(relevant))
	for _, grade := range relevant {
		grades = append(grades, grade)
	}
	slices.SortFunc(grades, func(a, b int) int { return b - a })
	best := discountedGain(grades)
	if best == 0 {
		return 0
	}
	got := make([]int, len(keys))
	for i, key := range keys {
		if !slices.Contains(keys[:i], key) {
			got[i] = relevant[key]
		}
	}
	return discountedGain(got) / best
}

// discountedGain is the discounted cumulative gain of the grades in the order of their ranks.
func discountedGain(grades []int) float64 {
	sum := 0.0
	for i, grade := range grades[:min(len(grades), gainDepth)] {
		sum += float64(grade) / math.Log2(float64(i+2))
	}
	return sum
}

// Recall is the part of the relevant items, of any grade, that is among the first five keys, as
// trec_eval computes recall_5. Where more than five are relevant it cannot reach 1.
func Recall(keys []string, relevant map[string]int) float64 {
	if len(relevant) == 0 {
		return 0
	}
	found := map[string]bool{}
	for _, key := range keys[:min(len(keys), recallDepth)] {
		if relevant[key] > 0 {
			found[key] = true
		}
	}
	return float64(len(found)) / float64(len(relevant))
}

// Ask puts all questions of a collection to a search.
func Ask(ctx context.Context, c *Collection, search Searcher) ([]Answer, error) {
	answers := make([]Answer, 0, len(c.Questions))
	for _, q := range c.Questions {
		hits, err := search(ctx, q, gainDepth)
		if err == nil && len(hits) > gainDepth {
			err = fmt.Errorf("%d answers, at most %d were asked for", len(hits), gainDepth)
		}
		if err != nil {
			return nil, fmt.Errorf("ask question %q of %s: %w", q.ID, c.Name, err)
		}
		var keys []string
		for _, h := range hits {
			keys = append(keys, h.Key)
		}
		answers = append(answers,
			Answer{Question: q, Hits: hits, NDCG: NDCG(keys, q.Relevant), Recall: Recall(keys, q.Relevant)})
	}
	return answers, nil
}

// Sum is the score of some answers. Each question that has an answer counts the same, however many
// items answer it.
func Sum(answers []Answer) Score {
	var s Score
	for _, a := range answers {
		if len(a.Question.Relevant) == 0 {
			s.Unanswerable++
			if slices.ContainsFunc(a.Hits, func(h Hit) bool { return !h.Weak }) {
				s.FalseAlarms++
			}
			continue
		}
		s.Questions++
		s.NDCG += a.NDCG
		s.Recall += a.Recall
		if slices.ContainsFunc(a.Hits, func(h Hit) bool { return a.Question.Relevant[h.Key] > 0 }) {
			s.Met++
		}
	}
	if s.Questions > 0 {
		s.NDCG /= float64(s.Questions)
		s.Recall /= float64(s.Questions)
	}
	return s
}

// Row is what one search did on one collection.
type Row struct {
	Search     string
	Collection string
	Answers    []Answer
}

// Table writes the scores as a table in Markdown, a row for each search on each collection.
func Table(rows []Row) string {
	var table strings.Builder
	table.WriteString("| set | search | questions | nDCG@10 | recall@5 | answered | sure without an answer |\n" +
		"| --- | --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		s := Sum(r.Answers)
		alarms := "-"
		if s.Unanswerable > 0 {
			alarms = fmt.Sprintf("%d of %d", s.FalseAlarms, s.Unanswerable)
		}
		fmt.Fprintf(&table, "| %s | %s | %d | %.3f | %.3f | %d | %s |\n",
			r.Collection, r.Search, s.Questions, s.NDCG, s.Recall, s.Met, alarms)
	}
	return table.String()
}
