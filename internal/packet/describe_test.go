package packet_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// TestFields: what is told of a table is what the published schema says.
func TestFields(t *testing.T) {
	t.Parallel()

	for kind, file := range map[packet.Kind]string{
		packet.KindPacket: "core-memory.v0.3.json", packet.KindNote: "note.json",
		packet.KindSkip: "skip.json",
	} {
		data, err := os.ReadFile(filepath.Join("..", "..", "schema", file))
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Required   []string                   `json:"required"`
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatal(err)
		}
		needed := map[string]bool{}
		for _, name := range schema.Required {
			needed[name] = true
		}
		names := map[string]bool{}
		for _, f := range packet.Fields(kind) {
			names[f.Name] = true
			if f.Needed != needed[f.Name] {
				t.Errorf("%s: %s needed = %v, want %v", kind, f.Name, f.Needed, needed[f.Name])
			}
			if f.Form == packet.FieldObject && len(f.Fields) == 0 ||
				f.Form == packet.FieldWord && len(f.Words) == 0 {
				t.Errorf("%s: nothing is told of what %s may hold", kind, f.Name)
			}
		}
		for name := range schema.Properties {
			if !names[name] && name != "type" {
				t.Errorf("%s: the schema has %s, which no field is", kind, name)
			}
		}
	}
	if got := packet.Fields(packet.KindEvent); got != nil {
		t.Errorf("Fields(event): -want +got\n%s", cmp.Diff([]packet.Field(nil), got))
	}
}
