package packet_test

import (
	"fmt"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// A draft lacks an id and a time. What a record says twice, or in a form that is not known, is an error.
func ExampleParse() {
	draft := []byte(`{"type": "note", "kind": "pitfall", "text": "The fixtures need UTC"}`)
	record, err := packet.Parse(draft, packet.Draft)
	fmt.Println(record.Kind(), record.Content().Items[0].Kind, err)
	_, err = packet.Parse([]byte(`{"type": "note", "text": "a", "text": "b"}`), packet.Draft)
	fmt.Println(err != nil)
	// Output:
	// note pitfall <nil>
	// true
}
