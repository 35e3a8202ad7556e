package main

import (
	"errors"
	"io"
	"net/http" //nolint:depguard // A script asks for pages as a browser does.
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// fetch STATUS URL FILE [NAME:VALUE...] asks for a page with the headers, expects a status, and writes the
// page to a file. The name Method stands for the method, and Host for the name of the server.
func fetch(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: fetch STATUS URL FILE [NAME:VALUE...]")
	}
	r, err := http.NewRequest(http.MethodGet, args[1], nil)
	ts.Check(err)
	for _, header := range args[3:] {
		name, value, _ := strings.Cut(header, ":")
		switch name {
		case "Method":
			r.Method = value
		case "Host":
			r.Host = value
		default:
			r.Header.Set(name, value)
		}
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(r)
	ts.Check(err)
	body, err := io.ReadAll(answer.Body)
	ts.Check(errors.Join(err, answer.Body.Close(), os.WriteFile(ts.MkAbs(args[2]), body, 0o600)))
	if got := strconv.Itoa(answer.StatusCode); got != args[0] {
		ts.Fatalf("%s: status %s, want %s", args[1], got, args[0])
	}
}
