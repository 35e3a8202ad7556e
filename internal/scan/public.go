package scan

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
)

// Public returns text with masks in the place of secrets, such as the name of a ref or
// a file. Where something lies stays, since a person has to find it. A secret is found in
// quotes and pointers too, where a part of it stands escaped.
func (r *Rules) Public(text string) string {
	text = maskSecrets(text, r.SecretsIn(text))
	plain, at := withoutQuotes(text)
	if plain == text {
		return text
	}
	found := r.SecretsIn(plain)
	for i := range found {
		found[i].Start, found[i].End = at[found[i].Start], at[found[i].End]
	}
	return maskSecrets(text, found)
}

// withoutQuotes undoes the escapes of quoted text and of JSON pointers, and the one slash that is left of two in a
// path that was tidied. It tells for each byte where it began, and where text ends.
func withoutQuotes(text string) (plain string, at []int) {
	var b []byte
	for i := 0; i < len(text); {
		char, size := text[i:i+1], 1
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "~1"):
			char, size = "/", 2
		case strings.HasPrefix(rest, "~0"):
			char, size = "~", 2
		case strings.HasPrefix(rest, ":/") && !strings.HasPrefix(rest, "://"):
			char = ":/"
		case rest[0] == '\\':
			if r, _, tail, err := strconv.UnquoteChar(rest, '"'); err == nil {
				char, size = string(r), len(rest)-len(tail)
			}
		}
		for range len(char) {
			at = append(at, i)
		}
		b = append(b, char...)
		i += size
	}
	return string(b), append(at, len(text))
}

// SecretsIn returns the secrets in the name of a ref or a file.
func (r *Rules) SecretsIn(name string) []redact.Finding { return redact.Blocking(r.ScanText(name)) }

// Locate says where findings of a document stand in another text of it, such as the file that it was read
// from. What that text does not hold in the same place of the document stays as it is.
func (r *Rules) Locate(findings []redact.Finding, text []byte) {
	there, _, _ := r.Examine(text)
	for i := range findings {
		f := &findings[i]
		at := slices.IndexFunc(there, func(t redact.Finding) bool {
			return t.Rule == f.Rule && t.Path == f.Path && t.InName == f.InName
		})
		if at >= 0 {
			f.Line, f.Column, f.EndLine, f.EndColumn = there[at].Line, there[at].Column, there[at].EndLine,
				there[at].EndColumn
			there = slices.Delete(there, at, at+1)
		}
	}
}

// MaskText returns text with masks in the place of what must not travel.
func (r *Rules) MaskText(text string) string {
	return maskSecrets(text, redact.Blocking(r.ScanText(text)))
}

func maskSecrets(text string, findings []redact.Finding) string {
	return redact.Replace(text, findings, func(f redact.Finding) string { return f.Mask })
}

// CleanError returns an error about the text of a record without the secrets in it.
func (r *Rules) CleanError(err error, data []byte) error {
	invalid, ok := errors.AsType[*packet.InvalidError](err)
	if !ok {
		return err
	}
	_, inNames, _ := r.Examine(data) // Where the scan was given up, names count as secret.
	public := make([]packet.Problem, 0, len(invalid.Problems))
	for _, p := range invalid.Problems {
		public = append(public, packet.Problem{Path: r.Pointer(p.Path, inNames), Text: r.MaskText(p.Text)})
	}
	return &packet.InvalidError{Problems: public}
}

// Examine looks for secrets in bytes as they are stored, whether they are a record or not. It tells whether a
// name in them may hold one. An error is a scan that was given up.
func (r *Rules) Examine(data []byte) (found []redact.Finding, inNames bool, err error) {
	text := narrowText(data)
	found, err = r.Scan(text)
	switch {
	case errors.Is(err, ErrSlow) || errors.Is(err, redact.ErrStopped):
		return nil, true, err
	case err != nil:
		found = r.ScanText(string(text))
	}
	return found, slices.ContainsFunc(found, func(f redact.Finding) bool {
		return f.Severity == redact.Block && (f.InName || err != nil)
	}), nil
}

// Pointer returns the pointer of a problem without the secrets in it. Of a
// document with a secret in a name, a step that was cut or escaped could be a
// part of that name, which no rule would know again.
func (r *Rules) Pointer(path string, inNames bool) string {
	if !inNames {
		return path
	}
	steps := strings.Split(path, "/")
	for i, step := range steps {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if strings.ContainsAny(name, `\…`) {
			steps[i] = "…"
			continue
		}
		steps[i] = strings.NewReplacer("~", "~0", "/", "~1").Replace(r.MaskText(name))
	}
	return strings.Join(steps, "/")
}
