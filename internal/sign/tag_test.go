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
	s := sign.Statement{
		Object: object, Name: name, Tagger: "A <a@example.com> 1795232477 +0000", Data: data,
		Store: "s",
	}
	return string(s.Payload()) + armor
}

// SPEC.
func TestExamine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, raw, under string
		fits             bool
	}{
		{"a tag that fits", tag(), name, true},
		{"moved tag", tag(), "01JDMB4W1YNJZQR7K8F3A2H5P8", false},
		{"text after the signature", tag() + "more\n", name, false},
		{"no signature", strings.TrimSuffix(tag(), armor), name, false},
		{"two signatures", tag() + armor, name, false},
		{"gpgsig header", strings.Replace(tag(), "tagger", "gpgsig x\ntagger", 1), name, false},
		{"tag to tag", strings.Replace(tag(), "type blob", "type tag", 1), name, false},
		{"another blob", strings.Replace(tag(), "object 4", "object 5", 1), name, false},
		{"another digest", strings.Replace(tag(), "sha256:", "sha256:0", 1), name, false},
		{
			"headers out of order", strings.Replace(tag(), "type blob\ntag "+name, "tag "+name+"\ntype blob", 1),
			name, false,
		},
		{"zero byte", tag() + "\x00", name, false},
		{"too large", strings.Repeat("x", sign.MaxTag+1), name, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := sign.Examine([]byte(tt.raw), tt.under, object, data)
			if fits := err == nil; fits != tt.fits {
				t.Errorf("Examine says %v, want that it fits: %t", err, tt.fits)
			}
		})
	}
}

// SPEC.
func TestParseTag_refuses(t *testing.T) {
	t.Parallel()
	change := func(old, by string) string { return strings.Replace(tag(), old, by, 1) }
	tests := []struct{ name, raw string }{
		{"empty", ""},
		{"no message", strings.Replace(tag(), "\n\n", "\n", 2)},
		{"not UTF-8", change("A <", "A\xff <")},
		{"digest twice", change("Ltm-Store: s\n", "Ltm-Digest: sha256:"+strings.Repeat("0", 64)+"\n")},
		{
			"digest twice in other letters",
			change("Ltm-Store: s\n", "ltm-digest: sha256:"+strings.Repeat("0", 64)+"\n"),
		},
		{"store twice", change("Ltm-Store: s\n", "Ltm-Store: s\nLtm-Store: s\n")},
		{"format twice", change("Ltm-Format: 1\n", "Ltm-Format: 1\nLtm-Format: 2\n")},
		{"short digest", change("sha256:", "sha256:\n")},
		{"object in capitals", change(object, strings.ToUpper(object))},
		{"object of no length", change(object, object[1:])},
		{"tagger without a time", change(" 1795232477 +0000", "")},
		{"tagger without a zone", change(" +0000", "")},
		{"tagger of a time with a zero before it", change("1795232477", "01795232477")},
		{"tagger before all time", change("1795232477", "-1")},
		{"header twice", change("tagger ", "tagger A <a@example.com> 1 +0000\ntagger ")},
		{"end of another signature", change("END SSH", "END PGP")},
		{"no line break at the end", strings.TrimSuffix(tag(), "\n")},
		{"empty line at the end", tag() + "\n"},
		{"marker in the message", change("ltm record", "-----BEGIN PGP SIGNATURE-----\nltm record")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.raw == tag() {
				t.Fatal("the case changes nothing")
			}
			if got, err := sign.ParseTag([]byte(tt.raw)); !errors.Is(err, sign.ErrTag) || got.Name != "" {
				t.Errorf("ParseTag = %+v, %v, want ErrTag", got, err)
			}
		})
	}
}

// A tag is one of a record only if its message is exactly that of.
// SPEC.
func TestTag_Formed(t *testing.T) {
	t.Parallel()
	change := func(old, by string) string { return strings.Replace(tag(), old, by, 1) }
	tests := []struct {
		name, raw string
		want      bool
	}{
		{"as written", tag(), true},
		{"without a store", change("Ltm-Store: s\n", ""), true},
		{"another subject", change("ltm record ", "Ltm record "), false},
		{"another format", change("Ltm-Format: 1", "Ltm-Format: 2"), false},
		{"no format", change("Ltm-Format: 1\n", ""), false},
		{"no digest", change("Ltm-Digest", "Digest"), false},
		{"trailers in other letters", change("Ltm-Store", "ltm-store"), false},
		{"text between", change("Ltm-Format", "text\nLtm-Format"), false},
		{"text behind", change("Ltm-Store: s\n", "Ltm-Store: s\ntext\n"), false},
		{"empty store", change("Ltm-Store: s", "Ltm-Store: "), false},
		{"blank in the store", change("Ltm-Store: s", "Ltm-Store: s t"), false},
		{"store of letters beyond ASCII", change("Ltm-Store: s", "Ltm-Store: ß"), false},
		{"carriage return", change("Ltm-Format: 1", "Ltm-Format: 1\r"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := sign.ParseTag([]byte(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			if got.Formed() != tt.want {
				t.Errorf("Formed = %v, want %v", got.Formed(), tt.want)
			}
		})
	}
}

// Of a signature of another form nothing is said here, or it is bad.
// SPEC.
func TestTrust_Verify_forms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		label string
		form  sign.Form
		want  string
	}{
		{"SIGNED MESSAGE", sign.FormX509, "undecided"},
		{"PGP MESSAGE", "", "bad"},
		{"PGP SIGNATURE", sign.FormOpenPGP, "bad"},
		{"SSH SIGNATURE", sign.FormSSH, "bad"},
		{"SSH SIGNATURE-----x", "", "bad"},
	}
	for _, tt := range tests {
		t.Run(tt.label, func(t *testing.T) {
			t.Parallel()
			got, err := sign.ParseTag([]byte(strings.ReplaceAll(tag(), "SSH SIGNATURE", tt.label)))
			if err != nil {
				t.Fatal(err)
			}
			standing, v := judged(t, sign.Trust{}, got, now)
			if standing != tt.want || got.Form() != tt.form {
				t.Errorf("Verify = %q (%s) of form %q, want %q of %q", standing, v.Why, got.Form(), tt.want,
					tt.form)
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
	for _, s := range []sign.Standing{
		sign.Good, sign.Local, sign.Expired, sign.Unknown, sign.Unsigned,
		sign.Foreign,
	} {
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
