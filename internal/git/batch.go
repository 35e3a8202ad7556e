package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/program"
)

// Batch answers questions about objects from a process that stays open. It may be used by several goroutines.
//
// Replacement refs are not followed: the answer is the object that was asked for.
type Batch struct {
	mu      sync.Mutex
	process *program.Process
	stdout  *bufio.Reader
}

// The questions. A line break ends an object name, and flush questions that are answered together.
const (
	askInfo     = "info "
	askContents = "contents "
	flush       = "flush\n"
)

// answerBytes is how much of what git answers is read at once: as much as a pipe holds.
const answerBytes = 64 << 10

// Objects starts a Batch. It must be closed.
func (r *Repo) Objects(ctx context.Context) (*Batch, error) {
	args := []string{"cat-file", "--batch-command", "--buffer"}
	process, err := r.run.newCommand(args...).Start(ctx, program.Stdin|program.Stdout)
	if err != nil {
		return nil, runError(args, err)
	}
	return &Batch{process: process, stdout: bufio.NewReaderSize(process.Stdout, answerBytes)}, nil
}

// Read returns an object of at most limit bytes, or ErrMissing. The size is asked for first, so that nothing
// larger is ever read; of what is larger it says the type.
func (b *Batch) Read(oid string, limit int64) (typ string, data []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	typ, size, err := b.askObject(askInfo, oid)
	if err != nil {
		return "", nil, err
	}
	if size > limit {
		return typ, nil, &TooLargeError{OID: oid, Size: size, Max: limit}
	}
	typ, size, err = b.askObject(askContents, oid)
	if err != nil {
		return "", nil, err
	}
	if size > limit {
		return "", nil, fmt.Errorf("read object %s: its size changed", oid)
	}
	data = make([]byte, size+1) // A line break follows.
	if _, err := io.ReadFull(b.stdout, data); err != nil {
		return "", nil, fmt.Errorf("read object %s: %w", oid, err)
	}
	return typ, data[:size], nil
}

// Close ends the input and waits for the process.
func (b *Batch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.process.Stdin.Close()
	_, _ = io.Copy(io.Discard, b.stdout)
	return errors.Join(err, b.process.Wait())
}

// IsUnread reports whether an error says that an object is missing or too large, and not that git does not answer.
func IsUnread(err error) bool {
	_, large := errors.AsType[*TooLargeError](err)
	return large || errors.Is(err, ErrMissing)
}

// askObject sends one question and reads the line that answers it.
func (b *Batch) askObject(question, oid string) (typ string, size int64, err error) {
	if !IsObjectID(oid) {
		return "", 0, fmt.Errorf("object %q: %w", oid, ErrMissing)
	}
	if _, err := io.WriteString(b.process.Stdin, question+oid+"\n"+flush); err != nil {
		return "", 0, fmt.Errorf("ask for object %s: %w", oid, err)
	}
	line, err := b.stdout.ReadString('\n')
	if err != nil {
		return "", 0, fmt.Errorf("ask for object %s: %w: %s", oid, err, b.process.Stderr())
	}
	fields := strings.Fields(line)
	if len(fields) == 2 {
		return "", 0, fmt.Errorf("object %s: %w", oid, ErrMissing)
	}
	if len(fields) != 3 || fields[0] != oid {
		return "", 0, fmt.Errorf("ask for object %s: git answered %q", oid, line)
	}
	size, err = strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return "", 0, fmt.Errorf("ask for object %s: git answered %q", oid, line)
	}
	return fields[1], size, nil
}
