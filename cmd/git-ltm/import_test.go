package main

import (
	"reflect"
	"testing"

	"github.com/git-ltm/git-ltm/internal/foreign"
)

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
	if !reflect.DeepEqual(o.remap, want) {
		t.Errorf("the remap is %v, want %v", o.remap, want)
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
