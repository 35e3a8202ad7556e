package trust_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

func TestPerson(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		v    sign.Verdict
		want string
	}{
		{"a principal", sign.Verdict{By: "ada@example.com", Key: "k"}, "ada@example.com"},
		{"a user id", sign.Verdict{By: "Ada Tester <Ada@Example.com>", Key: "k"}, "ada@example.com"},
		{
			"a user id with two brackets",
			sign.Verdict{By: "Ada <bob@example.com> <ada@example.com>"},
			"ada@example.com",
		},
		{"an open bracket", sign.Verdict{By: "Ada < ada@example.com "}, "ada@example.com"},
		{"an agent is nobody else", sign.Verdict{By: "agent+ada@example.com"}, "agent+ada@example.com"},
		{"empty brackets", sign.Verdict{By: "Ada <>", Key: "ABCD"}, "abcd"},
		{"a key alone", sign.Verdict{Key: "ABCD"}, "abcd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := trust.Person(tt.v); got != tt.want {
				t.Errorf("Person(%+v) = %q, want %q", tt.v, got, tt.want)
			}
		})
	}
}

func TestShortKey(t *testing.T) {
	t.Parallel()
	for fingerprint, want := range map[string]string{
		"SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8": "0001020304050607",
		"0123456789ABCDEF0123456789ABCDEF01234567":           "0123456789abcdef",
		"0123456789ABCDEF":  "0123456789abcdef",
		"ABCD":              "abcd",
		"SHA256:not base64": "",
		"SHA256:":           "",
		"":                  "",
	} {
		if got := trust.ShortKey(fingerprint); got != want {
			t.Errorf("ShortKey(%q) = %q, want %q", fingerprint, got, want)
		}
	}
}

// by is the verdict on a signature of a key.
func by(standing sign.Standing, holder, key string) sign.Verdict {
	return sign.Verdict{Standing: standing, By: holder, Key: key, Why: "because"}
}

func TestEndorsedBy(t *testing.T) {
	t.Parallel()
	ada, bob := by(sign.Good, "ada@example.com", "A"), by(sign.Good, "bob@example.com", "B")
	for _, tt := range []struct {
		name  string
		own   sign.Verdict
		later []sign.Verdict
		want  int
	}{
		{"nobody", ada, nil, 0},
		{"another person", ada, []sign.Verdict{bob}, 1},
		{"the same key again", ada, []sign.Verdict{ada}, 0},
		{
			"another key of the same person", ada,
			[]sign.Verdict{by(sign.Good, "Ada Tester <ADA@example.com>", "C")},
			0,
		},
		{
			"two keys of another person", ada,
			[]sign.Verdict{bob, by(sign.Good, "Bob <bob@example.com>", "C")},
			1,
		},
		{"two others", ada, []sign.Verdict{bob, by(sign.Good, "alice@example.com", "C")}, 2},
		{"a stranger", ada, []sign.Verdict{by(sign.Unknown, "", "M")}, 0},
		{"a key that has ended", ada, []sign.Verdict{by(sign.Expired, "bob@example.com", "B")}, 0},
		{"of an unsigned record", by(sign.Unsigned, "", ""), []sign.Verdict{ada, bob}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var later []trust.Endorser
			for _, v := range tt.later {
				later = append(later, trust.Endorser{Verdict: v})
			}
			if got := trust.EndorsedBy(tt.own, later); got != tt.want {
				t.Errorf("%d vouch for it beside %q, want %d", got, tt.own.By, tt.want)
			}
		})
	}
}

// TestJudge_KeptFrom is the table of policy: what reaches a session that asks, and what one that does not.
// SPEC.
func TestJudge_KeptFrom(t *testing.T) {
	t.Parallel()
	const asked, unasked, both, none = "asked", "unasked", "asked unasked", ""
	for config, want := range map[string]map[sign.Standing]string{
		"": {
			sign.Good: both, sign.Local: both, sign.Expired: both,
			sign.Unknown: asked, sign.Unsigned: asked, sign.Foreign: asked, sign.Revoked: none,
			sign.Bad: none, "": none,
		},
		"requireSigned=warn": {
			sign.Good: both, sign.Unknown: asked, sign.Unsigned: asked,
			sign.Revoked: none, sign.Bad: none,
		},
		"requireSigned=false": {
			sign.Good: both, sign.Unknown: both, sign.Unsigned: both,
			sign.Foreign: both, sign.Revoked: none, sign.Bad: none,
		},
		"requireSigned=true": {
			sign.Good: both, sign.Local: both, sign.Expired: both,
			sign.Unknown: none, sign.Unsigned: none, sign.Foreign: none, sign.Revoked: none, sign.Bad: none,
		},
		"requireEndorsed=1":                     {sign.Good: both, sign.Unknown: asked, sign.Revoked: none},
		"requireEndorsed=2":                     {sign.Good: asked, sign.Unknown: asked, sign.Revoked: none},
		"requireEndorsed=2 requireSigned=true":  {sign.Good: none, sign.Unknown: none},
		"requireEndorsed=2 requireSigned=false": {sign.Good: both, sign.Unknown: both, sign.Bad: none},
	} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			for line := range strings.FieldsSeq(config) {
				key, value, _ := strings.Cut(line, "=")
				r.Git("config", "ltm."+key, value)
			}
			m, err := memory.Open(t.Context(),
				memory.Options{Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = m.Close() })
			p, err := m.Judge().Policy(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for standing, reads := range want {
				v, later := by(standing, "ada@example.com", "A"),
					[]trust.Endorser{{Verdict: by(sign.Good, "bob@example.com", "B")}}
				var got []string
				for _, reading := range []replay.Reading{replay.Asked, replay.Unasked} {
					if trust.KeptFrom(p, v, later, reading) == "" {
						got = append(got, []string{asked, unasked}[reading])
					}
				}
				if got := strings.Join(got, " "); got != reads {
					t.Errorf("what is %q is handed on when %q, want %q", standing, got, reads)
				}
			}
		})
	}
}
