package layouts

import (
	"slices"
	"strconv"
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
	// The keyword is a prefix in its exact case. A run of capitals and digits that merely holds it is no
	// token.
	before := lex.ByteBefore(text, keyword.Start)
	if s.Alone && (lex.IsAlnum(before) || s.Mixed && before != '=' && lex.IsBase64(before)) ||
		s.Exact && s.Lead == 0 && s.Body(before) && !s.Alone ||
		!slices.Contains(s.Prefixes, keyword.Of(text)) {
		return lex.Span{}, false
	}
	start := keyword.Start
	if s.Lead > 0 {
		start = lex.Back(text, start, max(0, start-s.Lead-1), s.Body)
	}
	limit := min(len(text), keyword.End+judged)
	var end int
	ok := true
	if s.Layout != "" {
		end, ok = s.Layout.matchAt(text, keyword.End)
	} else {
		end = lex.Run(text, keyword.End, limit, s.Body)
	}
	if !ok || keyword.Start-start != s.Lead {
		return lex.Span{}, false
	}
	if s.Layout != "" || end < limit || limit == len(text) {
		end = keyword.End + len(strings.TrimRight(text[keyword.End:end], "."))
	}
	body := text[keyword.End:end]
	if s.Layout == "" && (len(body) < s.Min || s.Exact && len(body) > s.Min) {
		return lex.Span{}, false
	}
	body = text[start:keyword.Start] + body
	if s.Digit && !lex.HasDigit(body) || s.Mixed && (!judge.IsJumbled(body) ||
		judge.IsUUID(text[keyword.Start:min(len(text), keyword.Start+36)])) ||
		s.Part != 0 && strings.IndexByte(body, s.Part) < 0 ||
		!lex.HasDigit(body) && judge.IsIdentifier(body) || judge.IsPlaceholder(body) {
		return lex.Span{}, false
	}
	if end == limit && s.Layout == "" {
		end += len(strings.TrimRight(text[end:lex.Run(text, end, len(text), s.Body)], "."))
	}
	return lex.Between(start, end), true
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
		class := lex.ClassOf(l[i])
		if class == nil {
			end, ok := at+1, lex.ByteAt(text, at) == l[i]
			if l[i] == 'U' {
				end, ok = uuidLayout.matchAt(text, at)
			}
			if !ok {
				return 0, false
			}
			at, i = end, i+1
			continue
		}
		least, most, next := l.Count(i + 1)
		end := lex.Run(text, at, min(len(text), at+most+1), class)
		open := most == maxPart && next == len(l)
		if end-at < least || end-at > most && !open {
			return 0, false
		}
		if open {
			end = lex.Run(text, end, len(text), class)
		}
		at, i = end, next
	}
	return at, true
}

// Count reads how many bytes a part has, and returns where the next begins.
func (l Layout) Count(at int) (least, most, next int) {
	least, next = l.number(at)
	switch most = least; {
	case strings.HasPrefix(string(l[next:]), "+"):
		most, next = maxPart, next+1
	case strings.HasPrefix(string(l[next:]), ","):
		most, next = l.number(next + 1)
	}
	return least, most, next
}

func (l Layout) number(at int) (value, next int) {
	next = lex.Run(string(l), at, len(l), lex.IsDigit)
	value, _ = strconv.Atoi(string(l[at:next]))
	return value, next
}

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
