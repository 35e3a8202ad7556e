package deadend

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/words"
)

// pieceKind says what a piece of a text is.
type pieceKind int

const (
	plainPiece  pieceKind = iota // a word
	numberPiece                  // 100, 3.11, v2
	flagPiece                    // --force
	joinedPiece                  // a name made of the pieces that follow it: sync.Map
)

// piece is a part of a text that words are compared by.
type piece struct {
	kind  pieceKind
	text  string // as it stands
	key   string // what is compared
	count int    // of a joined piece: how many pieces after it are its parts
}

// splitPieces splits what stands between two blanks. Names are given whole and in
// parts; the segments of a path one after the other.
func splitPieces(word string) []piece {
	if len(word) < 2 || word[0] != '-' || isDigit(word[1]) {
		return plainPieces(word)
	}
	name, value, _ := strings.Cut(word, "=")
	return append([]piece{{kind: flagPiece, text: name, key: name}}, plainPieces(value)...)
}

// plainPieces splits at what separates names.
func plainPieces(word string) (found []piece) {
	for name := range strings.FieldsFuncSeq(word, endsName) {
		if name = strings.Trim(name, ".,'’"); name != "" {
			found = appendName(found, name)
		}
	}
	return found
}

// endsName says whether a name ends at r.
func endsName(r rune) bool {
	return !strings.ContainsRune("._-,'’", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
		!unicode.Is(unicode.Mn, r)
}

func isDigit(ch byte) bool { return '0' <= ch && ch <= '9' }

// appendName appends a name whole, where it has more than one part, and its parts.
func appendName(found []piece, name string) []piece {
	if number, ok := numberOf(name); ok {
		return append(found, piece{kind: numberPiece, text: name, key: number})
	}
	parts := nameParts(name)
	if len(parts) > 1 {
		key := Stem(strings.Join(parts, ""))
		found = append(found, piece{kind: joinedPiece, text: name, key: key, count: len(parts)})
	}
	for _, text := range parts {
		p := piece{kind: plainPiece, text: text}
		if number, ok := numberOf(text); ok {
			p.kind, p.key = numberPiece, number
		} else {
			p.key = Stem(text)
		}
		found = append(found, p)
	}
	return found
}

// nameParts splits at joining characters, at capitals within a word, and before digits:
// "maxOpenConns2" is max, Open, Conns, 2. What has single letters stays whole, as "s3" and "k8s"
// do.
func nameParts(name string) (parts []string) {
	if !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return []string{name}
	}
	for _, segment := range words.Segments(name) {
		pieces := words.Pieces(segment)
		if slices.ContainsFunc(pieces, func(p string) bool { return len(p) == 1 && !isDigit(p[0]) }) {
			pieces = []string{segment}
		}
		parts = append(parts, pieces...)
	}
	return parts
}

// numberOf returns the key of a number or a version, without its unit.
func numberOf(s string) (string, bool) {
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "v"), "V")
	if digits == "" || !isDigit(digits[0]) {
		return "", false
	}
	end := 0
	for end < len(digits) && (isDigit(digits[end]) || strings.IndexByte(".,_", digits[end]) >= 0) {
		end++
	}
	unit := strings.ToLower(digits[end:])
	if unit != "" && !isAmong("ms s m h d k kb kib mb mib gb gib g x sec min px rps qps", unit) {
		return "", false
	}
	number := strings.TrimRight(digits[:end], ".,_")
	return "#" + strings.ReplaceAll(strings.ReplaceAll(number, ",", ""), "_", ""), true
}
