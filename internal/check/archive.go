package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// ReadArchive returns everything that an archive holds, each under the full name that its ref would have.
func ReadArchive(ctx context.Context, store *refs.Store, a refs.Archive) (all []Target, err error) {
	for ref, err := range store.Archives.Entries(ctx, a) {
		if err != nil {
			return all, err
		}
		all = append(all, Target{Ref: ref, Name: ref.Name.Ref()})
	}
	return all, nil
}

// Within are the records of an archive as things to look at. One that cannot be read is one thing with that
// flaw.
func Within(ctx context.Context, store *refs.Store, a refs.Archive, subject string) ([]Target, error) {
	all, err := ReadArchive(ctx, store, a)
	if refs.IsFault(err) {
		return []Target{{
			Name: subject, Flaw: RuleObject,
			Why: fmt.Sprintf("the archive cannot be read: %v", err),
		}}, nil
	}
	for i := range all {
		all[i].Name = subject + ":" + strings.TrimPrefix(all[i].Name, refs.Root)
	}
	return all, err
}

// FormatTargets says what is wrong with the ref that tells the format of the layout.
func FormatTargets(ctx context.Context, store *refs.Store, name, oid string) ([]Target, error) {
	needs, err := store.MinReader(ctx, oid)
	switch {
	case refs.IsFault(err):
		return []Target{{
			Name: name, Flaw: RuleReserved,
			Why: "it does not say which readers the memory is for",
		}}, nil
	case err != nil:
		return nil, err
	case needs > refs.Format:
		return []Target{OddTarget(name, refs.Root)}, nil
	}
	return nil, nil
}

// Misnamed is what is wrong with an archive whose name does not say which commit it is.
const Misnamed = "its name is not the digest of what it holds, and an archive never changes"
