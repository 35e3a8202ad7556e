package reply

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/scan"
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
	v = Filled(v)
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

// Filled is a copy of a value in which no list is nil: JSON is to have an empty one.
func Filled[T any](v T) T { return mendTexts(v, nil) }

// Printables is such a copy with each of its texts made fit to be told, as [Printable] does.
func Printables[T any](rules *scan.Rules, v T) T {
	return mendTexts(v, func(text string) string { return Printable(rules, text) })
}

func mendTexts[T any](v T, mend func(string) string) (mended T) {
	copyInto(reflect.ValueOf(&mended).Elem(), reflect.ValueOf(&v).Elem(), mend)
	return mended
}

// copyInto copies a value with what it holds, its lists filled and its texts mended.
func copyInto(to, from reflect.Value, mend func(string) string) {
	to.Set(from)
	switch from.Kind() {
	case reflect.String:
		if mend != nil {
			to.SetString(mend(from.String()))
		}
	case reflect.Pointer, reflect.Interface:
		if from.IsNil() {
			return
		}
		of := reflect.New(from.Elem().Type())
		if copyInto(of.Elem(), from.Elem(), mend); from.Kind() == reflect.Interface {
			of = of.Elem()
		}
		to.Set(of)
	case reflect.Slice:
		if from.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			copyInto(to.Index(i), from.Index(i), mend)
		}
	case reflect.Map:
		to.Set(reflect.MakeMap(from.Type()))
		for name, value := range from.Seq2() {
			of := reflect.New(value.Type()).Elem()
			copyInto(of, value, mend)
			to.SetMapIndex(name, of)
		}
	case reflect.Struct:
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				copyInto(to.Field(i), from.Field(i), mend)
			}
		}
	default: // It holds neither.
	}
}
