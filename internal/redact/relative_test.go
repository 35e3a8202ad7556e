package redact_test

import (
	"encoding/json"
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
		{"box:/Users/alice/proj/x and https://h.example/Users/alice/proj/x", "box:~/proj/x and https://h.example/Users/alice/proj/x"},
		{"psql -h db01.prod.corp -p 5432", "psql -h db01 -p 5432"},
		{"https://jenkins.build.lan:8080/job/x is red", "https://jenkins:8080/job/x is red"},
	} {
		doc, err := json.Marshal(map[string]any{"a": []string{test.text}, "n": 1})
		if err != nil {
			t.Fatal(err)
		}
		got, n, err := redact.Relative(doc, "/Users/alice/proj")
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
		got, n, err := redact.Relative([]byte(doc), "")
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
