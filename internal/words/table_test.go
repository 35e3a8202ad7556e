package words_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/words"
)

func TestTable(t *testing.T) {
	t.Parallel()
	table := words.NewTable("# nothing, of a list\n[marks] # signs\nusage: x, [open,\nshut\n[other] # more\nlast\n")
	if got := table.List("marks"); len(got) != 3 || got[0] != "usage: x" || got[1] != "[open" || got[2] != "shut" {
		t.Errorf("List = %q", got)
	}
	if !table.Has("marks", "shut") || table.Has("marks", "last") || table.Has("none", "shut") {
		t.Error("Has is wrong")
	}
	if !table.Begins("marks", "[open it") || table.Begins("marks", "is [open") {
		t.Error("Begins is wrong")
	}
	if !table.In("marks", "it is shut.") || table.In("other", "it is shut.") {
		t.Error("In is wrong")
	}
}

// TestTable_Value holds that a list has its words and phrases as they stand there, and nothing that only looks like
// one.
func TestTable_Value(t *testing.T) {
	t.Parallel()
	table := words.NewTable("# nothing\n[other] # more\nlast\n\n[runs] # more\n" +
		"add, git add, sh:+line, go test:-C,\ngo:ls list\nend\n")
	for word, want := range map[string]string{
		"add": "", "git add": "", "sh": "+line", "go test": "-C", "go": "ls list", "end": "",
	} {
		if value, ok := table.Value("runs", word); !ok || value != want {
			t.Errorf("Value(%q) = %q, %v, want %q", word, value, ok, want)
		}
	}
	for _, word := range []string{
		"", "a", "dd", " add", "git", "add, git add", "sh:+line", "ls", "list", "list\nend", "test", "last", "more",
	} {
		if _, ok := table.Value("runs", word); ok {
			t.Errorf("the list has %q", word)
		}
	}
}

// TestTable_Value_files holds that every word of the tables is found, so that commas and blanks stand where they
// should.
func TestTable_Value_files(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"deadend/words.txt", "deadend/commands.txt", "garden/words.txt"} {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		table := words.NewTable(string(text))
		for name := range table.Names() {
			for _, phrase := range table.List(name) {
				word, want, _ := strings.Cut(phrase, ":")
				if value, ok := table.Value(name, word); !ok || value != want {
					t.Errorf("%s: %s: Value(%q) = %q, %v, want %q", file, name, word, value, ok, want)
				}
			}
		}
	}
}

func TestIsStop(t *testing.T) {
	t.Parallel()
	table, err := os.ReadFile("stop.txt")
	if err != nil {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(string(table)) {
		if !words.IsStop(word) {
			t.Errorf("%q of the table says something", word)
		}
	}
	for _, word := range []string{"database", "themselvesx", "redis"} {
		if words.IsStop(word) {
			t.Errorf("%q says nothing", word)
		}
	}
}
