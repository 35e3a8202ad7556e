package refs

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/git"
)

// few is how many records are read one by one: less than what starting git costs.
const few = 8

// Wanted is a record to read and how many bytes it may have.
type Wanted struct {
	Ref   Ref
	Limit int64
}

// Found is what a record holds, or why it cannot be read.
type Found struct {
	Object Object
	Err    error
}

// ReadMany returns what Read returns of each of many records, in their order. Git reads them together, because it keeps
// what the deltas of a pack have in common. It asks for each size first, but how large a base a delta builds on is not
// looked at: whoever fetched the pack has made all of its objects once.
//
// Like Read it checks that the bytes have the name that they are stored under, whoever has read them.
func (s *Store) ReadMany(ctx context.Context, wanted []Wanted) []Found {
	all := make([]Found, len(wanted))
	answers := s.together(ctx, wanted)
	for i, w := range wanted {
		if answers != nil && answers[i].Err == nil && answers[i].Type == "blob" {
			if all[i].Object, all[i].Err = checked(Object{Type: "blob", Data: answers[i].Data, OID: w.Ref.Object}); all[i].Err == nil {
				continue
			}
		}
		all[i].Object, all[i].Err = s.Read(ctx, w.Ref, w.Limit) // It says why, or finds the record elsewhere.
	}
	return all
}

// together asks git, or returns nothing where that is not worth it or does not work: then each record is read alone.
func (s *Store) together(ctx context.Context, wanted []Wanted) []git.Answer {
	program := s.program()
	if program == nil || len(wanted) < few {
		return nil
	}
	batch, err := program.open(ctx)
	if err != nil {
		return nil
	}
	questions := make([]git.Wanted, len(wanted))
	for i, w := range wanted {
		questions[i] = git.Wanted{OID: w.Ref.Object, Max: w.Limit}
	}
	answers, err := batch.ReadMany(questions)
	program.drop(batch, err)
	if err != nil {
		return nil
	}
	return answers
}

// program is the git that this store asks for objects.
func (s *Store) program() *gitObjects {
	switch o := s.objects.(type) {
	case *gitObjects:
		return o
	case *nativeObjects:
		return o.program
	default:
		return nil
	}
}
