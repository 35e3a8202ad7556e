package transcript

import (
	"context"
	"fmt"
	"io"

	"github.com/tidwall/gjson"
)

// reader takes the records of one format into a builder.
type reader interface {
	take(b *builder, r gjson.Result)
}

// Read reads a transcript to its end. It fails on a reader that fails, on a format that it does not know and when the context
// ends; whatever the bytes are, they are no error.
func Read(ctx context.Context, r io.Reader, f Format) (Session, error) {
	records, b := lines(r), &builder{}
	var of reader
	switch f {
	case ClaudeCode:
		of = &claude{}
	case Codex:
		of = &codex{}
	case Gemini:
		of = &gemini{}
	case OpenCode:
		records, of = values(r), &openCode{}
	case Copilot:
		of = &copilot{}
	case Qwen:
		of = &qwen{}
	default:
		return Session{}, fmt.Errorf("read transcript: unknown format %q", f)
	}
	for data, err := range records {
		if err != nil {
			return Session{}, err
		}
		if err := ctx.Err(); err != nil {
			return Session{}, fmt.Errorf("read transcript: %w", err)
		}
		if r, ok := record(data); ok {
			of.take(b, r)
		}
	}
	return b.session(f), nil
}
