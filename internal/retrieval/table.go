package retrieval

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Row is what one search did on one collection.
type Row struct {
	Search     string
	Collection string
	Answers    []Answer
}

// WriteTable writes the scores as a table in Markdown, a row for each search on each collection.
func WriteTable(w io.Writer, rows []Row) error {
	head := []string{"collection", "search", "questions", "nDCG@10", "recall@5", "false alarms"}
	rule := []string{"---", "---", "---:", "---:", "---:", "---:"}
	if err := errors.Join(writeRow(w, head), writeRow(w, rule)); err != nil {
		return err
	}
	for _, r := range rows {
		s := Sum(r.Answers)
		alarms := "-"
		if s.Unanswerable > 0 {
			alarms = fmt.Sprintf("%d of %d", s.FalseAlarms, s.Unanswerable)
		}
		cells := []string{r.Collection, r.Search, strconv.Itoa(s.Questions), fmt.Sprintf("%.3f", s.NDCG), fmt.Sprintf("%.3f", s.Recall), alarms}
		if err := writeRow(w, cells); err != nil {
			return err
		}
	}
	return nil
}

// WriteStyles writes a table in Markdown of nDCG@10 by how the questions are asked, a column for each search. All rows are
// of one collection.
func WriteStyles(w io.Writer, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	head, rule := []string{"questions", "number"}, []string{"---", "---:"}
	for _, r := range rows {
		head, rule = append(head, r.Search), append(rule, "---:")
	}
	if err := errors.Join(writeRow(w, head), writeRow(w, rule)); err != nil {
		return err
	}
	for _, style := range styles(rows[0].Answers) {
		cells := []string{style, ""}
		for _, r := range rows {
			s := Sum(slices.DeleteFunc(slices.Clone(r.Answers), func(a Answer) bool { return a.Question.Style() != style }))
			cells[1] = strconv.Itoa(s.Questions)
			cells = append(cells, fmt.Sprintf("%.3f", s.NDCG))
		}
		if err := writeRow(w, cells); err != nil {
			return err
		}
	}
	return nil
}

// writeRow writes a row of a table in Markdown.
func writeRow(w io.Writer, cells []string) error {
	_, err := fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	return err
}

// styles are the styles of the questions that have an answer, in their order.
func styles(answers []Answer) []string {
	var all []string
	for _, a := range answers {
		if s := a.Question.Style(); len(a.Question.Relevant) > 0 && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}
