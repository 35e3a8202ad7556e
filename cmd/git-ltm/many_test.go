package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// many N FROM plants that many records of about 8 KB, whose text hardly gets
// smaller, in the repository of the script's directory. The last digits of their
// ids count from FROM on.
func plantMany(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: many N FROM")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	from, err := strconv.Atoi(args[1])
	ts.Check(err)
	dir, err := os.MkdirTemp(ts.Getenv("WORK"), "many")
	ts.Check(err)
	defer func() { _ = os.RemoveAll(dir) }()
	var paths, script strings.Builder
	for i := from; i < from+n; i++ {
		path := filepath.Join(dir, manyID(i))
		ts.Check(os.WriteFile(path, []byte(manyPacket(i)), 0o600))
		paths.WriteString(path + "\n")
	}
	oids := strings.Fields(plainGit(ts, paths.String(), "hash-object", "-w", "--no-filters", "--stdin-paths"))
	for i, oid := range oids {
		fmt.Fprintf(&script, "create refs/ltm/packets/%s %s\n", manyID(from+i), oid)
	}
	plainGit(ts, script.String(), "update-ref", "--stdin")
}

// manyID is the id of a planted record.
func manyID(i int) string { return fmt.Sprintf("01JDMB4W1YNJZQR7K8F3%06d", i) }

// manyPacket is a planted record. Its words are no words, and always the same.
func manyPacket(i int) string {
	state := uint64(i)*2 + 1
	word := func() string {
		letters := make([]byte, 7)
		for k := range letters {
			state = state*6364136223846793005 + 1442695040888963407
			letters[k] = 'a' + byte(state>>56)%26
		}
		return string(letters)
	}
	var lines []string
	for range 8 {
		words := make([]string, 120)
		for k := range words {
			words[k] = word()
		}
		lines = append(lines, `    "`+strings.Join(words, " ")+`"`)
	}
	return fmt.Sprintf("{\n  \"ltm_version\": \"0.3\",\n  \"id\": %q,\n  \"created_at\": \"2026-01-02T03:04:05Z\",\n  \"goal\": \"Packet %d\",\n"+
		"  \"constraints\": [\n%s\n  ],\n  \"next_step\": \"Go on\"\n}\n", manyID(i), i,
		strings.Join(lines, ",\n"))
}

// plainGit runs git in the directory of a script and returns what it printed.
func plainGit(ts *testscript.TestScript, input string, args ...string) string {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = ts.MkAbs("."), strings.NewReader(input)
	for _, name := range []string{"PATH", "HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "LC_ALL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	out, err := cmd.Output()
	ts.Check(err)
	return string(out)
}
