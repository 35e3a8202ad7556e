package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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
