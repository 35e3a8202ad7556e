package redact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestRelative holds that a path keeps what it says and loses whose home it is in.
func TestRelative(t *testing.T) {
	t.Parallel()
	token := secretToken()
	for _, test := range []struct{ text, want string }{
		{"see /home/alice/work/notes.md, then", "see ~/work/notes.md, then"},
		{"/Users/alice/proj/cmd/main.go:12: wrong", "cmd/main.go:12: wrong"},
		{"/Users/alice/project2/x.go", "~/project2/x.go"},
		{"cd /Users/alice/proj", "cd ~/proj"},
		{"ls /root/build/x", "ls ~/build/x"},
		{`C:\Users\alice\src\x.go`, `~\src\x.go`},
		{`"C:\\Users\\alice\\src"`, `"~\\src"`},
		{"/mnt/c/Users/alice/src/x", "~/src/x"},
		{"file:///home/alice/src/x", "~/src/x"},
		{"PATH=/home/alice/bin:/home/bob/bin", "PATH=~/bin:~/bin"},
		{"/home/alice/" + token + "/x", "~/" + token + "/x"},
		{"cd /Users/alice and go on", "cd ~ and go on"},
		{"/Users/Jan Smith/Documents/x", "/Users/Jan Smith/Documents/x"},
		{"/Users/Jan van Smith/Documents/x", "/Users/Jan van Smith/Documents/x"},
		{"of /Users/Jan Smith", "of /Users/Jan Smith"},
		{"smb://files/Users/jan/Desktop", "smb://files/Users/jan/Desktop"},
		{"vscode-remote://ssh-remote+box/home/jan/src/x", "vscode-remote://ssh-remote+box/home/jan/src/x"},
		{"/Users/alice/proj/../jan/src", "/Users/alice/proj/../jan/src"},
		{"/home/node/app and /etc/hosts", "/home/node/app and /etc/hosts"},
		{"nothing here", "nothing here"},
		{"see /srv/other/x and file:///Users/alice/proj/a.go", "see /srv/other/x and a.go"},
		{
			"box:/Users/alice/proj/x and https://h.example/Users/alice/proj/x",
			"box:~/proj/x and https://h.example/Users/alice/proj/x",
		},
		{"psql -h db01.prod.corp -p 5432", "psql -h db01 -p 5432"},
		{"https://jenkins.build.lan:8080/job/x is red", "https://jenkins:8080/job/x is red"},
	} {
		doc, err := json.Marshal(map[string]any{"a": []string{test.text}, "n": 1})
		if err != nil {
			t.Fatal(err)
		}
		got, n, err := redact.BuiltIn().Relative(doc, "/Users/alice/proj")
		want := strings.Replace(string(doc), quoted(t, test.text), quoted(t, test.want), 1)
		if err != nil || string(got) != want || (n > 0) != (test.text != test.want) {
			t.Errorf("Relative(%s) = %s, %d, %v, want %s", doc, got, n, err, want)
		}
	}
	for _, doc := range []string{
		`{"/home/alice/x": 1}`,
		`{"a": "%2FUsers%2Falice%2Fx"}`,
		`{"a": "\\\\server\\share\\x"}`,
	} {
		got, n, err := redact.BuiltIn().Relative([]byte(doc), "")
		if err != nil || n != 0 || string(got) != doc {
			t.Errorf("Relative(%s) = %s, %d, %v, want it as it was", doc, got, n, err)
		}
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	q, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(q)
}

// TestRelative_packets holds that no packet of people who did not know the scanner is refused for a path, and
// that what their paths say stays: but for the name of the user and of the directory of all homes, each word
// of them is there.
func TestRelative_packets(t *testing.T) {
	t.Parallel()
	packets := 0
	for _, name := range []string{"foreign_paths.jsonl", "held_foreign_paths.jsonl"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "redact", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			packets++
			blocking, lost := rewrite(t, line)
			if len(blocking) > 0 {
				t.Errorf("%s:%d is refused: %v", name, packets, blocking)
			}
			if len(lost) > 0 && strings.HasPrefix(name, "foreign") {
				t.Errorf("%s:%d lost %q:\n%s", name, packets, lost, line)
			} else if len(lost) > 0 {
				t.Errorf("%s:%d lost a word", name, packets)
			}
		}
	}
	if packets != 60 {
		t.Errorf("there are %d packets, want 60", packets)
	}
}

// rewrite writes the paths of a packet anew, and returns what still blocks in it and which of its words are
// gone.
func rewrite(t *testing.T, line []byte) (blocking []redact.Finding, lost []string) {
	t.Helper()
	owner := regexp.MustCompile(
		`(?i)(?:file:/+)?(?:\\\\wsl[^\\]*\\[^\\]+|/(?:mnt|cygdrive)/[a-z]|/var|\b[a-z]:)?[/\\]+(?:(home|users|documents and settings)[/\\]+([^/\\\s:"'@]+)|root\b)`)
	word := regexp.MustCompile(`[\pL\pN_-]+`)
	got, _, err := redact.BuiltIn().Relative(line, "")
	if err != nil {
		t.Fatal(err)
	}
	found, err := redact.BuiltIn().Scan(got)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]int{}
	for _, w := range word.FindAllString(said(t, got), -1) {
		left[w]++
	}
	for _, w := range word.FindAllString(owner.ReplaceAllString(said(t, line), "~"), -1) {
		if left[w]--; left[w] < 0 {
			lost = append(lost, w)
		}
	}
	return redact.Blocking(found), lost
}

// said returns the strings of a document, each on a line.
func said(t *testing.T, doc []byte) string {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(doc, &members); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, value := range members {
		fmt.Fprintln(&b, value)
	}
	return b.String()
}
