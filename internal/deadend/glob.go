package deadend

import (
	"slices"
	"strings"
)

// maxGlob and maxPath bound what one comparison can cost.
const (
	maxGlob = 512
	maxPath = 4096
)

// pathRule is a glob that a rule has.
type pathRule struct {
	rule int
	glob string
}

// Glob says whether a pattern means a path. Both are relative to the top of
// the repository, with "/" between segments.
//
//   - "*" stands for any characters within a segment, "?" for one, and a segment
//     "**" for any number of segments. All else stands for itself.
//   - What means a directory means all that lies in it: "vendor" and "vendor/" mean
//     it too, "vendor/**" only what lies in it.
//   - A pattern with a "*" or "?" and without a "/" means names in any directory: "*.pb.go".
//
// The time is at most the product of both lengths; a pattern over 512 bytes
// and a path over 4096 match nothing.
func Glob(pattern, path string) bool {
	pattern, path = tidyPath(pattern), tidyPath(path)
	if pattern == "" || path == "" || len(pattern) > maxGlob || len(path) > maxPath {
		return false
	}
	segments := strings.Split(pattern, "/")
	if len(segments) == 1 && strings.ContainsAny(pattern, "*?") {
		segments = append([]string{"**"}, segments...)
	}
	below := "**"
	if segments[len(segments)-1] == "**" {
		below = "*"
	}
	segments = append(segments, below)
	return matchParts(segments, strings.Split(path, "/"), "**", matchSegment)
}

// IsGlobOf says whether a path is none but a pattern that means another one.
func IsGlobOf(pattern, path string) bool {
	return strings.ContainsAny(pattern, "*?") && Glob(pattern, path)
}

// tidyPath takes out what names the same place in more words.
func tidyPath(p string) string {
	p = strings.TrimSpace(p)
	for strings.HasPrefix(p, "./") {
		p = p[2:]
	}
	return strings.TrimRight(p, "/")
}

// matchSegment compares one segment.
func matchSegment(pattern, name string) bool {
	return matchParts([]rune(pattern), []rune(name), '*', func(p, n rune) bool { return p == '?' || p == n })
}

// matchParts compares a list with a pattern, in which many stands for any number of its parts. It goes back
// to the last of these only: what lies before it has matched the shortest way, and a longer one would leave
// less to the rest.
func matchParts[T comparable](pattern, list []T, many T, fits func(pattern, part T) bool) bool {
	i, j, star, mark := 0, 0, -1, 0
	for j < len(list) {
		switch {
		case i < len(pattern) && pattern[i] == many:
			star, mark = i, j
			i++
		case i < len(pattern) && fits(pattern[i], list[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	return !slices.ContainsFunc(pattern[i:], func(p T) bool { return p != many })
}

// byPath finds the rules whose path is among the paths of an action, or among those that its commands write
// or a prompt names.
func (r *Rules) byPath(run []shellCommand, paths []string, prompt *reading) []Match {
	var found []Match
	written := slices.Concat(writtenBy(run), prompt.paths)
	for _, rule := range r.paths {
		globs := []string{rule.glob}
		if strings.Contains(rule.glob, "/") && !strings.ContainsAny(rule.glob, "*?") &&
			strings.Contains(baseName(rule.glob), ".") {
			globs = append(globs, "**/"+tidyPath(rule.glob)) // A file, from above.
		}
		if p, ok := firstMatch(globs, paths); ok {
			found = append(found,
				Match{Rule: rule.rule, By: ByPath, On: []string{p}, Sure: r.sureOf(rule.rule, 0)})
			continue
		}
		if dir, all := strings.CutSuffix(rule.glob, "/**"); all {
			globs = append(globs, dir) // What takes a directory takes what lies in it.
		}
		if p, ok := firstMatch(globs, written); ok {
			found = append(found,
				Match{
					Rule: rule.rule, By: ByPath, On: []string{p},
					Sure: surenessAt(max(1, r.all[rule.rule].stepsBelow())),
				})
		}
	}
	return found
}

func firstMatch(globs, paths []string) (string, bool) {
	for _, p := range paths {
		if slices.ContainsFunc(globs, func(glob string) bool { return Glob(glob, p) }) {
			return p, true
		}
	}
	return "", false
}
