package refs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
)

// Gap is how many records and later signatures this clone holds and a remote lacks, and the other way round,
// as far as was seen.
type Gap struct {
	// refs of this clone that the remote holds neither as such nor in an archive
	Unsent int `json:"unsent"`
	// how many of those change a record, or sign it later
	Changes int `json:"changes"`
	// refs of the remote that this clone holds neither as such nor in an archive
	NotHere int `json:"not_here"`
	// a sum of the names that Unsent counts; "" for none
	Names string `json:"names,omitempty"`
}

// keptGap is the gap between what is packed, and what that was found in.
type keptGap struct {
	Gap

	Seen string `json:"stamp"`
}

// Gap compares this clone with what the remote was last seen to hold, by the last exchange and by tracking
// refs. It is found out once, as long as all of that is the same.
func (r Remote) Gap(ctx context.Context) (Gap, error) {
	// What is kept under a stamp is no older than it.
	s := r.store
	stamp, err := s.HeldStamp(r.File("holds-"))
	if err != nil {
		return Gap{}, err
	}
	file := r.File("gap-")
	var kept keptGap
	if ok, err := file.ReadState(&kept); ok && err == nil && stamp != "" && kept.Seen == stamp {
		return kept.Gap, nil
	}
	ours, err := s.Held(ctx)
	if err != nil {
		return Gap{}, err
	}
	theirs, err := r.Holds(ctx)
	if err != nil {
		return Gap{}, err
	}
	archives, err := s.Archives.archivesOf(ctx, []string{"", r.name})
	if err != nil {
		return Gap{}, err
	}
	first := slices.IndexFunc(archives, func(a Archive) bool { return a.Remote != "" })
	if first < 0 {
		first = len(archives)
	}
	here, there := archives[:first], archives[first:]
	// lacking counts the records and later signatures of one side that the other holds in no way.
	lacking := func(of, by git.RefList, in []Archive) (n, changes int, sum string) {
		names := sha256.New()
		for d := range of.Differ(by) {
			own, ok := parseOwn(d.Name)
			if ok && !own.Private && d.Theirs == "" && s.Archives.LookupIn(ctx, in, d.Name) == "" {
				_, _ = io.WriteString(names, d.Name+"\n") // A hash takes everything.
				if n++; own.IsChange() {
					changes++
				}
			}
		}
		if n > 0 {
			sum = hex.EncodeToString(names.Sum(nil)[:8])
		}
		return n, changes, sum
	}
	kept = keptGap{Seen: stamp}
	kept.Unsent, kept.Changes, kept.Names = lacking(ours, theirs, there)
	kept.NotHere, _, _ = lacking(theirs, ours, here)
	if stamp != "" {
		_ = file.WriteState(kept) // Without it, the next one compares everything again.
	}
	return kept.Gap, nil
}
