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

// A chunk is one page of a list.
type chunk[T any] struct {
	items  []T
	number int
	more   bool // there are others behind it
}

// takePage returns one page of a list.
func takePage[T any](list iter.Seq2[T, error], number int) (chunk[T], error) {
	for c, err := range eachPage(list) {
		if err != nil || c.number == number {
			return c, err
		}
	}
	return chunk[T]{number: number}, nil
}

// eachPage yields a list page by page. An empty list has one page.
func eachPage[T any](list iter.Seq2[T, error]) iter.Seq2[chunk[T], error] {
	return func(yield func(chunk[T], error) bool) {
		c := chunk[T]{number: 1}
		for item, err := range list {
			if err != nil {
				yield(chunk[T]{}, err)
				return
			}
			if len(c.items) == perPage {
				c.more = true
				if !yield(c, nil) {
					return
				}
				c = chunk[T]{number: c.number + 1}
			}
			c.items = append(c.items, item)
		}
		yield(c, nil)
	}
}

// pagesOf says how one leads to the next: while pages are served by a query, in an export by names of files.
func (s *shelf) pagesOf(name string, number int, more bool, query ...string) pages {
	p := pages{Number: number}
	if number > 1 {
		p.Newer = s.pageHref(name, number-1, query...)
	}
	if more {
		p.Older = s.pageHref(name, number+1, query...)
	}
	return p
}

func (s *shelf) pageHref(name string, number int, query ...string) string {
	switch {
	case number == 1:
		return listHref(name, query...)
	case s.export != nil:
		return pageFile(name, number)
	default:
		return listHref(name, append(query, "page", strconv.Itoa(number))...)
	}
}

// pageFile is the file of one page of a list in an export.
func pageFile(name string, number int) string {
	if number == 1 {
		return name
	}
	return strings.TrimSuffix(name, pageSuffix) + "-" + strconv.Itoa(number) + pageSuffix
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
