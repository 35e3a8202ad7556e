package view_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/view"
)

// keep writes a view of one segment with some rules, below the folder of a clone.
func keep(t testing.TB, clone *local.Dir, stamp view.Stamp, rules ...deadend.Rule) {
	t.Helper()
	var out bytes.Buffer
	w := view.NewWriter(&out)
	for _, rule := range rules {
		for _, trait := range rule.Outline().Rare() {
			value := view.AppendRule(nil, 6, 1, string(rule.Outline().Append(nil)))
			if err := w.Add(view.TraitKey(trait), value); err != nil {
				t.Fatal(err)
			}
		}
	}
	root, err := w.Close()
	seg := view.Info{Name: "one.seg", Records: 7, Items: 300, Length: 70_000, Root: root}
	s := view.State{Stamp: stamp, Young: []string{"notes/1", "skips/2"}, Segments: []view.Info{seg}}
	dir := view.In(clone)
	err = errors.Join(err, dir.File(seg.Name).Replace(out.Bytes(), local.Unsynced),
		view.StateFile(dir).Replace(s.Encode(), local.Unsynced))
	if err != nil {
		t.Fatal(err)
	}
}

// A view says no only of the stamp that it has, and only where it is whole.
func TestMayMeet(t *testing.T) {
	t.Parallel()
	clone := local.Open(t.TempDir(), nil)
	met, other := deadend.Action{Command: "npm install --force"}.Read().Traits(),
		deadend.Action{Prompt: "lower the ceiling"}.Read().Traits()
	stamp := view.Stamp{Packed: "a", Loose: "b"}
	may := func(when string, stamp view.Stamp, traits deadend.Traits, want bool) {
		t.Helper()
		if got := view.MayMeet(clone, stamp, traits); got != want {
			t.Errorf("%s: MayMeet = %v, want %v", when, got, want)
		}
	}
	may("without a view", stamp, other, true)
	keep(t, clone, stamp, deadend.Rule{Command: "npm install --force"})
	may("an action that has a trait", stamp, met, true)
	may("an action that has none", stamp, other, false)
	may("of another list", view.Stamp{Packed: "a", Loose: "c"}, other, true)
	may("of refs that just changed", view.Stamp{Packed: "a"}, other, true)
	for _, name := range []string{"state", "one.seg"} {
		file := view.In(clone).File(name)
		whole, err := file.Read(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		for at := range whole {
			touched := bytes.Clone(whole)
			touched[at] ^= 1
			for _, text := range [][]byte{touched, whole[:at]} {
				if err := os.WriteFile(file.Path(), text, 0o600); err != nil {
					t.Fatal(err)
				}
				may("touched or cut", stamp, other, true)
			}
		}
		if err := os.WriteFile(file.Path(), whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	may("as it was", stamp, other, false)
}

// A state is read as it was written, and whatever else stands in its place is damage. What can be read has
// one form.
func FuzzParseState(f *testing.F) {
	clone := local.Open(f.TempDir(), nil)
	keep(f, clone, view.Stamp{Packed: "a", Loose: "b"}, deadend.Rule{Command: "npm install"})
	whole, err := view.StateFile(view.In(clone)).Read(1 << 20)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := view.ParseState(data)
		if err != nil {
			if !errors.Is(err, view.ErrDamaged) {
				t.Fatalf("ParseState = %v", err)
			}
			return
		}
		again, err := view.ParseState(s.Encode())
		if diff := cmp.Diff(s, again, cmpopts.EquateEmpty(), cmp.AllowUnexported(view.Root{}),
			cmp.Comparer(func(a, b view.Root) bool { return a == b })); diff != "" || err != nil {
			t.Errorf("a state as it is written again (-want +got):\n%s%v", diff, err)
		}
	})
}

// What another version keeps beside a folder goes with what was purged; the rest stays.
func TestDropOthers(t *testing.T) {
	t.Parallel()
	clone := local.Open(t.TempDir(), nil)
	keep(t, clone, view.Stamp{})
	for _, name := range []string{
		"view-0.0/state", "view-99.1/x.seg", "seen", "views",
	} {
		if err := clone.Sub("x").Make(); err != nil {
			t.Fatal(err)
		}
		path := clone.File(name).Path()
		if err := errors.Join(os.MkdirAll(path, 0o700), os.WriteFile(path+"/file", nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := view.DropOthers(view.In(clone)); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(clone.Path())
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, file := range files {
		left = append(left, file.Name())
	}
	want := []string{"seen", view.In(clone).File("").Path()[len(clone.Path())+1:], "views", "x"}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
}
