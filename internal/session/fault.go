package session

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/quiet"
)

// Fault is the last time that a hook of an agent could not do what it is for. Agents are told nothing of it.
type Fault struct {
	Host  string    `json:"host"`
	Event string    `json:"event"`
	At    time.Time `json:"at"`
	Error string    `json:"error"` // on one line, clean and without a secret
}

// LastFault returns the last fault of a hook here, and whether there was one. A file that is damaged is none.
func LastFault(dir *local.Dir) (f Fault, ok bool, err error) {
	ok, err = dir.OwnFile(quiet.FaultFile).ReadState(&f)
	return f, ok, err
}

// HealFault forgets the last fault, if it was one of the same event: what works again is no concern any more.
func HealFault(dir *local.Dir, host, event string) {
	if f, ok, err := LastFault(dir); ok && err == nil && f.Host == host && f.Event == event {
		_ = dir.OwnFile(quiet.FaultFile).Remove() // It is told once more, at worst.
	}
}

// KeepFault keeps a fault in the place of the one before.
func KeepFault(dir *local.Dir, f Fault) error { return dir.OwnFile(quiet.FaultFile).WriteState(f) }
