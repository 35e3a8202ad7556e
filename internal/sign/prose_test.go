package sign_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/sign"
)

func TestProse(t *testing.T) {
	t.Parallel()
	payload := string(sign.Statement{
		Object: strings.Repeat("a", 40), Name: "01JDMB4W1YNJZQR7K8F3A2H5P9",
		Tagger: "Ada Tester <ada@example.com> 1767323045 +0000", Data: []byte("{}"),
	}.Payload())
	armored := func(label, body string) string {
		return "-----BEGIN " + label + "-----\n" + body + "-----END " + label + "-----\n"
	}
	line := strings.Repeat("AbC1", 16) + "\n"
	for _, c := range []struct{ name, signature, want string }{
		{"ssh", armored("SSH SIGNATURE", line+line), ""},
		{"x509", armored("SIGNED MESSAGE", line+"AbC1\n"), ""},
		{"openpgp", armored("PGP SIGNATURE", "\n"+line), "\n"},
		{
			"openpgp with a header", armored("PGP SIGNATURE", "Comment: some words\nHash: x\n\n"+line),
			"\nComment: some words\nHash: x\n",
		},
		{"ssh with other text", armored("SSH SIGNATURE", line+"some words\n"), "all"},
		{"openpgp with other text", armored("PGP SIGNATURE", "\nsome words\n"+line), "all"},
		{"openpgp with a wrong checksum", armored("PGP SIGNATURE", "\n"+line+"=AbC1\n"), "all"},
		{"x509 with other text", armored("SIGNED MESSAGE", "some words\n"), "all"},
		{"no signature of ours", armored("PGP MESSAGE", "\n"+line), "all"},
		{"text behind it", armored("SSH SIGNATURE", line) + "some words\n", "all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := payload + c.want
			if c.want == "all" {
				want = payload + c.signature
			}
			if diff := cmp.Diff(want, string(sign.Prose([]byte(payload+c.signature)))); diff != "" {
				t.Errorf("Prose (-want +got):\n%s", diff)
			}
		})
	}
}
