package main

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/reply"
)

// filterFlags narrow what ls lists and what recall finds.
type filterFlags struct {
	tags, kinds                               []string
	topic, branch, author, path, since, until string
}

// register adds the flags, of which that of kinds says what it takes.
func (o *filterFlags) register(f *pflag.FlagSet, kinds string) {
	f.StringArrayVar(&o.kinds, "kind", nil, kinds)
	f.StringArrayVar(&o.tags, "tag", nil, "with this `TAG`; with all of them, if given again")
	f.StringVar(&o.topic, "topic", "", "notes of this `TOPIC`, or below it")
	f.StringVar(&o.branch, "branch", "", "made on this `BRANCH`")
	f.StringVar(&o.author, "author", "", "whose author's name holds `NAME`")
	f.StringVar(&o.path, "path", "", "about this `PATH`, as seen from here, or below it")
	f.StringVar(&o.since, "since", "", "created since `WHEN`: a date, a time, or an age such as 3d or 2w")
	f.StringVar(&o.until, "until", "", "created before `WHEN`")
}

// times are the span of time, and what is wrong with it.
func (o *filterFlags) times(now time.Time) (since, until time.Time, problems []error) {
	for _, one := range []struct {
		flag, text string
		at         *time.Time
	}{{"since", o.since, &since}, {"until", o.until, &until}} {
		if one.text == "" {
			continue
		}
		var err error
		if *one.at, err = reply.ParseWhen(one.text, now); err != nil {
			problems = append(problems, fmt.Errorf("--%s: %w", one.flag, err))
		}
	}
	return since, until, problems
}
