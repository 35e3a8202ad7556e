package web

import (
	"iter"
	"net/url"
	"strconv"
	"strings"
)

// pages leads from one page of a list to the next.
type pages struct {
	Number       int
	Newer, Older string
}

// pageOf is the number of the page that a query asks for.
func pageOf(query url.Values) (int, error) {
	text := query.Get("page")
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPages {
		return 0, errNoPage
	}
	return n, nil
}

// takePage returns one page of a list, and whether there is more behind it.
func takePage[T any](list iter.Seq2[T, error], number int) (items []T, more bool, err error) {
	before := (number - 1) * perPage
	for item, err := range list {
		switch {
		case err != nil:
			return nil, false, err
		case before > 0:
			before--
		case len(items) == perPage:
			return items, true, nil
		default:
			items = append(items, item)
		}
	}
	return items, false, nil
}

// pagesOf says how one leads to the next.
func pagesOf(name string, number int, more bool, query ...string) pages {
	p := pages{Number: number}
	switch {
	case number == 2:
		p.Newer = listHref(name, query...)
	case number > 2:
		p.Newer = listHref(name, append(query, "page", strconv.Itoa(number-1))...)
	}
	if more {
		p.Older = listHref(name, append(query, "page", strconv.Itoa(number+1))...)
	}
	return p
}

// listHref is the address of a list with what narrows it, as pairs of a name and a value. Empty values are
// left out.
func listHref(name string, query ...string) string {
	var parts []string
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			parts = append(parts, query[i]+"="+url.QueryEscape(query[i+1]))
		}
	}
	if len(parts) == 0 {
		return name
	}
	return name + "?" + strings.Join(parts, "&")
}

// toggleHref leads to the same list with, or without, what is out of every list.
func toggleHref(name string, all bool, query ...string) string {
	if !all {
		query = append(query, "all", everything)
	}
	return listHref(name, query...)
}
