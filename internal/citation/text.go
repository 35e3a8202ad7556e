package citation

import (
	"context"
	"errors"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// compareAll compares the lines of what is still open.
func (c *check) compareAll(ctx context.Context) error {
	if err := c.objects(ctx); err != nil {
		return err
	}
	for _, p := range c.open() {
		state, err := c.judge(p)
		if err != nil {
			return err
		}
		if state == Changed && p.vague {
			state = Unknown
		}
		p.State, p.decided = state, true
	}
	return nil
}

// judge compares the lines of one place. A file without lines is told by its object alone.
func (c *check) judge(p *citing) (State, error) {
	now := c.now[p.path]
	p.Now = p.Cite
	p.Now.Path = p.path
	if p.base == now.oid {
		return p.moved(), nil
	}
	old, err := c.textOf(p.base)
	if err != nil {
		return Unknown, err
	}
	is, err := c.textNow(now)
	switch {
	case err != nil || !old.here || !is.here || c.left < 0:
		return Unknown, err
	case old.lines == nil || is.lines == nil:
		return Changed, nil
	case p.Cite.Line == 0 && !equalLines(old.lines, is.lines):
		return Changed, nil
	case p.Cite.Line == 0:
		return p.moved(), nil
	case p.Cite.Line > len(old.lines):
		return Unknown, nil
	}
	s := span{from: p.Cite.Line - 1, to: min(max(p.Cite.EndLine, p.Cite.Line), len(old.lines))}
	at, ok := s.find(old.lines, is.lines)
	if !ok {
		return Changed, nil
	}
	p.Now.Line += at - s.from
	if p.Now.EndLine > 0 {
		p.Now.EndLine += at - s.from
	}
	return p.moved(), nil
}

// moved tells a place that stands elsewhere from one that stands where it stood.
func (p *citing) moved() State {
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
func (c *check) textOf(oid string) (citedText, error) {
	if text, known := c.texts[oid]; known {
		return text, nil
	}
	answers, err := c.batch.ReadMany([]git.Wanted{{OID: oid, Max: maxCitedFile}})
	if err != nil {
		return citedText{}, err
	}
	text := citedText{here: !errors.Is(answers[0].Err, git.ErrMissing)}
	if answers[0].Err == nil && answers[0].Type == "blob" {
		text.lines = c.split(answers[0].Data)
	}
	c.texts[oid] = text
	return text, nil
}

// textNow returns the lines that stand at a path now.
func (c *check) textNow(now *presence) (citedText, error) {
	if !now.dirty {
		return c.textOf(now.oid)
	}
	if !now.disk.read {
		return citedText{here: true}, nil
	}
	text, known := c.texts[now.oid]
	if !known {
		text = citedText{here: true, lines: c.split(now.disk.data)}
		c.texts[now.oid] = text
	}
	return text, nil
}

// split returns the lines of a text, as long as not too much was compared already.
func (c *check) split(data []byte) []string {
	c.left -= int64(len(data))
	if isBinary(data) || c.left < 0 {
		return nil
	}
	return textLines(data)
}
