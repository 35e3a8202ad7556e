package reply

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
)

// Encode writes an answer as one JSON object, with its version first; the members of a list are its items.
func Encode(v any) ([]byte, error) {
	line, err := EncodeLine(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, line, "", "  ")
	return out.Bytes(), err
}

// EncodeLine writes an answer on one line.
func EncodeLine(v any) ([]byte, error) {
	if reflect.ValueOf(v).Kind() == reflect.Slice {
		v = struct {
			Items any `json:"items"`
		}{v}
	}
	line, err := clean.JSON(v, "")
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, `{"version":%d,%s`, briefing.FormatVersion, line[1:]), nil
}
