package retrieval

import (
	"fmt"
	"io"
	"slices"
)

// Row is what one search did on one collection.
type Row struct {
	Search     string
	Collection string
	Answers    []Answer
}

// WriteTable writes the scores as a table in Markdown, a row for each search on each collection.
func WriteTable(w io.Writer, rows []Row) error {
	if _, err := io.WriteString(w, "| collection | search | questions | nDCG@10 | recall@5 | false alarms |\n|---|---|---:|---:|---:|---:|\n"); err != nil {
		return err
	}
	for _, r := range rows {
		s := Sum(r.Answers)
		alarms := "-"
		if s.Unanswerable > 0 {
			alarms = fmt.Sprintf("%d of %d", s.FalseAlarms, s.Unanswerable)
		}
		_, err := fmt.Fprintf(w, "| %s | %s | %d | %.3f | %.3f | %s |\n", r.Collection, r.Search, s.Questions, s.NDCG, s.Recall, alarms)
		if err != nil {
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
	line, rule := "| questions | number |", "|---|---:|"
	for _, r := range rows {
		line += " " + r.Search + " |"
		rule += "---:|"
	}
	if _, err := fmt.Fprintf(w, "%s\n%s\n", line, rule); err != nil {
		return err
	}
	for _, style := range styles(rows[0].Answers) {
		line := ""
		number := 0
		for _, r := range rows {
			s := Sum(slices.DeleteFunc(slices.Clone(r.Answers), func(a Answer) bool { return a.Question.Style() != style }))
			line += fmt.Sprintf(" %.3f |", s.NDCG)
			number = s.Questions
		}
		if _, err := fmt.Fprintf(w, "| %s | %d |%s\n", style, number, line); err != nil {
			return err
		}
	}
	return nil
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
