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
	for i, object := range s.behindTags(ctx, wanted, s.together(ctx, wanted)) {
		if all[i].Object, all[i].Err = checked(object); object.Type == "" || all[i].Err != nil {
			all[i].Object, all[i].Err = s.Read(ctx, wanted[i].Ref, wanted[i].Limit) // It says why, or finds the record elsewhere.
		}
	}
	return all
}

// behindTags turns answers into records: of those that are tag objects, the blobs are read together too. What is not to be
// had in this way is left empty.
func (s *Store) behindTags(ctx context.Context, wanted []Wanted, answers []git.Answer) []Object {
	objects := make([]Object, len(wanted))
	var behind []Wanted
	var at []int
	for i, a := range answers {
		oid := wanted[i].Ref.Object
		switch {
		case a.Err != nil:
		case a.Type == "blob" && int64(len(a.Data)) <= wanted[i].Limit:
			objects[i] = Object{Type: "blob", Data: a.Data, OID: oid}
		case a.Type == "tag" && len(a.Data) <= maxTag && hashObject(len(oid), "tag", a.Data) == oid:
			if blob, ok := taggedBlob(a.Data); ok {
				objects[i] = Object{Tag: a.Data, TagOID: oid, OID: blob}
				behind, at = append(behind, Wanted{Ref: Ref{Object: blob}, Limit: wanted[i].Limit}), append(at, i)
			}
		}
	}
	for k, a := range s.together(ctx, behind) {
		if a.Err == nil && a.Type == "blob" && int64(len(a.Data)) <= behind[k].Limit {
			objects[at[k]].Type, objects[at[k]].Data = "blob", a.Data
		}
	}
	return objects
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
		questions[i].Max = max(w.Limit, maxTag)
		questions[i].OID = s.reading().place(w.Ref.Object)
	}
	answers, err := batch.ReadMany(questions)
	program.drop(batch, err)
	if err != nil {
		return nil
	}
	for i := range answers {
		answers[i].Type = typeOf(wanted[i].Ref.Object, questions[i].OID, answers[i].Type)
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
