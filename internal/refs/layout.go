package refs

import "strings"

// InLayout reports whether the full name of a ref below refs/ltm belongs to the layout: as a record, or as one of the
// names that are reserved.
func InLayout(ref string) bool { return strings.HasPrefix(ref, Root) && ours(ref) }
