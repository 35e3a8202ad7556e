package retrieval_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// few is a collection in which it is plain to see what is found.
func few() *retrieval.Collection {
	note := func(id, text, why string) retrieval.Document {
		return retrieval.Document{
			ID:      id,
			Content: packet.Content{Items: []packet.Item{{Place: "/text", Text: text, Why: why}}},
		}
	}
	return &retrieval.Collection{Name: "few", Documents: []retrieval.Document{
		note("1", "Don't retry charges", ""), note("2", "Caches of retried clients", ""),
		note("3", "retry", "the charges"), note("4", "nothing of that", "at all"),
		note("5", "many other words", ""),
	}}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		search retrieval.Plain
		query  string
		want   []string
	}{
		{retrieval.Counts, "RETRY charges retry", []string{"1/text", "3/text"}},
		{retrieval.Counts, "retr, charge", []string{"1/text", "3/text", "2/text"}},
		{retrieval.Counts, "all", []string{"4/text"}},
		{retrieval.Counts, "unknown", nil},
		{retrieval.FTS5, "charging", []string{"3/text", "1/text"}},
		{retrieval.FTS5, "of all", []string{"4/text", "2/text"}},
		{retrieval.FTS5, `" OR ) -- '; *`, nil},
		{retrieval.Textbook, "charging", []string{"3/text", "1/text"}},
		{retrieval.Textbook, "the of all", nil},
		{retrieval.Textbook, "", nil},
	} {
		hits, err := tt.search.Search(few())(t.Context(), retrieval.Question{Text: tt.query}, 3)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			got = append(got, h.Key)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s of %q (-want +got):\n%s", tt.search, tt.query, diff)
		}
	}
}
