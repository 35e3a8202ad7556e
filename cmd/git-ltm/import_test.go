package main

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/foreign"
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
			ignoreFile: {Data: []byte(tt.lines)}, "a.md": {}, "x/a.md": {}, "x/y/a.md": {}, "#b.md": {},
		}
		all, err := readIgnore(files)
		if err != nil {
			t.Fatalf("%q: %v", tt.lines, err)
		}
		delete(files, ignoreFile)
		var left []string
		for _, name := range []string{"#b.md", "a.md", "x", "x/a.md", "x/y", "x/y/a.md"} {
			info, err := files.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if all.matches(name, fs.FileInfoToDirEntry(info)) {
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
		"too many lines":           strings.Repeat("a\n", mostIgnored+1),
		"too many bytes":           strings.Repeat("a", maxIgnore+1),
	} {
		if _, err := readIgnore(fstest.MapFS{ignoreFile: {Data: []byte(lines)}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestImportOptions_addRemap(t *testing.T) {
	t.Parallel()
	var o importOptions
	for _, text := range []string{
		"author=bob:Bob Tester <bob@example.com>", "topic=a/b:c", "tag=x:y",
		"tag=z:y", "tag=x:y",
	} {
		if err := o.addRemap(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	want := foreign.Remap{
		Author: map[string]string{"bob": "Bob Tester <bob@example.com>"},
		Topic:  map[string]string{"a/b": "c"},
		Tag:    map[string]string{"x": "y", "z": "y"},
	}
	if diff := cmp.Diff(want, o.remap); diff != "" {
		t.Errorf("the remap (-want +got):\n%s", diff)
	}
	for _, text := range []string{
		"", "tag", "tag=", "tag=x", "tag=x:", "tag=:y", "kind=a:b", "tag=x:z",
		"tag=\xff:a",
	} {
		if err := o.addRemap(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
