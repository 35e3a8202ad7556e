package layouts

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// judged is how much of a long token is looked at to decide what it is.
const judged = 200

// A shape describes tokens that have a prefix of their own.
type Shape struct {
	Prefixes []string // required, in their exact case
	Body     func(byte) bool
	Min      int    // The least length of the body.
	Layout   Layout // In place of body and min, for a body of several parts.
	Lead     int    // How many bytes of the body stand in front of the prefix.
	Exact    bool   // The body has min bytes and no more.
	Alone    bool   // No letter or digit stands in front, or with mixed no other digit of base64.
	Digit    bool   // The body has a digit.
	Mixed    bool   // The body is jumbled.
	Part     byte   // The body has this byte inside.
}

func (s *Shape) FindShape(text string, keyword lex.Span) (lex.Span, bool) {
	if !s.beginsToken(text, keyword) {
		return lex.Span{}, false
	}
	start, ok := s.tokenStart(text, keyword)
	if !ok {
		return lex.Span{}, false
	}
	limit := min(len(text), keyword.End+judged)
	end, ok := s.tokenEnd(text, keyword.End, limit)
	if !ok || !s.isPlausible(text[start:keyword.Start], text[keyword.End:end]) {
		return lex.Span{}, false
	}
	if end == limit && s.Layout == "" {
		end += len(strings.TrimRight(text[end:lex.Run(text, end, len(text), s.Body)], "."))
	}
	return lex.Between(start, end), true
}

// beginsToken says whether the keyword is a prefix in its exact case and may
// begin a token where it stands.
func (s *Shape) beginsToken(text string, keyword lex.Span) bool {
	before := lex.ByteBefore(text, keyword.Start)
	if s.Alone && (lex.IsAlnum(before) || s.Mixed && before != '=' && lex.IsBase64(before)) {
		return false
	}
	// A run of capitals and digits that merely holds the prefix is no token.
	if s.Exact && s.Lead == 0 && s.Body(before) && !s.Alone {
		return false
	}
	return slices.ContainsFunc(s.Prefixes, func(prefix string) bool { return keyword.Of(text) == prefix })
}

// tokenStart returns where the token begins.
func (s *Shape) tokenStart(text string, keyword lex.Span) (int, bool) {
	if s.Lead == 0 {
		return keyword.Start, true
	}
	start := lex.Back(text, keyword.Start, max(0, keyword.Start-s.Lead-1), s.Body)
	return start, keyword.Start-start == s.Lead
}

// tokenEnd returns where the token ends that has its body at text[at].
func (s *Shape) tokenEnd(text string, at, limit int) (int, bool) {
	if s.Layout != "" {
		end, ok := s.Layout.matchAt(text, at)
		return at + len(strings.TrimRight(text[at:max(at, end)], ".")), ok
	}
	end := lex.Run(text, at, limit, s.Body)
	if end < limit || limit == len(text) {
		end = at + len(strings.TrimRight(text[at:end], "."))
	}
	return end, end-at >= s.Min && (!s.Exact || end-at == s.Min)
}

// isPlausible judges the parts of a token that are not its prefix.
func (s *Shape) isPlausible(lead, body string) bool {
	if s.Lead > 0 {
		body = lead + body
	}
	switch {
	case s.Digit && lex.ClassesOf(body).Digit == 0, s.Mixed && !judge.IsJumbled(body):
		return false
	case s.Part != 0 && strings.IndexByte(body, s.Part) < 0:
		return false
	}
	return (lex.HasDigit(body) || !judge.IsIdentifier(body)) && !judge.IsPlaceholder(body)
}

// A layout describes a text of several parts. A letter stands for a class of
// bytes and the number behind it for how many of them there are: "x8" is eight
// hexadecimal digits, "x8,12" eight to twelve, and "x8+" eight or more. A part
// takes as many bytes as it may, and no byte of its class may follow it. Signs
// stand for themselves, and U for the five groups of a UUID.
type Layout string

// maxPart bounds a part without an end of its own.
const maxPart = 256

const uuidLayout Layout = "x8-x4-x4-x4-x12"

// matchAt returns where a text of this layout ends that begins at text[at].
func (l Layout) matchAt(text string, at int) (int, bool) {
	for i := 0; i < len(l); {
		if l[i] == 'U' {
			end, ok := uuidLayout.matchAt(text, at)
			if !ok {
				return 0, false
			}
			at, i = end, i+1
			continue
		}
		class := lex.ClassOf(l[i])
		if class == nil {
			if lex.ByteAt(text, at) != l[i] {
				return 0, false
			}
			at, i = at+1, i+1
			continue
		}
		least, most, next := l.Count(i + 1)
		end := lex.Run(text, at, min(len(text), at+most+1), class)
		if most == maxPart && next == len(l) {
			end = lex.Run(text, end, len(text), class)
		} else if end-at > most {
			return 0, false
		}
		if end-at < least {
			return 0, false
		}
		at, i = end, next
	}
	return at, true
}

// Count reads how many bytes a part has, and returns where the next begins.
func (l Layout) Count(at int) (least, most, next int) {
	least, at = l.number(at)
	switch {
	case strings.HasPrefix(string(l[at:]), "+"):
		return least, maxPart, at + 1
	case strings.HasPrefix(string(l[at:]), ","):
		most, at = l.number(at + 1)
		return least, most, at
	default:
		return least, least, at
	}
}

func (l Layout) number(at int) (value, next int) {
	for at < len(l) && lex.IsDigit(l[at]) {
		value = value*10 + int(l[at]-'0')
		at++
	}
	return value, at
}

// Classes of bytes that tokens and paths are made of.

// minHash is the least length of the last part of a hash.
const minHash = 22

// findHash finds a hash that begins with the name of its kind.
func findHash(text string, keyword lex.Span) (lex.Span, bool) {
	if c := lex.ByteBefore(text, keyword.Start); lex.IsWord(c) || c == '$' {
		return lex.Span{}, false
	}
	colons := strings.Contains(keyword.Of(text), ":")
	end := lex.Run(text, keyword.End, min(len(text), keyword.End+2*judged), func(c byte) bool {
		return isHashPart(c) || colons && c == ':'
	})
	hash := strings.TrimRight(text[keyword.Start:end], ".:,*")
	last := hash[min(len(hash), keyword.End-keyword.Start):]
	if at := strings.LastIndexAny(last, "$:"); at >= 0 {
		last = last[at+1:]
	}
	n := lex.ClassesOf(last)
	ok := len(last) >= minHash && n.Lower+n.Upper > 0 && n.Digit > 0 &&
		lex.CountDistinct(last) > lex.FewDistinct &&
		!judge.IsIdentifier(last)
	return lex.Between(keyword.Start, keyword.Start+len(hash)), ok
}

func isHashPart(c byte) bool { return lex.IsBase64(c) || c == '$' || c == '.' || c == ',' }

// findPlaceholder finds a value that is given to the name of a secret and would be one if no word in it stood
// for any.
func findPlaceholder(text string, keyword lex.Span) (lex.Span, bool) {
	value := lex.Between(
		lex.Back(text, keyword.Start, max(0, keyword.Start-judge.MaxName), lex.IsDotted),
		lex.Run(text, keyword.End, min(len(text), keyword.End+judge.MaxName), lex.IsDotted))

	name, v := judge.NamedIn(text, value.Start), value.Of(text)
	return value, len(v) >= 12 && lex.ClassesOf(v).Digit > 1 && judge.IsPlaceholder(v) &&
		judge.KindOfName(name, lex.Between(0, len(name))) > judge.Keyed
}
