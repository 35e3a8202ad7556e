package foreign

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Record is a record that is to be written.
type Record struct {
	Ref  string // where it is kept
	Data []byte // required: the bytes of the record
	Tag  []byte // the tag object that signs them, if there is one
}

var errCanonical = errors.New("not in the canonical encoding")

// An envelope stands around a record on its line.
type lineOf struct {
	Ref    string          `json:"ref,omitempty"`
	Record json.RawMessage `json:"record"`
	Tag    string          `json:"tag,omitempty"`
	Tag64  string          `json:"tag64,omitempty"` // where the tag is not UTF-8
}

// WriteJSONL writes a record a line. Read again, each record and each signature
// has the bytes that it had.
func WriteJSONL(w io.Writer, records iter.Seq2[Record, error]) error {
	for record, err := range records {
		if err != nil {
			return err
		}
		// A record stands on its line without the blank space of its encoding,
		// which the reader puts back.
		parsed, err := packet.Parse(record.Data, packet.Draft)
		if err != nil {
			return fmt.Errorf("write %q: %w", record.Ref, err)
		}
		if !parsed.EncodesAs(record.Data) {
			return fmt.Errorf("write %q: %w", record.Ref, errCanonical)
		}
		line := lineOf{Ref: record.Ref, Record: record.Data}
		if utf8.Valid(record.Tag) {
			line.Tag = string(record.Tag)
		} else {
			line.Tag64 = base64.StdEncoding.EncodeToString(record.Tag)
		}
		if _, err := w.Write(encodeJSON(line)); err != nil {
			return fmt.Errorf("write %q: %w", record.Ref, err)
		}
	}
	return nil
}

// WriteMarkdown hands out a file for each note and each skip: its name, which
// is safe on every system and the same each time, and its contents, of which
// [Parse] makes the same record again. Signatures have no place there. What has
// no such form is returned.
func WriteMarkdown(records iter.Seq2[Record, error],
	file func(name string, data []byte) error,
) (left []Problem, err error) {
	for record, err := range records {
		if err != nil {
			return left, err
		}
		data, err := writeNote(record.Data)
		if err == nil {
			err = readsBack(data, record.Data)
		}
		if err != nil {
			left = append(left, Problem{Place: record.Ref, Text: err.Error()})
			continue
		}
		// Returns the day, some words and the id of a record that is valid.
		o := objectIn(record.Data)
		words := toSlug(o.text("text", "item"), 48)
		if words == "" {
			words = toSlug(o.text("type"), maxTag)
		}
		at, _ := parseTime(o.text("created_at"))
		id := toSlug(o.text("id"), 64)
		name := at.Format(time.DateOnly) + "-" + words + "-" + id + ".md"
		if err := file(name, data); err != nil {
			return left, fmt.Errorf("write %q: %w", name, err)
		}
	}
	return left, nil
}

var errBack = errors.New("it would not read back as the same record")

// readsBack makes sure that nothing is lost by the form.
func readsBack(file, record []byte) error {
	read, err := Parse(Markdown, "", file, Options{})
	if err != nil || len(read.Drafts) != 1 || !bytes.Equal(read.Drafts[0].Data, record) {
		return errBack
	}
	return nil
}

// writeNote returns the file of a note or a skip, which reads back as the same
// bytes.
func writeNote(data []byte) ([]byte, error) {
	record, err := packet.Parse(data, packet.Draft)
	if err != nil {
		return nil, err
	}
	kind := record.Kind()
	member, ok := bodyOf(kind)
	if !ok {
		return nil, fmt.Errorf("a record of the kind %s has no form in Markdown", kind)
	}
	out := bytes.NewBufferString(fence + "\n" + ourMark + ": " + string(kind) + "\n")
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	_, err = d.Token()
	for body := ""; ; {
		if err != nil {
			return nil, notJSON(err)
		}
		if !d.More() {
			fmt.Fprintf(out, "%s\n\n%s\n", fence, body)
			return out.Bytes(), nil
		}
		token, _ := d.Token()
		var v any
		v, err = decodeNext(d, 1)
		switch name, _ := token.(string); name {
		case "type":
		case member:
			body, _ = v.(string)
		default:
			// JSON is YAML, on one line.
			fmt.Fprintf(out, "%s: %s", frontName(name), encodeJSON(v))
		}
	}
}

// frontName returns a name as YAML writes it.
func frontName(name string) string {
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return name
	}
	return strconv.QuoteToGraphic(name)
}
