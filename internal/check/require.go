package check

import (
	"fmt"

	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Requirement is what a check asks of the signature of each record, whoever runs it.
type Requirement string

// The requirements.
const (
	RequireNothing Requirement = ""
	RequireSigned  Requirement = "signed" // a signature that fits, of whatever key
	// one of a key that counts here, for this store, with as many others as policy asks for
	RequireGood Requirement = "good"
)

// ParseRequirement reads the name of a requirement.
func ParseRequirement(text string) (Requirement, error) {
	switch r := Requirement(text); r {
	case RequireNothing, RequireSigned, RequireGood:
		return r, nil
	default:
		return "", fmt.Errorf("%q is neither %s nor %s", (*scan.Rules)(nil).Public(text), RequireSigned,
			RequireGood)
	}
}

// Lacks says what a record lacks of a requirement, or nothing. signed tells whether there is a signature at
// all, endorsed how many others vouch for it, and asked how many policy asks for. That this clone made a
// record says nothing to others.
func (r Requirement) Lacks(v sign.Verdict, signed bool, endorsed, asked int) string {
	signed = signed && !v.Standing.Withheld()
	switch {
	case r == RequireNothing:
		return ""
	case !signed, r == RequireGood && v.Standing != sign.Good:
		return fmt.Sprintf("it is %s: %s", v.Standing, v.Why)
	case r == RequireGood && endorsed < asked:
		return fmt.Sprintf("signatures of others: %d, and ltm.requireEndorsed asks for %d", endorsed, asked)
	default:
		return ""
	}
}
