package signing

import (
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// mostMissed is how many records are kept that were stored unsigned with nobody there.
const mostMissed = 20

// missedFile is where they are kept, for the one whose key it is.
func missedFile(dir *local.Dir) local.File { return dir.OwnFile("unsigned.json") }

// Missed returns the last records that were to be signed, and were stored unsigned where nobody could be asked. Some may have been signed
// since.
func Missed(dir *local.Dir) (ids []packet.ID, err error) {
	_, err = missedFile(dir).ReadState(&ids)
	return ids, err
}

// keepMissed keeps that a record was stored unsigned where nobody heard of it. It is a help: the record says itself that it is unsigned.
func (s *Signer) keepMissed(id packet.ID) {
	if !s.opts.Unattended {
		return
	}
	if ids, err := Missed(s.opts.Repo.Local()); err == nil {
		ids = append(ids, id)
		_ = missedFile(s.opts.Repo.Local()).WriteState(ids[max(0, len(ids)-mostMissed):])
	}
}
