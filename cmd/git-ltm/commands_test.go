package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// commands are what scripts can do beyond the built-in.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"secret":    secret,
	"capture":   capture,
	"exits":     exits,
	"newer-git": newerGit,
	"remember":  remember,
	"unchanged": unchanged,
	"unsaid":    unsaid,
	"json":      jsonValue,
	"jsonlines": jsonLines,
	"harmless":  harmless,
	"fenced":    fenced,
	"as":        as,
	"key":       key,
	"standing":  standing,
	"serve":     serve,
	"password":  password,
	"cut":       cut,
	"mend":      mend,
	"many":      plantMany,
	"strangers": plantStrangers,
	"events":    plantEvents,
	"fetch":     fetch,
	"moment":    moment,
	"drafted":   drafted,
}

// secrets are strings that look like secrets, by kind. They are put together
// here, so that no file of this project holds one.
func secrets() map[string]string {
	return map[string]string{
		"github":   "gh" + "p_" + strings.Repeat("aB3dE5fG7h", 4)[:36],
		"aws":      "AK" + "IA" + "QX7ZT4MWN2RB6KLP",
		"slack":    "xo" + "xb-" + "274839201847-5839201746583-" + "Qm4Zt8Rk2Wv6Xb1Nc7Lp3Hd9",
		"gitlab":   "gl" + "pat-" + "k3q9t2mwx7lp5b8vn4zd",
		"url":      "postgres:/" + "/app:" + "k3QzT9mWx2Lp" + "@db.internal/app",
		"password": "Tr0ub4dor" + "-horse9",
	}
}

// secret KIND [FILE...] sets SECRET to a made-up secret of a kind, and puts it
// into the place of @SECRET@ in files.
func secret(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: secret KIND [FILE...]")
	}
	value, ok := secrets()[args[0]]
	if !ok {
		ts.Fatalf("there is no secret of kind %q", args[0])
	}
	ts.Setenv("SECRET", value)
	for _, name := range args[1:] {
		file := ts.MkAbs(name)
		data, err := os.ReadFile(file)
		ts.Check(err)
		ts.Check(os.WriteFile(file, bytes.ReplaceAll(data, []byte("@SECRET@"), []byte(value)), 0o600))
	}
}

// capture NAME sets a variable to the standard output of the last command, and NAME8 to the end of an id as
// sessions are shown it.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: capture NAME")
	}
	value := strings.TrimSpace(ts.ReadFile("stdout"))
	ts.Setenv(args[0], value)
	if id, err := packet.ParseID(value); err == nil {
		ts.Setenv(args[0]+"8", string(id[len(id)-8:]))
	}
}

// exits CODE COMMAND... runs a command that must end with the code. One that
// fails and speaks of an error does so on one line.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if n := strings.Count("\n"+ts.ReadFile("stderr"), "\ngit-ltm: error: "); want != 0 &&
		args[1] == "git-ltm" && n != 1 {
		ts.Fatalf("%d lines of error, want 1", n)
	}
}

// newer-git lets the rest of the script use the git in the directory that
// LTM_TEST_GIT names.
func newerGit(ts *testscript.TestScript, _ bool, _ []string) {
	if other := os.Getenv("LTM_TEST_GIT"); other != "" {
		ts.Setenv("PATH", other+string(os.PathListSeparator)+ts.Getenv("PATH"))
	}
}

// remembered is the key of what remember noted.
type remembered struct{}

// remember [DIR] notes every file below a directory, for unchanged.
func remember(ts *testscript.TestScript, _ bool, args []string) {
	dir := directory(ts, args)
	notes := ts.Value(remembered{}).(map[string]string)
	for _, key := range slices.Collect(keysBelow(notes, dir)) {
		delete(notes, key)
	}
	for name, content := range files(ts, dir) {
		notes[filepath.Join(dir, name)] = content
	}
}

// unchanged [DIR] fails where a file below a directory is not as it was when
// remember noted it. The time stamp of the last healing does not count.
func unchanged(ts *testscript.TestScript, _ bool, args []string) {
	dir := directory(ts, args)
	notes := ts.Value(remembered{}).(map[string]string)
	now := files(ts, dir)
	var differ []string
	for name, content := range now {
		if was, ok := notes[filepath.Join(dir, name)]; !ok {
			differ = append(differ, "new: "+name)
		} else if was != content {
			differ = append(differ, "changed: "+name)
		}
	}
	for key := range keysBelow(notes, dir) {
		if name, err := filepath.Rel(dir, key); err == nil {
			if _, ok := now[name]; !ok {
				differ = append(differ, "gone: "+name)
			}
		}
	}
	slices.Sort(differ)
	if len(differ) > 0 {
		ts.Fatalf("not as remembered:\n%s", strings.Join(differ, "\n"))
	}
}

func directory(ts *testscript.TestScript, args []string) string {
	if len(args) == 0 {
		return ts.MkAbs(".")
	}
	return ts.MkAbs(args[0])
}

func keysBelow(notes map[string]string, dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range notes {
			if strings.HasPrefix(key, dir+string(filepath.Separator)) && !yield(key) {
				return
			}
		}
	}
}

func files(ts *testscript.TestScript, dir string) map[string]string {
	all := map[string]string{}
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(filepath.ToSlash(path), "/ltm/healed") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all[name] = string(data)
		return err
	}))
	return all
}

// unsaid [DIR] fails where SECRET stands in the output of the last command, in a
// file below a directory, or in an object of the repository there.
func unsaid(ts *testscript.TestScript, _ bool, args []string) {
	secret := ts.Getenv("SECRET")
	if secret == "" {
		ts.Fatalf("call secret first")
	}
	for _, stream := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(stream), secret) {
			ts.Fatalf("%s says the secret", stream)
		}
	}
	dir := directory(ts, args)
	for name, content := range files(ts, dir) {
		if strings.Contains(content, secret) || strings.Contains(name, secret) {
			ts.Fatalf("%s holds the secret", name)
		}
	}
	git := exec.Command("git", "-C", dir, "cat-file", "--batch-all-objects", "--batch", "--unordered")
	objects, err := git.Output()
	ts.Check(err)
	if bytes.Contains(objects, []byte(secret)) {
		ts.Fatalf("an object holds the secret")
	}
}

// json [POINTER [WANT]] fails unless the last standard output is one JSON value
// that has the wanted text or JSON at a pointer. With "!" nothing may be there.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	var value any
	ts.Check(dec.Decode(&value))
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		ts.Fatalf("more than one JSON value")
	}
	if len(args) == 0 {
		return
	}
	got, found := at(value, args[0])
	switch {
	case neg && found:
		ts.Fatalf("%s is %s, want nothing there", args[0], got)
	case neg:
	case !found:
		ts.Fatalf("there is nothing at %s", args[0])
	case len(args) > 1 && got != args[1]:
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

// jsonlines N fails unless the last standard output is that many JSON objects,
// one a line.
func jsonLines(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: jsonlines N")
	}
	n := 0
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			ts.Fatalf("line %d: %v", n+1, err)
		}
		n++
	}
	if strconv.Itoa(n) != args[0] {
		ts.Fatalf("%d lines, want %s", n, args[0])
	}
}

// at returns the text of a string, or the JSON of another value, at a pointer.
func at(value any, pointer string) (string, bool) {
	for _, part := range strings.Split(pointer, "/")[1:] {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[part]
			if !ok {
				return "", false
			}
			value = next
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(v) {
				return "", false
			}
			value = v[i]
		default:
			return "", false
		}
	}
	if text, ok := value.(string); ok {
		return text, true
	}
	data, err := json.Marshal(value)
	return string(data), err == nil
}

// harmless fails where the last command printed what acts on a terminal, turns
// text around or cannot be seen.
func harmless(ts *testscript.TestScript, _ bool, _ []string) {
	for _, stream := range []string{"stdout", "stderr"} {
		if err := checkHarmless(ts.ReadFile(stream)); err != nil {
			ts.Fatalf("%s: %v", stream, err)
		}
	}
}

func checkHarmless(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8")
	}
	for i, r := range text {
		control := unicode.IsControl(r) && r != '\n' && r != '\t'
		if control || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return fmt.Errorf("%U at byte %d", r, i)
		}
	}
	return nil
}

// fenced fails unless the last standard output is a briefing whose data cannot
// be taken for anything else.
func fenced(ts *testscript.TestScript, _ bool, _ []string) {
	text := ts.ReadFile("stdout")
	if err := checkHarmless(text); err != nil {
		ts.Fatalf("%v", err)
	}
	if err := checkFence(text); err != nil {
		ts.Fatalf("%v", err)
	}
}

// checkFence tells whether a briefing has one opening and one closing mark with
// one nonce, and marks each line between them as data.
func checkFence(text string) error {
	nonce := ""
	opened, closed := 0, 0
	for i, line := range strings.Split(text, "\n") {
		inside := opened == 1 && closed == 0
		switch {
		case strings.HasPrefix(line, "<ltm-packet "):
			_, rest, _ := strings.Cut(line, `nonce="`)
			nonce, _, _ = strings.Cut(rest, `"`)
			opened++
		case line == `</ltm-packet nonce="`+nonce+`">`:
			closed++
		case inside && line != "|" && !strings.HasPrefix(line, "| "):
			return fmt.Errorf("line %d is not marked as data: %q", i+1, line)
		case !inside && strings.HasPrefix(line, "|"):
			return fmt.Errorf("line %d is outside of the marks: %q", i+1, line)
		}
	}
	marks := strings.Count(strings.ToLower(text), "<ltm-packet") +
		strings.Count(strings.ToLower(text), "</ltm-packet")
	if opened != 1 || closed != 1 || marks != 2 || len(nonce) != 16 {
		return fmt.Errorf("%d opening and %d closing of %d marks, nonce %q", opened, closed, marks, nonce)
	}
	return nil
}
