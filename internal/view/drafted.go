package view

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/local"
)

// Drafted is a draft of a session that one user keeps in a clone, as far as it is known without reading it.
type Drafted struct {
	ID     string       `json:"id"`
	Object string       `json:"object"`           // the object that this user kept; another one is not theirs
	Rules  deadend.Kept `json:"rules,omitempty"`  // the outlines of what did not work in it
	Stated bool         `json:"stated,omitempty"` // the person read that it is there
	// its session did work, saved nothing, and was not asked to; nor was a later one
	Owes bool `json:"owes,omitempty"`
}

// draftList is the file that names the drafts of one user. Other users of a shared clone have files of their
// own.
type draftList struct {
	Form   int       `json:"form"` // that of the outlines
	Drafts []Drafted `json:"drafts"`
}

// DraftFile is the file that names the drafts which its user keeps in a clone.
func DraftFile(clone *local.Dir) local.File { return clone.OwnFile("drafts") }

// Drafts returns what the file names. One that is damaged, or of another version, names none.
func Drafts(clone *local.Dir) []Drafted {
	var list draftList
	if ok, err := DraftFile(clone).ReadState(&list); !ok || err != nil || list.Form != deadend.Form {
		return nil
	}
	return list.Drafts
}

// WriteDrafts replaces what the file names.
func WriteDrafts(clone *local.Dir, all []Drafted) error {
	if len(all) == 0 {
		return DraftFile(clone).Remove()
	}
	return DraftFile(clone).WriteState(draftList{deadend.Form, all})
}

// MayMeet reports whether an action with some traits may meet what did not work in the draft. Where it says
// no, it does not.
func (d Drafted) MayMeet(traits deadend.Traits) bool {
	weight, ok := d.Rules.Weigh(traits)
	return weight > 0 || !ok
}

// DraftsMayMeet reports the same of all drafts that the user keeps in a clone.
func DraftsMayMeet(clone *local.Dir, traits deadend.Traits) bool {
	return slices.ContainsFunc(Drafts(clone), func(d Drafted) bool { return d.MayMeet(traits) })
}
