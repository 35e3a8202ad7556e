package ruleset_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/ruleset"
)

// FuzzParse holds that a file that parses gives a Scanner in either mode, and
// that one that only adds finds whatever the built-in rules find.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(testdata, "*", "*.toml"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no files, error %v", err)
	}
	texts := []string{
		"password=hunter2A!x", "ghp_" + "1a2B3c4D5e6F7g8H9i0J1k2L3m4N5o6P7q8R", "/home/alice/x",
		"10.0.0.1:80", "abc one-12345678",
	}
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, texts[i%len(texts)])
	}
	f.Add([]byte("[[rules]]\nid='github-token'\nregex='.+'\n[[allowlists]]\nregexes=['.']\n"), texts[1])
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		file, err := ruleset.Parse("rules.toml", data)
		if err != nil {
			if file != nil || err.Error() == "" {
				t.Errorf("Parse = %v and an error %q", file, err)
			}
			return
		}
		full, err := redact.NewWith(ruleset.Merge(file, nil))
		if err != nil {
			t.Fatalf("full: %v", err)
		}
		full.ScanText(text)
		added, err := redact.NewWith(ruleset.Merge(nil, file))
		if err != nil {
			t.Fatalf("add only: %v", err)
		}
		with := added.ScanText(text)
		for _, want := range redact.ScanText(text) {
			if !covered(want, with) {
				t.Errorf("%v is lost in %v", want, with)
			}
		}
	})
}

func covered(want redact.Finding, all []redact.Finding) bool {
	for _, f := range all {
		if f.Severity >= want.Severity && f.Start <= want.Start && want.End <= f.End {
			return !f.IsPlace() || want.IsPlace() || f.Rule == want.Rule
		}
	}
	return false
}
