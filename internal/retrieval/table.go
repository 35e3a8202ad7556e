package retrieval

import (
	"fmt"
	"io"
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

// WriteHistory writes the scores as the line of HISTORY.md, behind the names of its columns.
func WriteHistory(w io.Writer, rows []Row, unrelated int) error {
	score := func(collection, search string) (s Score) {
		for _, r := range rows {
			if r.Collection == collection && r.Search == search {
				s = Sum(r.Answers)
			}
		}
		return s
	}
	pair := func(collection, search string) string {
		s := score(collection, search)
		return strings.ReplaceAll(fmt.Sprintf("%.3f/%.3f", s.NDCG, s.Recall), "0.", ".")
	}
	among := fmt.Sprintf("notes among %d", unrelated)
	plain, polite, log := score("prompts, plain", "hook"), score("prompts, polite", "hook"),
		score("prompts, log", "hook")
	var names, line strings.Builder
	for _, column := range [][2]string{
		{"notes", pair("notes", "recall")},
		{"BM25", pair("notes", string(Textbook))},
		{"FTS5", pair("notes", string(FTS5))},
		{"packets", pair("packets", "recall")},
		{"BM25", pair("packets", string(Textbook))},
		{"FTS5", pair("packets", string(FTS5))},
		{
			"other words: notes, packets",
			pair("notes", "recall, other words") + ", " + pair("packets", "recall, other words"),
		},
		{
			"plain, polite, log",
			fmt.Sprintf("%d, %d, %d of %d", plain.Met, polite.Met, log.Met, plain.Questions),
		},
		{"noise", fmt.Sprintf("%d of %d", plain.FalseAlarms, plain.Unanswerable)},
		{"sure without an answer, and among many", fmt.Sprintf("%d, %d of %d",
			score("notes", "recall").FalseAlarms, score(among, "recall").FalseAlarms,
			score(among, "recall").Unanswerable)},
	} {
		fmt.Fprintf(&names, "| %s ", column[0])
		fmt.Fprintf(&line, "| %s ", column[1])
	}
	_, err := fmt.Fprintf(w, "\n%s|\n%s|\n", &names, &line)
	return err
}
