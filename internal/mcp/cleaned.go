package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// cleaned is a stored record as it is shown: each text and name without what acts on a terminal or hides from a reader.
func cleaned(data []byte) (json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var record any
	if err := dec.Decode(&record); err != nil {
		return nil, err
	}
	return json.Marshal(cleanValue(record))
}

func cleanValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		shown := make(map[string]any, len(v))
		for name, of := range v {
			shown[clean.Line(name)] = cleanValue(of)
		}
		return shown
	case []any:
		for i := range v {
			v[i] = cleanValue(v[i])
		}
	case string:
		return clean.Text(v)
	}
	return value
}
