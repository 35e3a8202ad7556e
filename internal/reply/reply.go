// Package reply holds what the faces of git ltm have in common: the one JSON shape of each answer, the words
// for what went wrong, and the forms in which people and models name ends and places.
//
// What records say is cleaned before it is put into a shape, so that whoever prints it need not. The names of
// members are stable.
package reply

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/ruleset"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/signer"
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

// Address is the address of a remote without what it may hold to log in.
func Address(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		address = u.Scheme + "://" + u.Host + u.Path // Not escaped: a secret would be hidden by that.
	}
	return address
}

// Slug writes a tag in lower case, with hyphens for what parts its words. What else is wrong with it the gate
// says. A secret stays as it is, so that the gate knows it: in lower case it would be none.
func Slug(tag string) string {
	if (*scan.Rules)(nil).Public(tag) != tag {
		return tag
	}
	tag = strings.ToLower(tag)
	const parts = ":/_ \t"
	if !strings.ContainsAny(tag, parts) {
		return tag
	}
	return strings.Join(strings.FieldsFunc(tag, func(r rune) bool {
		return strings.ContainsRune(parts+"-", r)
	}), "-")
}

// Printable makes a text fit for a terminal, a log and a model: clean, on one line, and without a secret that
// somebody typed or sent. Places stay, they say where to look. Nil are the built-in rules.
func Printable(rules *scan.Rules, text string) string {
	// A secret that is broken over lines is one only before they are joined.
	return rules.Public(report.Line(rules.Public(text)))
}

// Summary is the one line of an error, whose details follow.
func Summary(rules *scan.Rules, err error) string {
	if _, ok := errors.AsType[*ruleset.InvalidError](err); ok {
		return "the rules of your own are not valid, so nothing can be scanned"
	}
	invalid, ok := errors.AsType[*packet.InvalidError](err)
	if !ok || replay.IsStoredUnreadable(err) {
		return oneCause(rules, err)
	}
	if n := len(invalid.Problems); n != 1 {
		return fmt.Sprintf("the record is not valid, for %d reasons", n)
	}
	return "the record is not valid"
}

// oneCause is an error without the steps between what was done and what is in the way: of a file its name, of git
// what it said first, without the secrets that its lines are the parts of.
func oneCause(rules *scan.Rules, err error) string {
	text := err.Error()
	if exit, ok := errors.AsType[*git.ExitError](err); ok && exit.Stderr != "" {
		said, _, _ := strings.Cut(rules.Public(exit.Stderr), "\n")
		text = strings.Replace(text, exit.Error(), strings.TrimPrefix(said, "fatal: "), 1)
	}
	for _, cause := range []error{git.ErrNotRepository, signer.ErrNoKey} {
		if before, _, ok := strings.Cut(text, cause.Error()); ok && errors.Is(err, cause) {
			text = before + cause.Error()
		}
	}
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		name := file.Path
		if strings.HasPrefix(filepath.Base(name), ".git-ltm-") { // It would have become the file beside it.
			name = filepath.Dir(name)
		}
		text = strings.Replace(text, file.Error(), fmt.Sprintf("%s: %v", name, file.Err), 1)
	}
	return text
}

// Details lists what an error found, one line each.
func Details(err error) []string {
	var lines []string
	if invalid, ok := errors.AsType[*packet.InvalidError](err); ok {
		for _, p := range invalid.Problems {
			path := p.Path
			if path == "" {
				path = "(document)"
			}
			lines = append(lines, path+": "+p.Text)
		}
	}
	if rules, ok := errors.AsType[*scan.RulesError](err); ok {
		if _, ok := errors.AsType[*ruleset.InvalidError](err); ok {
			lines = append(lines, strings.Split(rules.Err.Error(), "\n")...)
		}
	}
	if secret, ok := errors.AsType[*replay.SecretError](err); ok {
		for _, f := range secret.Findings {
			lines = append(lines, f.String())
			if secret.Stored {
				continue
			}
			more := "fingerprint " + f.Fingerprint("") + ": " + strings.TrimSuffix(f.Advice, " of the packet")
			if f.Line > 0 {
				more = fmt.Sprintf("line %d, column %d, %s", f.Line, f.Column, more)
			}
			lines = append(lines, more)
		}
	}
	if store, ok := errors.AsType[*gate.StoreError](err); ok && store.Team == "" {
		for _, id := range store.Stores {
			lines = append(lines, "if this is the project that they were signed in: git config ltm.store "+id)
		}
	}
	return lines
}
