package index

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The words of a record are kept as lines of words: one of what holds for the whole record, and two for each
// item, of which the first is what it says first. A name that stands for several words is marked, since it
// has no place of its own.
const nameMark = '='

// mostCached is how many things that stand between spaces are remembered with their words: most come again
// and again.
const mostCached = 1 << 15

// reader keeps what it read lately, and where records are put together.
type reader struct {
	lines map[string]string // lines are those of chunks.
	out   []byte
}

// appendLine appends the words of a text.
func (l *reader) appendLine(out []byte, text string) []byte {
	for {
		var chunk string
		if chunk, text = words.Next(text); chunk == "" {
			return out
		}
		line, ok := l.lines[chunk]
		if !ok {
			w := words.Read(chunk)
			for _, key := range w.Parts {
				line += key + " "
			}
			for _, key := range w.Names {
				line += string(nameMark) + key + " "
			}
			if l.lines == nil || len(l.lines) >= mostCached {
				l.lines = map[string]string{}
			}
			l.lines[strings.Clone(chunk)] = line
		}
		out = append(out, line...)
	}
}

// wordsOf returns the words of a record.
func (l *reader) wordsOf(c packet.Content) string {
	out := l.out[:0]
	for _, list := range [][]string{c.Tags, {c.Topic}, c.Paths} {
		for _, text := range list {
			out = l.appendLine(out, text)
		}
	}
	out = append(out, '\n')
	for _, item := range c.Items {
		out = append(l.appendLine(out, item.Text), '\n')
		out = append(l.appendLine(out, item.Why), '\n')
	}
	l.out = out
	return string(out)
}

// countPlaces counts the words of a line that have a place.
func countPlaces(line string) int {
	count := strings.Count(line, " ")
	if count > 0 {
		count -= strings.Count(line, string(nameMark))
	}
	return count
}
