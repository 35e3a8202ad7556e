package retrieval

import (
	"fmt"
	"io"
)

// Row is what one search did on one collection.
type Row struct {
	Search     string
	Collection string
	Answers    []Answer
}

// WriteTable writes the scores as a table in Markdown, a row for each search on each collection.
func WriteTable(w io.Writer, rows []Row) error {
	const head = "| set | search | questions | nDCG@10 | recall@5 | answered | sure without an answer |\n" +
		"| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	for _, r := range rows {
		s := Sum(r.Answers)
		alarms := "-"
		if s.Unanswerable > 0 {
			alarms = fmt.Sprintf("%d of %d", s.FalseAlarms, s.Unanswerable)
		}
		_, err := fmt.Fprintf(w, "| %s | %s | %d | %.3f | %.3f | %d | %s |\n",
			r.Collection, r.Search, s.Questions, s.NDCG, s.Recall, s.Met, alarms)
		if err != nil {
			return err
		}
	}
	return nil
}
