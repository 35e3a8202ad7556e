package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// keyLength is how many characters name a group.
const keyLength = 10

// group is a group of notes with the key that stands for it.
type group struct {
	garden.Group

	Key string
}

// groupsOf proposes which notes could become one.
func groupsOf(bed recall.Bed) []group {
	var all []group
	for _, g := range garden.Groups(bed.Cards) {
		all = append(all, group{g, groupKey(g)})
	}
	return all
}

// groupKey names a group by its notes and by what would stand in their place, so that what was shown is what
// is applied.
func groupKey(g garden.Group) string {
	said := struct {
		IDs      []string
		Conflict string
		Draft    garden.Draft
	}{Conflict: g.Conflict, Draft: g.Draft}
	for _, c := range g.Cards {
		said.IDs = append(said.IDs, c.ID)
	}
	data, _ := json.Marshal(said) //nolint:errchkjson // Strings.
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:keyLength]
}

// The JSON shape of a group.
type (
	shownGroup struct {
		Group    string      `json:"group"`
		Cards    []shownCard `json:"cards"`
		Tags     []string    `json:"tags"`
		Conflict string      `json:"conflict,omitempty"`
		Draft    *shownDraft `json:"draft,omitempty"`
	}
	shownCard struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
		Text string `json:"text"`
		Why  string `json:"why,omitempty"`
	}
	shownDraft struct {
		Kind    string   `json:"kind"`
		Text    string   `json:"text"`
		Why     string   `json:"why,omitempty"`
		Tags    []string `json:"tags"`
		LeftOut []string `json:"left_out,omitempty"` // sentences for which there was no room
	}
)

// shown is the JSON shape of a group.
func (g group) shown() shownGroup {
	s := shownGroup{Group: g.Key, Tags: append([]string{}, g.Tags...), Conflict: g.Conflict}
	for _, c := range g.Cards {
		s.Cards = append(s.Cards, shownCard{c.ID, c.Kind, c.Text, c.Why})
	}
	if g.Conflict == "" {
		d := g.Draft
		s.Draft = &shownDraft{d.Kind, d.Text, d.Why, append([]string{}, d.Tags...), d.LeftOut}
	}
	return s
}

// showGroups prints the groups, and tells what could be done with them.
func (e *env) showGroups(groups []group, bed recall.Bed, o consolidateOptions) error {
	if bed.Unknowns > 0 {
		e.say("hint", fmt.Sprintf("notes that are not trusted here are left out: %d", bed.Unknowns))
	}
	if len(groups) == 0 {
		e.say("hint", "no notes could be put together")
	}
	if o.json {
		all := []shownGroup{}
		for _, g := range groups {
			all = append(all, g.shown())
		}
		return e.printJSON(all)
	}
	var text strings.Builder
	free := ""
	for _, g := range groups {
		text.WriteString(e.groupText(g))
		if g.Conflict == "" && free == "" {
			free = g.Key
		}
	}
	if _, err := fmt.Fprint(e.stdout, text.String()); err != nil {
		return err
	}
	if free != "" {
		e.say("hint", "'git ltm consolidate --apply "+free+
			"' puts the first of them together; --text says it in other words")
	}
	return nil
}

// groupText is a group for a person.
func (e *env) groupText(g group) string {
	var text strings.Builder
	fmt.Fprintf(&text, "group %s: %d notes, tags %s\n", g.Key, len(g.Cards), strings.Join(g.Tags, " "))
	for _, c := range g.Cards {
		fmt.Fprintf(&text, "  %s  %s: %s\n", c.ID, c.Kind, e.printable(c.Text))
	}
	if g.Conflict != "" {
		fmt.Fprintf(&text, "  conflict: %s\n\n", e.printable(g.Conflict))
		return text.String()
	}
	fmt.Fprintf(&text, "  as one %s:\n%s", g.Draft.Kind, e.indented(g.Draft.Text))
	if g.Draft.Why != "" {
		fmt.Fprintf(&text, "  why:\n%s", e.indented(g.Draft.Why))
	}
	for _, s := range g.Draft.LeftOut {
		fmt.Fprintf(&text, "  no room for: %s\n", e.printable(s))
	}
	return text.String() + "\n"
}

// indented is a text of several lines, made fit for a terminal.
func (e *env) indented(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(e.rules.Public(text)) { // A secret may be broken over lines.
		lines.WriteString("    " + e.printable(line) + "\n")
	}
	return lines.String()
}
