package memory_test

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// TestMemory_Save_refused shows that a packet that does not pass leaves nothing, for each reason that there
// is. SPEC.
func TestMemory_Save_refused(t *testing.T) {
	t.Parallel()
	token := strings.Join([]string{"gh", "p_", strings.Repeat("a1B2c3", 6)}, "")
	isInvalid := func(err error) bool { _, ok := errors.AsType[*packet.InvalidError](err); return ok }
	isSecret := func(err error) bool { _, ok := errors.AsType[*replay.SecretError](err); return ok }
	tests := []struct {
		name, data string
		want       func(error) bool
	}{
		{"no JSON", `{`, isInvalid},
		{"no goal", `{"next_step":"n"}`, isInvalid},
		{"an event", `{"type":"event","id":"01JDMB4W1YNJZQR7K8F3A2H5P1","created_at":"2026-01-01T00:00:00Z","event":"retract","targets":["01JDMB4W1YNJZQR7K8F3A2H5P1"]}`, isInvalid},
		{"a secret", `{"goal":"use ` + token + `","next_step":"n"}`, isSecret},
		{"a secret in a name", `{"goal":"g","next_step":"n","x":{"` + token + `":1}}`, isSecret},
		{"an unknown parent", `{"goal":"g","next_step":"n"}`, func(err error) bool {
			return errors.Is(err, replay.ErrNotFound)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			before := r.Git("count-objects")
			m, err := memory.Open(t.Context(),
				memory.Options{Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = m.Close() })
			req := gate.SaveRequest{Data: []byte(tt.data)}
			if tt.name == "an unknown parent" {
				req.Continue = "01JDMB4W1YNJZQR7K8F3A2H5P9"
			}
			_, err = m.Save(t.Context(), req)
			if err == nil || !tt.want(err) {
				t.Errorf("Save = %v", err)
			}
			if err != nil && strings.Contains(err.Error(), token) {
				t.Error("the error holds the secret")
			}
			if after := r.Git("count-objects"); after != before {
				t.Errorf("objects: %s, before: %s", after, before)
			}
			if refs := r.Git("for-each-ref", "refs/ltm"); refs != "" {
				t.Errorf("refs were left: %s", refs)
			}
		})
	}
}
