package words_test

import (
	"os"
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
