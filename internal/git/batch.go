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

// Batch answers questions about objects from processes that stay open. It may be used by several goroutines.
//
// Replacement refs are not followed: the answer is the object that was asked for.
type Batch struct {
	run    runner
	mu     sync.Mutex
	asker  *pipe // asker answers "info"; with a git that knows only one question a process, headers.
	teller *pipe // teller answers "contents"; the same process as asker where git allows it.
}

// pipe is one open process.
type pipe struct {
	process        *program.Process
	stdout         *bufio.Reader
	info, contents string // info and contents stand before an object name in a question.
	// flush ends questions that are answered together; "" where each is answered at once.
	flush string
}

// Objects starts a Batch. It must be closed.
func (r *Repo) Objects(ctx context.Context) (*Batch, error) {
	run := r.run
	run.env = append(append([]string{}, run.env...), "GIT_NO_REPLACE_OBJECTS=1")
	b := &Batch{run: run}
	both, err := b.startProcess(ctx, "--batch-command", "--buffer")
	if err != nil {
		return nil, err
	}
	both.info, both.contents, both.flush = "info ", "contents ", "flush\n"
	b.asker, b.teller = both, both
	if _, err := io.WriteString(both.process.Stdin, "info "+strings.Repeat("0", 40)+"\n"+both.flush); err ==
		nil {
		if _, err = both.stdout.ReadString('\n'); err == nil {
			return b, nil
		}
	}
	_ = both.close() // This git is older than 2.36: two processes do the same.
	return b, b.openPair(ctx)
}

// openPair starts one process for the sizes and one for the contents.
func (b *Batch) openPair(ctx context.Context) error {
	asker, err := b.startProcess(ctx, "--batch-check")
	if err != nil {
		return err
	}
	teller, err := b.startProcess(ctx, "--batch")
	if err != nil {
		return errors.Join(err, asker.close())
	}
	b.asker, b.teller = asker, teller
	return nil
}

// answerBytes is how much of what git answers is read at once: as much as a pipe holds.
const answerBytes = 64 << 10

// startProcess starts one process.
func (b *Batch) startProcess(ctx context.Context, modes ...string) (*pipe, error) {
	args := append([]string{"cat-file"}, modes...)
	process, err := b.run.newCommand(args...).Start(ctx, program.Stdin|program.Stdout)
	if err != nil {
		return nil, runError(args, err)
	}
	return &pipe{process: process, stdout: bufio.NewReaderSize(process.Stdout, answerBytes)}, nil
}

// Info returns the type and the size of an object, or ErrMissing.
func (b *Batch) Info(oid string) (typ string, size int64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asker.askObject(b.asker.info, oid)
}

// Read returns an object of at most limit bytes. The size is asked for first, so that nothing larger is ever
// read.
func (b *Batch) Read(oid string, limit int64) (typ string, data []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, size, err := b.asker.askObject(b.asker.info, oid); err != nil {
		return "", nil, err
	} else if size > limit {
		return "", nil, &TooLargeError{OID: oid, Size: size, Max: limit}
	}
	typ, size, err := b.teller.askObject(b.teller.contents, oid)
	if err != nil {
		return "", nil, err
	}
	if size > limit {
		return "", nil, fmt.Errorf("read object %s: its size changed", oid)
	}
	data, err = b.teller.readContent(oid, size)
	return typ, data, err
}

// Close ends the processes.
func (b *Batch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.asker.close()
	if b.teller != b.asker {
		err = errors.Join(err, b.teller.close())
	}
	return err
}

// askObject sends one question and reads the line that answers it.
func (p *pipe) askObject(question, oid string) (typ string, size int64, err error) {
	if !isObjectID(oid) {
		return "", 0, fmt.Errorf("object %q: %w", oid, ErrMissing)
	}
	if _, err := io.WriteString(p.process.Stdin, question+oid+"\n"+p.flush); err != nil {
		return "", 0, fmt.Errorf("ask for object %s: %w", oid, err)
	}
	return p.readAnswer(oid)
}

// readAnswer reads the line that answers a question.
func (p *pipe) readAnswer(oid string) (typ string, size int64, err error) {
	line, err := p.stdout.ReadString('\n')
	if err != nil {
		return "", 0, fmt.Errorf("ask for object %s: %w: %s", oid, err, p.process.Stderr())
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

// readContent reads what follows the answer about contents.
func (p *pipe) readContent(oid string, size int64) ([]byte, error) {
	data := make([]byte, size+1)
	if _, err := io.ReadFull(p.stdout, data); err != nil {
		return nil, fmt.Errorf("read object %s: %w", oid, err)
	}
	return data[:size], nil
}

// close ends the input and waits for the process.
func (p *pipe) close() error {
	err := p.process.Stdin.Close()
	_, _ = io.Copy(io.Discard, p.stdout)
	return errors.Join(err, p.process.Wait())
}

// atOnce is how many questions are sent before the first answer is read. They fit into the smallest pipe that
// there is, so that nobody waits for the other side.
const atOnce = 64

// Wanted is an object to read and how large it may be.
type Wanted struct {
	OID string
	Max int64
}

// Answer is what an object holds, or why it cannot be read: ErrMissing, or a *TooLargeError.
type Answer struct {
	Type string
	Data []byte
	Err  error
}

// ReadMany reads objects as Read does, and sends many questions at once. The answers are in the order of the
// questions. An error ends the Batch, which can only be closed then.
func (b *Batch) ReadMany(wanted []Wanted) ([]Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]Answer, 0, len(wanted))
	for len(wanted) > 0 {
		n := min(len(wanted), atOnce)
		answers, err := b.readSome(wanted[:n])
		if err != nil {
			return nil, err
		}
		all = append(all, answers...)
		wanted = wanted[n:]
	}
	return all, nil
}

// readSome asks for all sizes first, and then for the contents of those that are small enough.
func (b *Batch) readSome(wanted []Wanted) ([]Answer, error) {
	answers := make([]Answer, len(wanted))
	sizes := make([]int64, len(wanted))
	err := b.asker.askEach(b.asker.info, wanted, answers, func(i int, typ string, size int64) error {
		answers[i].Type, sizes[i] = typ, size
		if size > wanted[i].Max {
			answers[i].Err = &TooLargeError{OID: wanted[i].OID, Size: size, Max: wanted[i].Max}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = b.teller.askEach(b.teller.contents, wanted, answers, func(i int, _ string, size int64) (err error) {
		if size != sizes[i] {
			return fmt.Errorf("read object %s: its size changed", wanted[i].OID)
		}
		answers[i].Data, err = b.teller.readContent(wanted[i].OID, size)
		return err
	})
	return answers, err
}

// askEach sends a question about each object that has no error yet, and hands the answers on. An object that
// is not there gets its error; any other error ends the process.
func (p *pipe) askEach(question string, wanted []Wanted, answers []Answer,
	use func(i int, typ string, size int64) error,
) error {
	var questions strings.Builder
	for i, w := range wanted {
		if !isObjectID(w.OID) {
			answers[i].Err = fmt.Errorf("object %q: %w", w.OID, ErrMissing)
		}
		if answers[i].Err == nil {
			questions.WriteString(question + w.OID + "\n")
		}
	}
	if questions.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(p.process.Stdin, questions.String()+p.flush); err != nil {
		return fmt.Errorf("ask for objects: %w", err)
	}
	for i, w := range wanted {
		if answers[i].Err != nil {
			continue
		}
		typ, size, err := p.readAnswer(w.OID)
		if errors.Is(err, ErrMissing) {
			answers[i].Err = err
			continue
		}
		if err != nil {
			return err
		}
		if err := use(i, typ, size); err != nil {
			return err
		}
	}
	return nil
}
