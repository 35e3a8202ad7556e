package main

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/gate"
)

// answerFlags say what becomes of a secret in what is saved.
type answerFlags struct {
	redact bool
	allow  []string
	why    string

	reason string // the name of the flag for why
}

// flags adds them. The reason has a flag of another name where a record has a reason of its own.
func (a *answerFlags) flags(f *pflag.FlagSet, reason string) {
	a.reason = reason
	f.BoolVar(&a.redact, "redact", false, "put masks in the place of secrets")
	f.StringArrayVar(&a.allow, "allow", nil,
		"store what was found under this `FINGERPRINT`: it is no secret; can be given again")
	f.StringVar(&a.why, reason, "", "why it is no secret, kept in the event that allows it: `TEXT`")
}

// problems says what is wrong with them.
func (a *answerFlags) problems() []error {
	var wrong []error
	if len(a.allow) > 0 != (strings.TrimSpace(a.why) != "") {
		wrong = append(wrong,
			errors.New("--allow takes the fingerprints that a refusal named, and --"+a.reason+
				" the reason why they are no secrets"))
	}
	if a.redact && len(a.allow) > 0 {
		wrong = append(wrong, errors.New("--redact and --allow exclude each other"))
	}
	return wrong
}

func (a *answerFlags) answer() gate.Answer {
	answer := gate.Answer{Allowed: a.allow, Why: a.why}
	if a.redact {
		answer.Secrets = gate.Hide
	}
	return answer
}
