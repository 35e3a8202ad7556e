package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/report"
)

// foundError is a check that ended and did not pass.
type foundError struct {
	secrets  int  // results about secrets
	stored   bool // one of them is in a ref
	unsigned int  // results about signatures
	others   int  // results about records and refs
	unread   int  // files that could not be looked at
}

func (e *foundError) Error() string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{e.secrets, "a secret was found", "%d secrets were found"},
		{e.unsigned, "1 missing or untrusted signature", "%d missing or untrusted signatures"},
		{e.others, "a record or ref is not as it should be", "%d things are wrong with records or refs"},
		{e.unread, "a file could not be looked at", "%d files could not be looked at"},
	} {
		switch {
		case part.n == 1:
			parts = append(parts, part.one)
		case part.n > 1:
			parts = append(parts, fmt.Sprintf(part.many, part.n))
		}
	}
	return strings.Join(parts, ", ")
}

// foundSecret tells a check that found a secret.
func foundSecret(err error) bool {
	found, ok := errors.AsType[*foundError](err)
	return ok && found.secrets > 0
}

// foundStored tells a check that found a secret in a record of a repository.
func foundStored(err error) bool {
	found, ok := errors.AsType[*foundError](err)
	return ok && found.stored
}

// foundUnsigned tells a check that found a signature that is not good enough.
func foundUnsigned(err error) bool {
	found, ok := errors.AsType[*foundError](err)
	return ok && found.unsigned > 0
}

// foundInvalid tells a check that found what breaks the format.
func foundInvalid(err error) bool {
	found, ok := errors.AsType[*foundError](err)
	return ok && found.others > 0
}

// err returns what fails the check, or nothing.
func (v *verdict) err() error {
	found := foundError{unread: v.unread}
	for _, r := range v.Counted() {
		switch {
		case r.Level != report.Error:
		case r.Area == report.Secret:
			found.secrets++
			found.stored = found.stored || strings.HasPrefix(r.Subject, "refs/")
		case r.Area == report.Signature:
			found.unsigned++
		default:
			found.others++
		}
	}
	if found == (foundError{}) {
		return nil
	}
	return &found
}
