package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// maxHead is how much of a transcript tells its form.
const maxHead = 64 << 10

// readSession reads the transcript. A session without one is what the request says of it.
func (req KeepRequest) readSession(ctx context.Context) (s transcript.Session, err error) {
	defer func() {
		if s.ID == "" {
			s.ID = req.Session
		}
	}()
	in := req.Source
	if in == nil && req.Transcript == "" {
		return transcript.Session{Format: req.Host}, nil
	}
	if in == nil {
		file, err := os.Open(req.Transcript)
		if err != nil {
			return s, fmt.Errorf("read transcript: %w", err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		in = file
	}
	format := req.Host
	if format == "" {
		head := make([]byte, maxHead)
		n, err := io.ReadFull(in, head)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			return s, fmt.Errorf("read transcript: %w", err)
		}
		var known bool
		if format, known = transcript.Detect(head[:n]); !known {
			return s, ErrForm
		}
		in = io.MultiReader(bytes.NewReader(head[:n]), in)
	}
	return transcript.Read(ctx, in, format)
}

// ErrForm says that a file is no transcript of a client that is known.
var ErrForm = errors.New("this is no transcript of a client that is known")
