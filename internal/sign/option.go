package sign

import (
	"errors"
	"strings"
	"time"
)

// parseOptions reads options set apart by commas. An option that is not known makes the line unusable.
func parseOptions(options string) (Entry, error) {
	var s Entry
	for options != "" {
		rest, err := parseOption(&s, options)
		if err != nil {
			return Entry{}, err
		}
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return Entry{}, errors.New("an option is not known")
		}
		if options = rest[1:]; options == "" {
			return Entry{}, errors.New("an option is missing behind the last comma")
		}
	}
	if !s.After.IsZero() && !s.Before.IsZero() && !s.Before.After(s.After) {
		return Entry{}, errors.New("valid-before is not later than valid-after")
	}
	return s, nil
}

// parseOption reads one option where one stands, and returns what follows.
func parseOption(s *Entry, text string) (rest string, err error) {
	if rest, ok := cutPrefixFold(text, "cert-authority"); ok {
		s.Authority = true
		return rest, nil
	}
	if rest, ok := cutPrefixFold(text, "namespaces="); ok {
		if s.limited {
			return "", errors.New("namespaces stands twice")
		}
		s.limited = true
		s.Namespaces, rest, err = unquote(rest)
		return rest, err
	}
	for _, limit := range []struct {
		name string
		dst  *time.Time
	}{{"valid-after=", &s.After}, {"valid-before=", &s.Before}} {
		rest, ok := cutPrefixFold(text, limit.name)
		if !ok {
			continue
		}
		if !limit.dst.IsZero() {
			return "", errors.New(limit.name + " stands twice")
		}
		value, rest, err := unquote(rest)
		if err != nil {
			return "", err
		}
		*limit.dst, err = parseTime(value, time.Local)
		return rest, err
	}
	return text, nil
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// unquote reads a value in quotes, in which \" is a quote.
func unquote(s string) (value, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", errors.New("the value of an option does not stand in quotes")
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case strings.HasPrefix(s[i:], `\"`):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", errors.New("a quote is not closed")
}
