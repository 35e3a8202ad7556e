package refs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/git"
)

// Format is the format of the layout that this version writes, and the newest that it reads.
const Format = 1

// FormatRef is the ref that says which format the memory of a repository has.
const FormatRef = Root + "meta/format"

// maxFormat bounds what is read of it.
const maxFormat = 4096

// FormatRecord is what refs/ltm/meta/format holds in this version.
func FormatRecord() []byte { return []byte("{\n  \"format\": 1,\n  \"min_reader\": 1\n}\n") }

// WriteFormat stores what says which format the memory has, and makes its ref unless there is one. It returns the object to
// send. Where the ref cannot be made now, as beside the lock that a dead process left, a later exchange makes it.
func (s *Store) WriteFormat(ctx context.Context) (string, error) {
	oid, err := s.objects.write(ctx, "blob", FormatRecord())
	if err != nil {
		return "", wrap("write", FormatRef, err)
	}
	err = s.repo.Update(ctx, []git.Change{{Kind: git.Create, Ref: FormatRef, New: oid}})
	if errors.Is(err, git.ErrConflict) {
		return s.reader.resolve(ctx, FormatRef)
	}
	return oid, ctx.Err()
}

// MinReader reads from the object of a ref refs/ltm/meta/format which format a reader must know at least.
func (s *Store) MinReader(ctx context.Context, oid string) (int, error) {
	object, err := s.read(ctx, oid, maxFormat)
	if err != nil {
		return 0, wrap("read", FormatRef, err)
	}
	var says struct {
		MinReader int `json:"min_reader"`
	}
	if err := json.Unmarshal(object.Data, &says); err != nil || says.MinReader < 1 {
		return 0, wrap("read", FormatRef, fmt.Errorf("it does not say which readers it is for: %w", ErrCorrupt))
	}
	return says.MinReader, nil
}
