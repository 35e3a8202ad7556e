package mcp

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/reply"
)

// filterFields are the arguments that narrow what ls lists and what recall finds.
func filterFields() []field {
	return []field{
		may("tags", list("All of these", 16, bounded("", 64))),
		may("topic", bounded("Notes of it, or below it", 256)),
		may("branch", bounded("Made on it", 255)),
		may("author", bounded("Part of a name", 128)),
		may("path", bounded("A file or folder that the record names", 4096)),
		may("since", bounded("A date, a time, or an age such as 3d or 2w", 40)),
		may("until", bounded("The same: created before", 40)),
	}
}

// filters are these arguments.
type filters struct {
	Tags                                      []string
	Topic, Branch, Author, Path, Since, Until string
}

// times are the span of time that is asked for.
func (f filters) times(now time.Time) (since, until time.Time, err error) {
	if f.Since != "" {
		if since, err = reply.ParseWhen(f.Since, now); err != nil {
			return since, until, badArgument("/since", err)
		}
	}
	if f.Until != "" {
		if until, err = reply.ParseWhen(f.Until, now); err != nil {
			return since, until, badArgument("/until", err)
		}
	}
	return since, until, nil
}
