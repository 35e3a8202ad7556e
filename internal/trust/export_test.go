package trust

import (
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// ReadStatus reads what gpg or gpgsm says, where keys have to be of a marginal validity at least.
func ReadStatus(status string) sign.Verdict {
	v, _ := readStatus(status, signer.Marginal.Rank())
	return v
}

// Recall is a verdict as it comes back from the cache of a process whose lists have a digest, at the same
// time.
func Recall(tb testing.TB, v sign.Verdict, digest string) (sign.Verdict, bool) {
	tb.Helper()
	kept := journal.OpenNotebook(local.At(filepath.Join(tb.TempDir(), "verdicts")))
	maker := &Trust{digest: Digest, kept: kept, known: map[string]sign.Verdict{}}
	maker.keepVerdict("tag", v)
	return (&Trust{digest: digest, kept: kept, known: map[string]sign.Verdict{}}).recallVerdict("tag")
}

// Digest is that of the lists by which the verdict is made.
const Digest = "0123456789abcdef"
