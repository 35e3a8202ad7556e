package git

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// atOnce is how many questions are sent before the first answer is read. They fit into the smallest pipe that there is,
// so that nobody waits for the other side.
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

// ReadMany reads objects as Read does, and sends many questions at once. The answers are in the order of the questions.
// An error ends the Batch, which can only be closed then.
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
	err := b.asker.each(b.asker.info, wanted, answers, func(i int, typ string, size int64) error {
		answers[i].Type, sizes[i] = typ, size
		if size > wanted[i].Max {
			answers[i].Err = &TooLargeError{OID: wanted[i].OID, Size: size, Max: wanted[i].Max}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = b.teller.each(b.teller.contents, wanted, answers, func(i int, _ string, size int64) (err error) {
		if size != sizes[i] {
			return fmt.Errorf("read object %s: its size changed", wanted[i].OID)
		}
		answers[i].Data, err = b.teller.content(wanted[i].OID, size)
		return err
	})
	return answers, err
}

// each sends a question about each object that has no error yet, and hands the answers on. An object that is not there
// gets its error; any other error ends the process.
func (p *pipe) each(question string, wanted []Wanted, answers []Answer, use func(i int, typ string, size int64) error) error {
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
		typ, size, err := p.answer(w.OID)
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
