package sign

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrCommit is in the chain of every error about a commit that is not signed in the one accepted form.
var ErrCommit = errors.New("not a signed commit")

// ParseCommit reads a commit object that bears exactly one signature, and returns it as a tag that [Trust.Verify] can
// judge, by the time of the committer. It has no name, so it binds to no record.
func ParseCommit(raw []byte) (Tag, error) {
	if len(raw) > MaxTag || bytes.IndexByte(raw, 0) >= 0 {
		return Tag{}, fmt.Errorf("%w: too large or not text", ErrCommit)
	}
	head, message, ok := strings.Cut(string(raw), "\n\n")
	if !ok || !strings.HasPrefix(head, "tree ") {
		return Tag{}, fmt.Errorf("%w: it is no commit with a message", ErrCommit)
	}
	var payload, signature strings.Builder
	signatures, committers, inside := 0, 0, false
	t := Tag{commit: true}
	for line := range strings.SplitSeq(head, "\n") {
		name, value, _ := strings.Cut(line, " ")
		inside = inside && name == ""
		switch name {
		case "gpgsig", "gpgsig-sha256":
			signatures++
			inside = true
		case "committer":
			committers++
			t.Tagger = value
		}
		if inside {
			signature.WriteString(value + "\n")
		} else {
			payload.WriteString(line + "\n")
		}
	}
	t.Payload = []byte(payload.String() + "\n" + message)
	t.Signature = []byte(strings.TrimRight(signature.String(), "\n") + "\n")
	if signatures != 1 || committers != 1 || t.When().IsZero() {
		return Tag{}, fmt.Errorf("%w: it has %d signatures and %d committers, want one of each", ErrCommit, signatures, committers)
	}
	return t, nil
}
