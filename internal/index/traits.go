package index

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// traits is the file beside the database that says which actions meet no rule, without the database.
func (x *Index) traits() deadend.TraitFile { return deadend.TraitFile{File: x.place.With(".traits")} }

// MayRule reports whether an action with some traits may meet a rule of the records that refs with this stamp name. It says no only
// where that is known.
func (x *Index) MayRule(stamp string, traits deadend.Traits) bool {
	return x.path == "" || x.traits().MayMeet(stamp, traits)
}

// keepTraits writes the traits of the rules that the database holds. Where that fails, there are none.
func (x *Index) keepTraits(ctx context.Context, w *writer, stamp string) {
	var all []deadend.Trait
	err := each(ctx, w.db, func(scan func(...any) error) error {
		var sum uint32
		err := scan(&sum)
		all = append(all, deadend.Trait(sum))
		return err
	}, "SELECT DISTINCT sum FROM trait ORDER BY sum")
	if err == nil {
		err = x.traits().Replace(stamp, all)
	}
	if err != nil {
		_ = x.dropTraits()
	}
}

// dropTraits takes the file away: what is taken out of the database leaves nothing beside it.
func (x *Index) dropTraits() error { return x.traits().File.Remove() }
