package deadend_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// TestForm fails where rules are read in another way than the outlines that are kept. Then Form has to be
// raised, so that they are made anew, and the sum that is wanted here changes with it.
func TestForm(t *testing.T) {
	t.Parallel()
	const form, want = 8, "5cebfef83c9a7344"
	sum := sha256.New()
	for _, rule := range []deadend.Rule{
		{Words: "raise the pool size to 100 to speed up the nightly import, which deadlocks"},
		{Words: "Replaced webpack5 with esbuild without source maps", Derived: true, Confidence: "low"},
		{Words: "npm install --legacy-peer-deps because react-query pins it", Derived: true},
		{Words: "Tried `docker compose down -v && docker-compose up` in CI", Derived: true},
		{
			Words:   "use sync.Map instead of a mutex in getUserName(), v3.11",
			Command: "sudo -u app npx jest -u --runInBand src/a.test.ts",
		},
		{Command: "NODE_ENV=production cd web && python3 -m pytest -xvs --no-header ./tests/"},
		{Command: "git -C sub push --force-with-lease origin HEAD:main", Path: "./vendor/**/*.pb.go"},
		{Path: "*.lock"},
		{Path: "src/gen/"},
		{Words: "app test"},
		{Words: "FOO=1 pip3 make  'bench-arm'", Derived: true, Confidence: "high"},
		{Words: "build"},
		{Command: "./bench.sh", Derived: true},
		{},
	} {
		o := rule.Outline()
		_, _ = fmt.Fprintf(sum, "%x %v\n", o.Append(nil), o.Rare()) // A sum never fails.
	}
	if got := hex.EncodeToString(sum.Sum(nil))[:16]; got != want || deadend.Form != form {
		t.Errorf("outlines of form %d have the sum %s; want form %d and %s", deadend.Form, got, form, want)
	}
}
