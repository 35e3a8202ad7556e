// Package web shows the memory as pages, on loopback.
//
// The pages are read-only: nothing that a request says changes a record, a ref or a file of the work tree.
// They ask nobody for anything, hold no script, and are told to run none.
// Whoever asks has to know a random token, under the one name and the one port that were given out.
//
// What records say is hostile. It is cleaned, cut where it stands in a list, and escaped for the place that
// it stands in; no address in it becomes a link. The text of a record that is withheld is on no page, and
// what nobody here vouches for says so.
package web

import (
	"context"
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
)

// Options are what the pages take from their process.
type Options struct {
	// required: opens the memory; what it returns is closed again
	Open func(context.Context) (*memory.Memory, error)
	// required: ages and times of day are told as this clock has them
	Now func() time.Time
}

// perPage is how many records stand on one page of a list.
const perPage = 50

// mostPages bounds what a request may ask for.
const mostPages = 100_000

// errNoPage says that there is no such page.
var errNoPage = errors.New("there is no such page")
