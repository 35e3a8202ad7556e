package index

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// The words of a record are kept as lines of lexemes: one of what holds for the whole record, and two for each item, of
// which the first is what it says first. A name that stands for several words is marked, since it has no place of its own.
const nameMark = '='

// mostCached is how many things that stand between spaces are remembered with their lexemes: most come again and again.
const mostCached = 1 << 14

// appendLine appends the lexemes of a text.
func (l *lexeme) appendLine(out []byte, text string) []byte {
	for {
		var chunk string
		if chunk, text = nextChunk(text); chunk == "" {
			return out
		}
		if line, ok := l.lines[chunk]; ok {
			out = append(out, line...)
			continue
		}
		l.read(chunk)
		from := len(out)
		for _, s := range l.parts {
			out = append(append(out, l.text(s)...), ' ')
		}
		for _, s := range l.names {
			out = append(append(append(out, nameMark), l.text(s)...), ' ')
		}
		if l.lines == nil || len(l.lines) >= mostCached {
			l.lines = map[string]string{}
		}
		l.lines[strings.Clone(chunk)] = string(out[from:])
	}
}

// wordsOf returns the words of a record.
func (l *lexeme) wordsOf(c packet.Content) string {
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

// record is the words of a record line by line.
type recordWords struct {
	context string
	items   []itemWords
}

// itemWords are the words of one item.
type itemWords struct{ text, why string }

// parseWords cuts the words of a record into lines.
func parseWords(text string, items int) (recordWords, error) {
	context, text, ok := strings.Cut(text, "\n")
	words := recordWords{context: context, items: make([]itemWords, 0, items)}
	for ok && text != "" {
		var item itemWords
		item.text, text, ok = strings.Cut(text, "\n")
		if ok {
			item.why, text, ok = strings.Cut(text, "\n")
		}
		words.items = append(words.items, item)
	}
	if !ok || len(words.items) != items {
		return recordWords{}, errDecode
	}
	return words, nil
}

// of are the lines in which an item is found: its own, and what holds for the whole record, as does the goal with which one begins.
func (w *recordWords) of(item int, first string) []string {
	lines := []string{w.items[item].text, w.items[item].why, w.context}
	if item > 0 && first == packet.ItemGoal {
		lines = append(lines, w.items[0].text)
	}
	return lines
}

// places counts the words of a line that have a place.
func places(line string) int {
	count := strings.Count(line, " ")
	if count > 0 {
		count -= strings.Count(line, string(nameMark))
	}
	return count
}
