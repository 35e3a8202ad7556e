package main

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// serving is the key of the servers of a script, by their names.
type serving struct{}

// serve SERVICE DIR NAME starts a server for the bare repositories below a
// directory and sets NAME to its address. It ends with the script. The services
// are http, http-public, ssh and daemon. For ssh, NAME_CONFIG is the file for
// ssh -F, and the user's core.sshCommand names it.
func serve(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: serve SERVICE DIR NAME")
	}
	service, name := gittest.Service(args[0]), args[2]
	server, err := gittest.Serve(service, ts.MkAbs(args[1]), []string{"PATH=" + ts.Getenv("PATH")})
	ts.Check(err)
	ts.Defer(func() { ts.Check(server.Close()) })
	ts.Value(serving{}).(map[string]*gittest.Server)[name] = server
	ts.Setenv(name, server.URL)
	if service == gittest.SSH {
		ts.Setenv(name+"_CONFIG", server.SSHConfig)
		ts.Check(ts.Exec("git", "config", "--global", "core.sshCommand", "ssh -F "+server.SSHConfig))
	}
}

// password right|wrong lets a credential helper of the user answer with the
// password of the servers over http, or with another one.
func password(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 || (args[0] != "right" && args[0] != "wrong") {
		ts.Fatalf("usage: password right|wrong")
	}
	word := gittest.Password()
	if args[0] == "wrong" {
		word = "not-" + word
	}
	helper := filepath.Join(ts.Getenv("HOME"), "credential-helper")
	script := "#!/bin/sh\n[ \"$1\" != get ] || printf 'username=%s\\npassword=%s\\n' " + gittest.User + " " +
		word + "\n"
	ts.Check(os.WriteFile(helper, []byte(script), 0o700))
	ts.Check(ts.Exec("git", "config", "--global", "--replace-all", "credential.helper", helper))
}

// cut NAME up|down|answer BYTES breaks the network to a server after so many
// bytes from now on: up to the server, down to the client, or at the first byte
// that the server says after it was told so many.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: cut NAME up|down|answer BYTES")
	}
	direction, ok := map[string]gittest.Direction{
		"up": gittest.Up, "down": gittest.Down,
		"answer": gittest.Answer,
	}[args[1]]
	after, err := strconv.ParseInt(args[2], 10, 64)
	if !ok || err != nil {
		ts.Fatalf("usage: cut NAME up|down|answer BYTES")
	}
	server(ts, args[0]).Cut(direction, after)
}

// mend NAME lets a network work again. It fails where the network did not break.
func mend(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: mend NAME")
	}
	s := server(ts, args[0])
	up, down := s.Passed()
	ts.Logf("%d bytes went up and %d bytes came down so far", up, down)
	ts.Check(s.Mend())
}

// server finds a server of the script.
func server(ts *testscript.TestScript, name string) *gittest.Server {
	s, ok := ts.Value(serving{}).(map[string]*gittest.Server)[name]
	if !ok {
		ts.Fatalf("there is no server named %s", name)
	}
	return s
}

// servable tells whether this machine has what a service needs. In CI it must.
func servable(service gittest.Service) bool {
	missing := gittest.MissingFor(service)
	if missing != "" && os.Getenv("CI") == "true" {
		panic("CI has no " + missing)
	}
	return missing == ""
}
