package command_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/command"
)

func TestIgnores(t *testing.T) {
	t.Parallel()
	tests := []struct {
		lines string
		left  string // of the files below, those that are left out
	}{
		{"", ""},
		{"# a.md\n\n   \n", ""},
		{"a.md", "a.md x/a.md x/y/a.md"},
		{"/a.md", "a.md"},
		{"x/a.md", "x/a.md"},
		{"*.md\n!/a.md", "#b.md x/a.md x/y/a.md"},
		{"a.md\n!x/a.md\n", "a.md x/y/a.md"},
		{"y/", "x/y"},
		{"a.md/", ""},
		{"x/**", "x x/a.md x/y x/y/a.md"},
		{"**/y/*.md", "x/y/a.md"},
		{"x/?.md  ", "x/a.md"},
		{"[xz]/[!b].md", "x/a.md"},
		{`\#b.md`, "#b.md"},
		{"**", "#b.md a.md x x/a.md x/y x/y/a.md"},
	}
	for _, tt := range tests {
		files := fstest.MapFS{
			command.IgnoreFile: {Data: []byte(tt.lines)}, "a.md": {}, "x/a.md": {}, "x/y/a.md": {}, "#b.md": {},
		}
		all, err := command.ReadIgnore(files)
		if err != nil {
			t.Fatalf("%q: %v", tt.lines, err)
		}
		delete(files, command.IgnoreFile)
		var left []string
		for _, name := range []string{"#b.md", "a.md", "x", "x/a.md", "x/y", "x/y/a.md"} {
			info, err := files.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if all.Matches(name, fs.FileInfoToDirEntry(info)) {
				left = append(left, name)
			}
		}
		if diff := cmp.Diff(tt.left, strings.Join(left, " ")); diff != "" {
			t.Errorf("%q leaves out (-want +got):\n%s", tt.lines, diff)
		}
	}
}

func TestReadIgnore_refused(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]string{
		"a pattern without an end": "[a",
		"too many lines":           strings.Repeat("a\n", command.MostIgnored+1),
		"too many bytes":           strings.Repeat("a", command.MaxIgnore+1),
	} {
		if _, err := command.ReadIgnore(fstest.MapFS{command.IgnoreFile: {Data: []byte(lines)}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
