package main

import (
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/command"
)

// filterFlags narrow what ls lists and what recall finds.
type filterFlags struct{ command.Question }

// register adds the flags, of which that of kinds says what it takes.
func (o *filterFlags) register(f *pflag.FlagSet, kinds string) {
	f.StringArrayVar(&o.Kinds, "kind", nil, kinds)
	f.StringArrayVar(&o.Tags, "tag", nil, "with this `TAG`; with all of them, if given again")
	f.StringVar(&o.Topic, "topic", "", "notes of this `TOPIC`, or below it")
	f.StringVar(&o.Branch, "branch", "", "made on this `BRANCH`")
	f.StringVar(&o.Author, "author", "", "whose author's name holds `NAME`")
	f.StringVar(&o.Path, "path", "", "about this `PATH`, as seen from here, or below it")
	f.StringVar(&o.Since, "since", "", "created since `WHEN`: a date, a time, or an age such as 3d or 2w")
	f.StringVar(&o.Until, "until", "", "created before `WHEN`")
}
