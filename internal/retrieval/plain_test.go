package retrieval_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// sqlite3 runs the sqlite3 program. Without it the test is skipped, but fails where CI is set.
func sqlite3(t *testing.T) retrieval.SQLite {
	t.Helper()
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return func(ctx context.Context, database, statements string) (string, error) {
		cmd := exec.CommandContext(ctx, program, "-batch", "-bail", "-init", os.DevNull, database)
		cmd.Stdin = strings.NewReader(statements)
		var failed strings.Builder
		cmd.Stderr = &failed
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("run sqlite3: %w: %s", err, failed.String())
		}
		return string(out), nil
	}
}

// few is a collection in which it is plain to see what is found.
func few() *retrieval.Collection {
	note := func(id, text, why string) retrieval.Document {
		return retrieval.Document{ID: id, Content: packet.Content{Items: []packet.Item{{Place: "/text", Text: text, Why: why}}}}
	}
	return &retrieval.Collection{Name: "few", Documents: []retrieval.Document{
		note("1", "Don't retry charges", ""), note("2", "Caches of retried clients", ""),
		note("3", "retry", "the charges"), note("4", "nothing of that", "at all"),
	}}
}

func TestGrep(t *testing.T) {
	t.Parallel()
	for query, want := range map[string][]string{
		"RETRY charges retry":  {"1/text", "3/text"},
		"retry":                {"1/text", "3/text"},
		"retr, charge":         {"1/text", "3/text", "2/text"},
		"all":                  {"4/text"},
		"unknown":              {},
		"":                     {},
		"of \"the\" charges !": {"3/text", "1/text", "2/text"},
	} {
		got, err := retrieval.Grep(few())(t.Context(), query, 3)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Grep of %q (-want +got):\n%s", query, diff)
		}
	}
}

func TestFTS5(t *testing.T) {
	t.Parallel()
	search, err := retrieval.FTS5(t.Context(), sqlite3(t), filepath.Join(t.TempDir(), "few.db"), retrieval.PlainWords, few())
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]string{
		"RETRY charges":  {"3/text", "1/text"},
		"retr":           nil,
		"don't":          {"1/text"},
		"of":             {"4/text", "2/text"},
		"unknown":        nil,
		`" OR ) -- '; *`: nil,
	} {
		got, err := search(t.Context(), query, 2)
		if err != nil {
			t.Fatal(err)
		}
		if query == "of" {
			// Both are of the same length but for a word, so only the set is plain to see.
			if len(got) != 2 {
				t.Errorf("FTS5 of %q = %v", query, got)
			}
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" && len(got)+len(want) > 0 {
			t.Errorf("FTS5 of %q (-want +got):\n%s", query, diff)
		}
	}
}

func TestFTS5_fails(t *testing.T) {
	t.Parallel()
	run := func(context.Context, string, string) (string, error) { return "", os.ErrPermission }
	if _, err := retrieval.FTS5(t.Context(), run, "x.db", retrieval.Stems, few()); err == nil || !strings.Contains(err.Error(), "few") {
		t.Errorf("FTS5 without a database: %v", err)
	}
}
