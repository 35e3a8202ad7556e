package forms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// NormaliseText returns the text without characters that do not show, with wide
// forms, odd blanks and look-alike letters as ASCII, if that changes it.
func NormaliseText(text string) []Form {
	first := lex.Run(text, 0, len(text),
		func(c byte) bool { return !lex.IsBeyond(c) && (c >= ' ' || lex.IsSpace(c)) })
	var b builder
	b.keepBytes(text, lex.Between(0, first))
	changed := false
	for i := first; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == 0x1b && lex.ByteAt(text, i+1) == '[' { // A sequence for a terminal.
			end := lex.Run(text, i+2, min(len(text), i+34), func(c byte) bool { return 0x20 <= c && c < 0x40 })
			size = min(end+1, len(text)) - i
		}
		from := lex.Between(i, i+size)
		i += size
		plain, ok := plainForm(r)
		if !ok {
			b.keepBytes(text, from)
			continue
		}
		changed = true
		b.addText(plain, from)
	}
	if !changed {
		return nil
	}
	return []Form{b.asForm()}
}

// Plain returns a text as its letters look: without characters that do not show, and with wide, styled and
// look-alike letters as ASCII.
func Plain(text string) string {
	if forms := NormaliseText(text); len(forms) > 0 {
		return forms[0].Text
	}
	return text
}

// plainForm returns the ASCII that stands for r, which may be nothing, and
// whether there is one.
func plainForm(r rune) (string, bool) {
	if c := styledLetter(r); c != 0 {
		return string(c), true
	}
	switch {
	case r < ' ':
		return "", r != '\n' && r != '\r' && r != '\t'
	case r < utf8.RuneSelf:
		return "", false
	case 0xFF01 <= r && r <= 0xFF5E:
		return string(r - 0xFEE0), true
	case isHidden(r):
		return "", true
	case unicode.Is(unicode.Zs, r):
		return " ", true
	}
	for _, row := range lookAlikes() {
		if i := strings.IndexRune(row.odd, r); i >= 0 {
			return row.plain[utf8.RuneCountInString(row.odd[:i]):][:1], true
		}
	}
	return "", false
}

// styledLetter returns the letter or digit that r is a bold, circled or other form
// of, or 0.
func styledLetter(r rune) rune {
	const letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0123456789"
	for _, row := range [...]struct {
		first, last rune
		plain       string
	}{
		{0x1D400, 0x1D6A3, letters},
		{0x24B6, 0x24E9, letters},
		{0x1D7CE, 0x1D7FF, digits},
		{0x2460, 0x2468, digits[1:]},
		{0x1F130, 0x1F149, letters[:26]},
		{0x1F150, 0x1F169, letters[:26]},
		{0x1F170, 0x1F189, letters[:26]},
	} {
		if row.first <= r && r <= row.last {
			return rune(row.plain[int(r-row.first)%len(row.plain)])
		}
	}
	return 0
}

// isHidden says whether r takes no room when it is shown, or is taken out before
// it is shown: what package clean takes out must not hide a secret here.
func isHidden(r rune) bool {
	mark := 0x0300 <= r && r <= 0x036F || 0x20D0 <= r && r <= 0x20FF // Over and through a letter.
	return mark || r >= 0xA0 && clean.IsForbidden(r) || unicode.Is(unicode.Cf, r)
}

// lookAlikes returns pairs of letters and signs of other scripts and the ASCII that
// they are taken for.
func lookAlikes() [5]struct{ odd, plain string } {
	return [...]struct{ odd, plain string }{
		{"авекмнорстухіѕјһԁԛԝүғ", "aBeKMHopcTyxisjhdqwyf"},
		{"АВЕКМНОРСТУХІЅЈԌԚԜҮ", "ABEKMHOPCTYXISJGQWY"},
		{"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ", "ABEZHIKMNOPTYXovp"},
		{"ℎɡ‿ˍ⓪", "hg__0"},
		{"∕⁄╱∖﹨․。：﹕‐‑‒–−﹘﹣＿﹍", `///\\..::-------__`},
	}
}
