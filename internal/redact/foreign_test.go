package redact_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
)

var (
	secretDocuments   = corpus{1, judgeSecretDocument, secretRows.line}
	harmlessDocuments = corpus{0, judgeHarmlessDocument, harmlessRows.line}
)

// TestCorpus_foreign tells how the scanner does on rows of people who did not know it. Of each file a fifth
// is sealed: of that only the total is shown.
func TestCorpus_foreign(t *testing.T) {
	t.Parallel()
	for _, f := range []struct {
		name   string
		corpus corpus
	}{
		{"layouts_positives", secretRows},
		{"vendors_positives", secretRows},
		{"documents_positives", secretDocuments},
		{"documents_negatives", harmlessDocuments},
		{"code_negatives", harmlessRows},
	} {
		open := f.corpus.measure(t, "foreign_"+f.name+".txt")
		for _, row := range open.noted {
			t.Logf("wrong %s:%d %s/%s", row.File, row.Line, row.Group, row.Kind)
		}
		f.corpus.sealed(t, "held_foreign_"+f.name+".txt")
	}
}

// inText returns the findings of a document with their places in its text.
func inText(row redacttest.Row) []redact.Finding {
	found, err := redact.BuiltIn().Scan([]byte(row.Text))
	if err != nil {
		return redact.ScanText(row.Text)
	}
	lines := strings.SplitAfter(row.Text, "\n")
	offset := func(line, column int) int {
		at := len(strings.Join(lines[:line-1], ""))
		for range column - 1 {
			_, size := utf8.DecodeRuneInString(row.Text[at:])
			at += size
		}
		return at
	}
	for i := range found {
		f := &found[i]
		f.Start, f.End = offset(f.Line, f.Column), offset(f.EndLine, f.EndColumn)
	}
	return found
}

func judgeSecretDocument(row redacttest.Row) tally { return judgeFound(row, inText(row)) }

func judgeHarmlessDocument(row redacttest.Row) tally { return judgeClean(row, inText(row)) }

// TestScan_asText holds that the JSON form of every secret that is found in a text is found as that is: as a
// value, as a member among others, in an array, in a nested document, and in a document that is the text of
// another.
func TestScan_asText(t *testing.T) {
	t.Parallel()
	forms := map[string]string{
		"value": `{"note":@}`, "member": `{"id":7,"note":@,"kind":"fact","tags":["a","b"]}`,
		"array": `["one",@,"three"]`, "nested": `{"a":[{"b":{"c":[{"text":@}]}}]}`,
	}
	for _, file := range []string{
		"positives.txt", "hard_positives.txt", "held_positives.txt", "foreign_layouts_positives.txt",
		"foreign_vendors_positives.txt",
	} {
		for _, row := range secretRows.load(t, file) {
			if judgePositive(row).hit == 0 {
				continue
			}
			quoted, err := json.Marshal(row.Text)
			if err != nil {
				t.Fatal(err)
			}
			for name, form := range forms {
				found, err := redact.BuiltIn().Scan([]byte(strings.Replace(form, "@", string(quoted), 1)))
				if err != nil || judgeFound(row, found).hit == 0 {
					t.Errorf("%s:%d %s/%s is not found as %s: %v", row.File, row.Line, row.Group, row.Kind,
						name, err)
				}
			}
			inner, err := json.Marshal(`{"note":` + string(quoted) + `}`)
			if err != nil {
				t.Fatal(err)
			}
			masked, _, err := redact.BuiltIn().Mask([]byte(`{"body":` + string(inner) + `}`))
			if err != nil || strings.Contains(string(masked), row.Secret) && row.Group != "place" &&
				row.Group != "personal" {
				t.Errorf("%s:%d %s/%s is not found in a document in a text: %v", row.File, row.Line,
					row.Group, row.Kind, err)
			}
		}
	}
}
