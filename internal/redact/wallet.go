package redact

import (
	"crypto/sha256"
	"sort"
	"strings"
)

// findWalletKey looks for a private key near its name, mostly behind it.
func findWalletKey(text string, keyword span) (span, bool) {
	const reach, reachBack = 64, 100
	if !isWhole(text, keyword) {
		return span{}, false
	}
	behind := text[keyword.end:min(len(text), keyword.end+reach+130)]
	if secret, ok := walletKeyIn(behind, reach); ok && speaksOfKey(text, keyword, keyword.end+secret.start) {
		return span{keyword.end + secret.start, keyword.end + secret.end}, true
	}
	if c := fold(text[keyword.start]); c != 'p' && c != 'd' { // A comment behind the value.
		return span{}, false
	}
	from := max(0, keyword.start-reachBack)
	before := text[from:keyword.start]
	line := strings.LastIndexByte(before, '\n') + 1
	secret, ok := walletKeyIn(before[line:], len(before)-line)
	return span{from + line + secret.start, from + line + secret.end},
		ok && strings.Contains(before[line:][secret.end:], "//")
}

// speaksOfKey says whether the words around the name of a chain or of an
// account speak of a key, and not of a transaction or an address.
func speaksOfKey(text string, keyword span, to int) bool {
	return !words("chain-word").withinFold(text[keyword.start:to]) &&
		words("wallet-word").withinFold(text[max(0, keyword.start-32):to])
}

// isWhole says whether a keyword of few letters is a word by itself.
func isWhole(text string, keyword span) bool {
	return keyword.end-keyword.start > 3 ||
		!isLetter(byteBefore(text, keyword.start)) && !isLetter(byteAt(text, keyword.end))
}

// walletKeyIn returns the first private key that begins within reach.
func walletKeyIn(text string, reach int) (span, bool) {
	for at := 0; at < min(len(text), reach); {
		if !isAlnum(text[at]) {
			at++
			continue
		}
		end := run(text, at, len(text), isAlnum)
		if isWalletKey(text[at:end]) && !isPlaceholder(text[at:end]) {
			return span{at, end}, !words("harmless-gap").within(text[:at])
		}
		at = end
	}
	return span{}, false
}

// isWalletKey says whether s is written as a private key is: 32 or 64 bytes in
// hexadecimal digits, or base58 of one of the lengths in use.
func isWalletKey(s string) bool {
	digits := strings.TrimPrefix(s, "0x")
	if len(digits) == 64 || len(digits) == 128 {
		return run(digits, 0, len(digits), isHex) == len(digits)
	}
	n := classesOf(s)
	if run(s, 0, len(s), isBase58) < len(s) || n.digit == 0 || n.upper == 0 || n.lower == 0 {
		return false
	}
	switch len(s) {
	case 51, 52:
		return strings.IndexByte("5KLc9", s[0]) >= 0
	case 29:
		return s[0] == 's' // A seed of Ripple.
	case 86, 87, 88:
		return true
	default:
		return false
	}
}

// Sizes of the list of words and of a phrase.
const (
	seedWidth = 8
	seedCount = 2048
	minPhrase = 12
	maxPhrase = 24
)

// findPhrase finds a phrase behind its name, or one whose last word confirms
// the others.
func findPhrase(text string, keyword span) (span, bool) {
	if keyword.end-keyword.start > 2 {
		at := keyword.end
		const reach = 48
		for limit := min(len(text), at+reach); at < limit; {
			at = run(text, at, limit, func(c byte) bool { return !isLetter(c) })
			words := phraseAt(text, at)
			if n := len(words); n >= minPhrase {
				size := min(maxPhrase, n-n%3)
				for from := range n - size + 1 {
					if hasChecksum(text, words[from:from+size]) {
						return span{words[from].start, words[from+size-1].end}, true
					}
				}
				return span{words[0].start, words[size-1].end}, isVaried(text, words)
			}
			if len(words) > 0 {
				at = words[len(words)-1].end
			}
			at = run(text, at, len(text), isLetter)
		}
		return span{}, false
	}
	return findBarePhrase(text, keyword.start+1)
}

// isVaried says whether words are not all the same few.
func isVaried(text string, words []span) bool {
	seen := map[string]bool{}
	for _, word := range words {
		seen[word.of(text)] = true
	}
	return len(seen) >= len(words)/2
}

// findBarePhrase looks for a phrase around the word at text[at].
func findBarePhrase(text string, at int) (span, bool) {
	end := run(text, at, min(len(text), at+seedWidth+1), isLower)
	if end-at < 3 || end-at > seedWidth || !isSpace(byteAt(text, end)) || seedNumber(text[at:end]) < 0 {
		return span{}, false
	}
	for range maxPhrase {
		start := back(text, at-1, max(0, at-2-seedWidth), isLower)
		if at < 2 || !isSpace(text[at-1]) || at-1-start < 3 || seedNumber(text[start:at-1]) < 0 {
			break
		}
		if strings.IndexByte("scpda", text[start]) >= 0 && start > 0 && isSpace(text[start-1]) {
			return span{}, false // The keyword in front of that word has been asked already.
		}
		at = start
	}
	words := phraseAt(text, at)
	if len(words) > maxPhrase+2 { // The list itself, or a text made of its words.
		return span{}, false
	}
	for size := maxPhrase; size >= minPhrase; size -= 3 {
		for from := 0; from+size <= len(words); from++ {
			if part := words[from : from+size]; hasChecksum(text, part) && isVaried(text, part) {
				return span{part[0].start, part[size-1].end}, true
			}
		}
	}
	return span{}, false
}

// phraseAt returns the words of the list that stand at text[at], up to a few
// more than a phrase has. Numbers, quotes and commas may stand between them.
func phraseAt(text string, at int) []span {
	var words []span
	for len(words) < maxPhrase+4 {
		end := run(text, at, min(len(text), at+seedWidth+1), isLetter)
		if end-at < 3 || end-at > seedWidth || seedNumber(text[at:end]) < 0 {
			break
		}
		words = append(words, span{at, end})
		at = run(text, end, min(len(text), end+8), isBetweenWords)
		if at == end {
			break
		}
	}
	return words
}

func isBetweenWords(c byte) bool {
	return isSpace(c) || isDigit(c) || strings.IndexByte(`,.;"'-_)(|`, c) >= 0
}

// seedNumber returns the number of a word in the list, or -1.
func seedNumber(word string) int {
	if len(word) > seedWidth {
		return -1
	}
	key := [seedWidth]byte{' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '}
	for i := range len(word) {
		key[i] = fold(word[i])
	}
	n := sort.Search(seedCount, func(i int) bool { return seedWord(i) >= string(key[:]) })
	if n < seedCount && seedWord(n) == string(key[:]) {
		return n
	}
	return -1
}

// seedWord returns a word of seedTable, filled up with blanks. A line has 16
// of them and two bytes behind them.
func seedWord(n int) string {
	at := n*seedWidth + n/16*2
	return seedTable[at : at+seedWidth]
}

// hasChecksum says whether the last bits of a phrase are the checksum of the
// others.
func hasChecksum(text string, words []span) bool {
	const bitsOfWord = 11
	var bits [maxPhrase*bitsOfWord/8 + 1]byte
	at := 0
	for _, word := range words {
		number := seedNumber(word.of(text))
		for i := bitsOfWord - 1; i >= 0; i-- {
			bits[at/8] |= byte(number>>i&1) << (7 - at%8)
			at++
		}
	}
	checked := len(words) / 3 // Bits of the checksum.
	entropy := (len(words)*bitsOfWord - checked) / 8
	sum := sha256.Sum256(bits[:entropy])
	return sum[0]>>(8-checked) == bits[entropy]>>(8-checked)
}
