package ruleset

import (
	"reflect"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestGitleaksNames holds that every built-in rule that the table names exists.
func TestGitleaksNames(t *testing.T) {
	t.Parallel()

	builtIn := map[string]bool{}
	for _, r := range redact.Rules() {
		builtIn[r.ID] = true
	}
	n := 0
	for line := range strings.Lines(gitleaksNames) {
		line = strings.TrimSpace(line)
		at := strings.IndexAny(line, "=~")
		if at < 0 {
			continue
		}
		n++
		if !builtIn[line[at+1:]] {
			t.Errorf("%q names a rule that does not exist", line)
		}
	}
	if n < 80 {
		t.Errorf("%d rows, want 80 or more", n)
	}
}

// TestSchema holds that the table of keys and the decoded types have the same
// keys.
func TestSchema(t *testing.T) {
	t.Parallel()

	decoded := map[string]bool{}
	keysOf(reflect.TypeFor[document](), "", decoded)
	for key := range schema() {
		if !decoded[key] {
			t.Errorf("%q is in the table and is not decoded", key)
		}
	}
	for key := range decoded {
		if schema()[key] == unknown && !strings.HasSuffix(key, "rules.allowlist.targetrules") &&
			!strings.HasSuffix(key, "rules.allowlists.targetrules") {
			t.Errorf("%q is decoded and not in the table", key)
		}
	}
}

func keysOf(of reflect.Type, path string, keys map[string]bool) {
	for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct {
		return
	}
	for field := range of.Fields() {
		key := joinPath(path, strings.ToLower(field.Tag.Get("toml")))
		keys[key] = true
		keysOf(field.Type, key, keys)
	}
}
