package redact

import "strings"

// A follow tells where the secret of an option stands.
type follow int

const (
	inNext  follow = iota + 1 // In the next word.
	inRest                    // In the rest of the same word.
	inBoth                    // In the rest of the same word, or else in the next.
	inGroup                   // In the next word, when the option ends a group of letters.
	behind                    // In the next word, when this one begins with the name.
	inPlace                   // In a word that is told by its number.
)

// A flag is one way to give a program its secret.
type flag struct {
	name  string
	how   follow
	cut   string // The sign in the value behind which the secret stands, or "".
	place int    // For inPlace: which of the words that are no options, or 0 for the last.
}

func parseFlags(notation string) []flag {
	var all []flag
	for word := range strings.FieldsSeq(notation) {
		all = append(all, parseFlag(word))
	}
	return all
}

// parseFlag reads the notation of commandTable. A name alone has its secret
// in the next word; "*" behind it means in the rest of the word, "?" in
// either, "+" at the end of a group of letters, "~" in the next word behind
// one that begins so; "#2" is the second word that is no option, "#0" the
// last. "@" and a sign mean that the secret stands behind that sign.
func parseFlag(word string) flag {
	var f flag
	word, f.cut, _ = strings.Cut(word, "@")
	if word[0] == '#' {
		f.how, f.place = inPlace, int(word[1]-'0')
		return f
	}
	f.name = strings.TrimRight(word, "*?+~")
	switch word[len(word)-1] {
	case '*', '=':
		f.how = inRest
	case '?':
		f.how = inBoth
	case '+':
		f.how = inGroup
	case '~':
		f.how = behind
	default:
		f.how = inNext
	}
	return f
}

// value returns the secret that the option gives at words[i].
func (f *flag) value(text string, words []span, i int) (span, bool) {
	if f.how == inPlace {
		return span{}, false
	}
	word := words[i]
	at := run(text, word.start, word.end, isQuoteSign)
	whole := strings.Trim(word.of(text), "\"'`\\,")
	if !strings.HasPrefix(text[at:word.end], f.name) && (f.how != inGroup || !f.endsGroup(whole)) {
		return span{}, false
	}
	switch {
	case f.how == behind:
		return f.next(text, words, i, func(w span) bool { return byteAt(text, w.start) == '/' })
	case f.how == inGroup && f.endsGroup(whole), f.how != inRest && f.how != inGroup && whole == f.name:
		return f.next(text, words, i, nil)
	case f.how == inRest, f.how == inBoth, f.how == inGroup:
		return f.rest(text, word, at+len(f.name))
	default:
		return span{}, false
	}
}

// endsGroup says whether word is a group of letters such as -sSu that ends
// with the letter of the option.
func (f *flag) endsGroup(word string) bool {
	return len(word) >= 2 && len(word) <= 8 && word[0] == '-' && run(word, 1, len(word), isLetter) == len(word) &&
		word[len(word)-1] == f.name[len(f.name)-1]
}

// next judges the word behind words[i] and those that skip names.
func (f *flag) next(text string, words []span, i int, skip func(span) bool) (span, bool) {
	for i++; i < len(words); i++ {
		if skip != nil && skip(words[i]) {
			continue
		}
		secret := unquoted(text, words[i])
		plain := secret.start == words[i].start && run(text, secret.start, secret.end, isLower) == secret.end
		if plain && inProse(text, words[i].end) {
			return span{}, false
		}
		return f.judge(text, secret)
	}
	return span{}, false
}

// rest judges what follows the name of the option in the same word.
func (f *flag) rest(text string, word span, at int) (span, bool) {
	long := len(f.name) > 2
	if long && f.how != inRest {
		if c := byteAt(text, at); at >= word.end || c != '=' && c != ':' {
			return span{}, false
		}
	}
	if c := byteAt(text, at); at < word.end && c == '=' {
		at++
	}
	return f.judge(text, argumentFrom(text, word, at))
}

// positional judges the last of bare, which are the words so far that are no
// options, if it has the number of the flag.
func (f *flag) positional(text string, bare []span) (span, bool) {
	if f.how != inPlace || f.place != len(bare) {
		return span{}, false
	}
	return f.judgeAlone(text, unquoted(text, bare[len(bare)-1]))
}

// last judges the last word that is no option, if the flag asks for it.
func (f *flag) last(text string, bare []span) (span, bool) {
	if f.how != inPlace || f.place != 0 || len(bare) == 0 {
		return span{}, false
	}
	return f.judgeAlone(text, unquoted(text, bare[len(bare)-1]))
}

// judgeAlone decides about a value that no option names, which must look like
// a secret.
func (f *flag) judgeAlone(text string, value span) (span, bool) {
	s := value.of(text)
	if f.cut == "" {
		name := run(s, 0, len(s), isWord)
		if !strongArgument(s) || name > 0 && name+1 < len(s) && s[name] == '=' && s[name+1] != '=' {
			return span{}, false
		}
	}
	return f.judge(text, value)
}

// judge decides about a value.
func (f *flag) judge(text string, value span) (span, bool) {
	secret, ok := f.part(text, value)
	if !ok {
		return span{}, false
	}
	return secret, secretArgument(secret.of(text))
}

// part returns the part of a value that is the secret.
func (f *flag) part(text string, value span) (span, bool) {
	s := value.of(text)
	for _, word := range [...]string{"pass:", "key:", "hexkey:"} {
		if strings.HasPrefix(s, word) {
			return span{value.start + len(word), value.end}, true
		}
	}
	if f.cut == "" {
		return value, !strings.HasPrefix(s, "file:") && !strings.HasPrefix(s, "env:") && !strings.HasPrefix(s, "fd:")
	}
	at := strings.Index(s, f.cut)
	if at < 0 {
		return value, f.cut == ":" && len(s) >= 20 && opaque(s)
	}
	secret := span{value.start + at + len(f.cut), value.end}
	rest := secret.of(text)
	switch {
	case f.cut == "/" || f.cut == ":" && f.how == inPlace:
		end := strings.LastIndexByte(rest, '@')
		return span{secret.start, secret.start + max(0, end)}, at > 0 && end > 0
	case strings.HasSuffix(f.cut, "="):
		end := strings.IndexByte(rest, ',')
		if end >= 0 {
			secret.end = secret.start + end
		}
		return secret, true
	case rest == "" || rest == "x-oauth-basic" || rest == "api_token":
		return span{value.start, value.start + at}, at >= 16 && opaque(s[:at])
	default:
		return secret, true
	}
}

// opaque says whether s is of letters and digits that no person made up.
func opaque(s string) bool {
	n := classesOf(s)
	return run(s, 0, len(s), isURLSafe) == len(s) && n.digit > 0 && n.lower+n.upper > 0 && !identifier(s) && !placeholder(s)
}
