package refs_test

import (
	"fmt"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// Only the exact form of a name is one: what a remote calls its refs is hostile.
func ExampleParseName() {
	name, ok := refs.ParseName("refs/ltm/notes/01JDMB4W1YNJ0000000000ABCD")
	fmt.Println(name.Kind, name.ID, ok)
	_, ok = refs.ParseName("refs/ltm/notes/../../heads/main")
	fmt.Println(ok)
	// Output:
	// notes 01JDMB4W1YNJ0000000000ABCD true
	// false
}
