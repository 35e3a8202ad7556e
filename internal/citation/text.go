package citation

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/git"
)

// compareAll compares the lines of what is still open.
func (c *check) compareAll(ctx context.Context) {
	for _, p := range c.openPlaces() {
		if c.fault != nil {
			return
		}
		state := c.judgeCite(ctx, p)
		if state == Changed && p.vague {
			state = Unknown
		}
		p.State, p.decided = state, true
	}
}

// judgeCite compares the lines of one place. A file without lines is told by its object alone.
func (c *check) judgeCite(ctx context.Context, p *citing) State {
	now := c.now[p.path]
	p.Now = p.Cite
	p.Now.Path = p.path
	if p.base == now.oid {
		return p.movedState()
	}
	old, is := c.textOf(ctx, p.base), c.textNow(ctx, now)
	switch {
	case c.fault != nil || !old.here || !is.here || c.left < 0:
		return Unknown
	case old.lines == nil || is.lines == nil:
		return Changed
	case p.Cite.Line == 0 && !equalLines(old.lines, is.lines):
		return Changed
	case p.Cite.Line == 0:
		return p.movedState()
	case p.Cite.Line > len(old.lines):
		return Unknown
	}
	s := span{from: p.Cite.Line - 1, to: min(max(p.Cite.EndLine, p.Cite.Line), len(old.lines))}
	at, ok := s.findSpan(old.lines, is.lines)
	if !ok {
		return Changed
	}
	p.Now.Line += at - s.from
	if p.Now.EndLine > 0 {
		p.Now.EndLine += at - s.from
	}
	return p.movedState()
}

// movedState tells a place that stands elsewhere from one that stands where it stood.
func (p *citing) movedState() State {
	if p.Now.Line == p.Cite.Line && strings.TrimSuffix(p.Cite.Path, "/") == p.Now.Path {
		return OK
	}
	return Moved
}

// citedText is the lines of an object.
type citedText struct {
	here  bool     // the object is here, whether it has lines or not
	lines []string // nil where it has none: it is large, or no text
}

// textOf returns the lines of an object.
func (c *check) textOf(ctx context.Context, oid string) citedText {
	if text, known := c.texts[oid]; known {
		return text
	}
	typ, data, err := c.readObject(ctx, oid, maxCitedFile)
	if err != nil && !git.IsUnread(err) {
		c.noteFault(err)
		return citedText{}
	}
	text := citedText{here: !errors.Is(err, git.ErrMissing)}
	if err == nil && typ == "blob" {
		text.lines = c.splitLines(data)
	}
	c.texts[oid] = text
	return text
}

// textNow returns the lines that stand at a path now.
func (c *check) textNow(ctx context.Context, now *presence) citedText {
	if !now.dirty {
		return c.textOf(ctx, now.oid)
	}
	if !now.disk.read {
		return citedText{here: true}
	}
	text, known := c.texts[now.oid]
	if !known {
		text = citedText{here: true, lines: c.splitLines(now.disk.data)}
		c.texts[now.oid] = text
	}
	return text
}

// splitLines returns the lines of a text, as long as not too much was compared already.
func (c *check) splitLines(data []byte) []string {
	c.left -= int64(len(data))
	if isBinary(data) || c.left < 0 {
		return nil
	}
	return textLines(data)
}

// textLines are the lines of a text without the blanks at their ends: what is indented anew, or ends in
// another way, says the same. The last line end begins no line.
func textLines(text []byte) []string {
	raw := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	lines := make([]string, len(raw))
	for i, line := range raw {
		lines[i] = string(bytes.TrimSpace(line))
	}
	return lines
}

// isBinary tells whether a content has no lines, as git decides it.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
}

// span is some lines of a text, from the first, counted from 0, to the one behind the last.
type span struct{ from, to int }

// findSpan says where the lines of a span of old stand in now, and whether they stand there at all: at the
// same place, as far below what follows or behind what precedes them as before, or else where their
// surroundings are most alike.
func (s span) findSpan(old, now []string) (at int, ok bool) {
	block := old[s.from:s.to]
	if s.to <= len(now) && equalLines(block, now[s.from:s.to]) {
		return s.from, true
	}
	if tail := sameEnd(old, now); s.from >= len(old)-tail {
		return s.from + len(now) - len(old), true
	}
	best := -1
	for _, i := range matchLines(block, now) {
		// Counts the lines before and behind a span that stand before and behind another place as well.
		around := 0
		for k := 1; k <= lookedAround && s.from-k >= 0 && i-k >= 0 && old[s.from-k] == now[i-k]; k++ {
			around++
		}
		end := i + s.to - s.from
		for k := 0; k < lookedAround && s.to+k < len(old) && end+k < len(now) &&
			old[s.to+k] == now[end+k]; k++ {
			around++
		}
		if !isDistinct(block) && around < 2 {
			continue
		}
		if around > best || around == best && lineDistance(i, s.from) < lineDistance(at, s.from) {
			best, at, ok = around, i, true
		}
	}
	return at, ok
}

// lookedAround is how many lines on either side of a place are compared.
const lookedAround = 20

// isDistinct tells whether lines say enough to be known again anywhere: a closing bracket does not.
func isDistinct(block []string) bool {
	const least = 8
	n := 0
	for _, line := range block {
		for _, r := range line {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
		if n >= least {
			return true
		}
	}
	return false
}

// mostCompares is how many lines are compared to find others: those that say the same all over are many.
const mostCompares = 1 << 22

// matchLines are the places at which lines stand among others.
func matchLines(block, lines []string) (found []int) {
	left := mostCompares
	for i := 0; i+len(block) <= len(lines) && left > 0; i++ {
		same := 0
		for same < len(block) && lines[i+same] == block[same] {
			same++
		}
		if left -= same + 1; same == len(block) {
			found = append(found, i)
		}
	}
	return found
}

// sameEnd counts the lines at the end of two texts that are the same.
func sameEnd(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func equalLines(a, b []string) bool {
	return len(a) == len(b) && sameEnd(a, b) == len(a)
}

func lineDistance(a, b int) int { return max(a-b, b-a) }
