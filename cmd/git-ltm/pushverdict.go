package main

import (
	"errors"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/report"
)

// maxTold is how many results are told. What arrives may be made to be endless.
const maxTold = 1000

// A pushVerdict is a verdict that keeps what refuses a push, and no more of it than anybody reads.
type pushVerdict struct {
	verdict
	found  foundError
	untold int
}

// add takes what was found about one ref. Of refs that may travel nothing is told.
func (v *pushVerdict) add(c check.Checked) {
	one := verdict{Report: report.Report{Results: c.Results}}
	found, refused := errors.AsType[*foundError](one.err())
	if refused {
		v.found.secrets += found.secrets
		v.found.unsigned += found.unsigned
		v.found.others += found.others
	} else {
		c.Results = nil
	}
	if over := len(v.Results) + len(c.Results) - maxTold; over > 0 {
		v.untold += over
		c.Results = c.Results[:len(c.Results)-over]
	}
	v.verdict.add(c)
}

// refusedError is a push that does not pass.
type refusedError struct{ found foundError }

func (e *refusedError) Error() string { return "this push is refused: " + e.found.Error() }

// leaveOut is the way out of a refused push.
const leaveOut = "mend what is listed, or leave it out: 'git ltm sync' sends all that passes"

// refusedUnsigned tells a push that holds a signature that is not good enough.
func refusedUnsigned(err error) bool {
	refused, ok := errors.AsType[*refusedError](err)
	return ok && refused.found.unsigned > 0
}

// refusedSecret tells a push that holds a secret.
func refusedSecret(err error) bool {
	refused, ok := errors.AsType[*refusedError](err)
	return ok && refused.found.secrets > 0
}
