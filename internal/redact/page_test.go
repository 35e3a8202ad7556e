package redact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestCorpus_page: whoever changes rules measures again what docs/security.md says of them.
func TestCorpus_page(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := "rules of version " + redact.RulesVersion + ", `go test ./internal/redact -run TestCorpus -v`"
	if !strings.Contains(string(page), want) {
		t.Errorf("docs/security.md does not say %q", want)
	}
}
