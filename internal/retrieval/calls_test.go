package retrieval_test

import (
	"os"
	"testing"

	"github.com/git-ltm/git-ltm/internal/retrieval"
)

// TestCalls holds what the open calls reach; with -v it names what goes wrong. The sealed ones are measured
// by 'make quality' alone.
func TestCalls(t *testing.T) {
	t.Parallel()
	calls, err := retrieval.ReadCalls(os.DirFS("../../testdata/deadend/calls"))
	if err != nil {
		t.Fatal(err)
	}
	f := calls.Measure(retrieval.Open, func(line string) { t.Log(line) })
	if f.Calls != 134 || f.Precision() < 0.97 || f.Recall("skips") < 0.85 ||
		f.Recall("attempts with match") < 0.75 ||
		f.Recall("attempts in prose") < 0.5 {
		t.Errorf("%+v: precision %.3f, want .97; skips .85, attempts with match .75, in prose .50", f,
			f.Precision())
	}
}
