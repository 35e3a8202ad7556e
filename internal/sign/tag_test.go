package sign_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/sign"
)

const (
	name   = "01JDMB4W1YNJZQR7K8F3A2H5P9"
	object = "42a8e18acc91f3f04c2523e2378b6f86f31c4bc1"
	armor  = "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n"
)

var data = []byte("{}\n")

func tag() string {
	s := sign.Statement{Object: object, Name: name, Tagger: "A <a@example.com> 1795232477 +0000", Data: data, Store: "s"}
	return string(s.Payload()) + armor
}

// SPEC.
func TestJudge(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, raw, under string
		want             sign.Standing
	}{
		{"no tag", "", name, sign.Unsigned},
		{"a tag that fits", tag(), name, sign.Unknown},
		{"moved tag", tag(), "01JDMB4W1YNJZQR7K8F3A2H5P8", sign.Bad},
		{"text after the signature", tag() + "more\n", name, sign.Bad},
		{"no signature", strings.TrimSuffix(tag(), armor), name, sign.Bad},
		{"two signatures", tag() + armor, name, sign.Bad},
		{"gpgsig header", strings.Replace(tag(), "tagger", "gpgsig x\ntagger", 1), name, sign.Bad},
		{"tag to tag", strings.Replace(tag(), "type blob", "type tag", 1), name, sign.Bad},
		{"another blob", strings.Replace(tag(), "object 4", "object 5", 1), name, sign.Bad},
		{"another digest", strings.Replace(tag(), "sha256:", "sha256:0", 1), name, sign.Bad},
		{"headers out of order", strings.Replace(tag(), "type blob\ntag "+name, "tag "+name+"\ntype blob", 1), name, sign.Bad},
		{"zero byte", tag() + "\x00", name, sign.Bad},
		{"too large", strings.Repeat("x", sign.MaxTag+1), name, sign.Bad},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := sign.Judge([]byte(tt.raw), tt.under, object, data)
			if got.Standing != tt.want {
				t.Errorf("Judge = %q (%s), want %q", got.Standing, got.Why, tt.want)
			}
		})
	}
}

// SPEC.
func TestStanding_Withheld(t *testing.T) {
	t.Parallel()
	for _, s := range []sign.Standing{sign.Revoked, sign.Bad, "", "strange"} {
		if !s.Withheld() {
			t.Errorf("%q would reach an agent", s)
		}
	}
	for _, s := range []sign.Standing{sign.Good, sign.Local, sign.Expired, sign.Unknown, sign.Unsigned, sign.Foreign} {
		if s.Withheld() {
			t.Errorf("%q is withheld", s)
		}
	}
}

// FuzzParseTag states that an accepted tag is made of exactly its payload and its signature.
// SPEC.
func FuzzParseTag(f *testing.F) {
	f.Add([]byte(tag()))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := sign.ParseTag(raw)
		if err != nil {
			if !errors.Is(err, sign.ErrTag) {
				t.Errorf("error %v is not ErrTag", err)
			}
			return
		}
		if string(got.Payload)+string(got.Signature) != string(raw) {
			t.Errorf("payload and signature do not make up the tag %q", raw)
		}
		if strings.Contains(got.Name+got.Object+got.Tagger, "\n") {
			t.Errorf("a header of %q spans lines", raw)
		}
	})
}
