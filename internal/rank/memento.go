package rank

import (
	"fmt"
	"time"
)

// mementoRecency halves a record with each week since it was written. It has
// no floor, so an old record that meets every word of a question may rank
// behind a new one that meets a single word.
func mementoRecency(s Subject, now time.Time) Factor {
	age := daysSince(s.Created, now)
	return Factor{"recency", halved(age*24, 168), fmt.Sprintf("written %s ago, half as much each week", aged(age))}
}

// mementoAccess counts uses as they were counted; they do not wear off.
func mementoAccess(s Subject) Factor {
	uses := counted(s.Uses)
	return Factor{"uses", often(uses), fmt.Sprintf("used %s times", digits(uses))}
}
