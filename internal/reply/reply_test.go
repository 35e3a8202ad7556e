package reply

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
)

// TestSummary_tornSecret lets git repeat a setting whose value is a secret broken over two lines, of which a
// summary shows the first.
func TestSummary_tornSecret(t *testing.T) {
	head, tail := "gh"+"p_a1B2c3d4E5f6g7H8", "i9J1k2L3m4N5o6P7q8R9"
	said := "fatal: bad boolean config value '" + head + "\n" + tail + "' for 'core.bare'"
	err := fmt.Errorf("open repository: %w", &git.ExitError{Args0: "rev-parse", Code: 128, Stderr: said})
	got := Summary(nil, err)
	if strings.Contains(got, head[4:12]) || !strings.Contains(got, "bad boolean config value") {
		t.Errorf("the summary is %q", strings.ReplaceAll(got, head[4:], "(the secret)"))
	}
}
