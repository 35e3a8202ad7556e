package main

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// maxPrefixes bounds how many beginnings of an expression are told apart.
const maxPrefixes = 64

// beginsWith says whether every match of re begins with a keyword, and every
// keyword begins some match.
func beginsWith(re *syntax.Regexp, keywords []string) bool {
	prefixes, _ := beginningsOf(re, []string{""})
	for _, prefix := range prefixes {
		if !slices.ContainsFunc(keywords, func(k string) bool { return strings.HasPrefix(prefix, k) }) {
			return false
		}
	}
	for _, k := range keywords {
		if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(p, k) }) {
			return false
		}
	}
	return true
}

// beginningsOf appends to each of the prefixes, in lower case, what re begins
// with, and says whether re is read to its end by that.
func beginningsOf(re *syntax.Regexp, prefixes []string) ([]string, bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText:
		return prefixes, true
	case syntax.OpLiteral:
		return appendEnd(prefixes, strings.ToLower(string(re.Rune))), true
	case syntax.OpCapture:
		return beginningsOf(re.Sub[0], prefixes)
	case syntax.OpCharClass:
		var runes []string
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				runes = append(runes, strings.ToLower(string(r)))
				if len(runes) > 6 {
					return prefixes, false
				}
			}
		}
		return joinEach(prefixes, runes)
	case syntax.OpAlternate:
		var all []string
		whole := true
		for _, sub := range re.Sub {
			some, end := beginningsOf(sub, prefixes)
			all, whole = append(all, some...), whole && end
		}
		if len(all) > maxPrefixes {
			return prefixes, false
		}
		return all, whole
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			var whole bool
			if prefixes, whole = beginningsOf(sub, prefixes); !whole {
				return prefixes, false
			}
		}
		return prefixes, true
	default:
		return prefixes, false
	}
}

func appendEnd(prefixes []string, end string) []string {
	var all []string
	for _, p := range prefixes {
		all = append(all, p+end)
	}
	return all
}

func joinEach(prefixes, ends []string) ([]string, bool) {
	var all []string
	for _, end := range ends {
		all = append(all, appendEnd(prefixes, end)...)
	}
	if len(all) > maxPrefixes {
		return prefixes, false
	}
	return all, true
}
