package packet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestFields: a table has the members of the published schema.
func TestFields(t *testing.T) {
	t.Parallel()

	for file, s := range map[string]*shape{
		"core-memory.v0.3.json": &packetShape, "note.json": &noteShape, "skip.json": &skipShape,
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
		for _, f := range s.fields {
			names[f.name] = true
			if f.needed != needed[f.name] {
				t.Errorf("%s: %s needed = %v, want %v", file, f.name, f.needed, needed[f.name])
			}
			if f.form == formObject && (f.object == nil || len(f.object.fields) == 0) ||
				f.form == formWord && len(f.words) == 0 {
				t.Errorf("%s: nothing is told of what %s may hold", file, f.name)
			}
		}
		for name := range schema.Properties {
			if !names[name] && name != "type" {
				t.Errorf("%s: the schema has %s, which no field is", file, name)
			}
		}
	}
}
