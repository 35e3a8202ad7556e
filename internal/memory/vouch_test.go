package memory_test

import (
	"crypto/rand"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/sign"
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
		{"a user id with two brackets", sign.Verdict{By: "Ada <bob@example.com> <ada@example.com>"}, "ada@example.com"},
		{"an open bracket", sign.Verdict{By: "Ada < ada@example.com "}, "ada@example.com"},
		{"an agent is nobody else", sign.Verdict{By: "agent+ada@example.com"}, "agent+ada@example.com"},
		{"empty brackets", sign.Verdict{By: "Ada <>", Key: "ABCD"}, "abcd"},
		{"a key alone", sign.Verdict{Key: "ABCD"}, "abcd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := memory.Person(tt.v); got != tt.want {
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
		if got := memory.ShortKey(fingerprint); got != want {
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
		{"another key of the same person", ada, []sign.Verdict{by(sign.Good, "Ada Tester <ADA@example.com>", "C")}, 0},
		{"two keys of another person", ada, []sign.Verdict{bob, by(sign.Good, "Bob <bob@example.com>", "C")}, 1},
		{"two others", ada, []sign.Verdict{bob, by(sign.Good, "alice@example.com", "C")}, 2},
		{"a stranger", ada, []sign.Verdict{by(sign.Unknown, "", "M")}, 0},
		{"a key that has ended", ada, []sign.Verdict{by(sign.Expired, "bob@example.com", "B")}, 0},
		{"of an unsigned record", by(sign.Unsigned, "", ""), []sign.Verdict{ada, bob}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var later []memory.Endorser
			for _, v := range tt.later {
				later = append(later, memory.Endorser{Verdict: v})
			}
			if got := memory.EndorsedBy(tt.own, later); got != tt.want {
				t.Errorf("%d vouch for it beside %q, want %d", got, tt.own.By, tt.want)
			}
		})
	}
}

// TestCompare states what a clone says of a record that it saw before, and what it remembers of it.
func TestCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, known string
		own, best   sign.Standing // best is own where it is empty
		tag         string
		want        sign.Standing
		knows       string
	}{
		{"new and unsigned", "", sign.Unsigned, "", "", sign.Unsigned, "blob"},
		{"new and good", "", sign.Good, "", "t1", sign.Good, "blob tag=t1"},
		{"new, of a stranger", "", sign.Unknown, "", "t1", sign.Unknown, "blob"},
		{"new and bad", "", sign.Bad, "", "t1", sign.Bad, ""},
		{"the same", "blob tag=t1", sign.Good, "", "t1", sign.Good, "blob tag=t1"},
		{"another record", "other tag=t1", sign.Good, "", "t1", sign.Bad, "other tag=t1"},
		{"another record of this clone", "other made", sign.Unsigned, "", "", sign.Bad, "other made"},
		{"a signature that is gone", "blob tag=t1", sign.Unsigned, "", "", sign.Bad, "blob tag=t1"},
		{"a signature that is gone, with a later one", "blob tag=t1", sign.Unsigned, sign.Good, "", sign.Bad, "blob tag=t1"},
		{"a stranger's in its place", "blob tag=t1", sign.Unknown, "", "t2", sign.Bad, "blob tag=t1"},
		{"another one that counts", "blob tag=t1", sign.Expired, "", "t2", sign.Expired, "blob tag=t2"},
		{"a key that counts no longer", "blob tag=t1", sign.Unknown, "", "t1", sign.Unknown, "blob tag=t1"},
		{"a stranger's that is gone", "blob", sign.Unsigned, "", "", sign.Unsigned, "blob"},
		{"made here, unsigned", "blob made", sign.Unsigned, "", "", sign.Local, "blob made"},
		{"made here, signed by a stranger", "blob made", sign.Unknown, "", "t1", sign.Local, "blob made"},
		{"made here, for another store", "blob made", sign.Foreign, "", "t1", sign.Local, "blob made"},
		{"made here and good", "blob made", sign.Good, "", "t1", sign.Good, "blob tag=t1 made"},
		{"made here, signed later", "blob made", sign.Unsigned, sign.Good, "", sign.Good, "blob made"},
		{"made here and revoked", "blob made", sign.Revoked, "", "t1", sign.Revoked, "blob made"},
		{"accepted as gone, and back", "blob forgotten", sign.Good, "", "t1", sign.Good, "blob tag=t1 forgotten"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			own := by(tt.own, "ada@example.com", "A")
			best := own
			if tt.best != "" {
				best = by(tt.best, "bob@example.com", "B")
			}
			v, knows := memory.Compare(filepath.Join(t.TempDir(), "seen"), tt.known, own, best, tt.tag)
			if v.Standing != tt.want || knows != tt.knows || v.Why == "" {
				t.Errorf("it is %s (%s), and the clone knows %q; want %s and %q", v.Standing, v.Why, knows, tt.want, tt.knows)
			}
		})
	}
}

// TestMemory_Withheld is the table of policy: what reaches a session that asks, and what one that does not.
// SPEC.
func TestMemory_Withheld(t *testing.T) {
	t.Parallel()
	const asked, unasked, both, none = "asked", "unasked", "asked unasked", ""
	for config, want := range map[string]map[sign.Standing]string{
		"":                                      {sign.Good: both, sign.Local: both, sign.Expired: both, sign.Unknown: asked, sign.Unsigned: asked, sign.Foreign: asked, sign.Revoked: none, sign.Bad: none, "": none},
		"requireSigned=warn":                    {sign.Good: both, sign.Unknown: asked, sign.Unsigned: asked, sign.Revoked: none, sign.Bad: none},
		"requireSigned=false":                   {sign.Good: both, sign.Unknown: both, sign.Unsigned: both, sign.Foreign: both, sign.Revoked: none, sign.Bad: none},
		"requireSigned=true":                    {sign.Good: both, sign.Local: both, sign.Expired: both, sign.Unknown: none, sign.Unsigned: none, sign.Foreign: none, sign.Revoked: none, sign.Bad: none},
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
			m, err := memory.Open(t.Context(), memory.Options{Dir: r.Dir, Env: r.Env, Now: time.Now, Entropy: rand.Reader})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = m.Close() })
			for standing, reads := range want {
				e := memory.Entry{Verdict: by(standing, "ada@example.com", "A"), Endorsers: []memory.Endorser{{Verdict: by(sign.Good, "bob@example.com", "B")}}}
				var got []string
				for _, reading := range []memory.Reading{memory.Asked, memory.Unasked} {
					why, err := m.KeptFrom(t.Context(), e, reading)
					if err != nil {
						t.Fatal(err)
					}
					if why == "" {
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
