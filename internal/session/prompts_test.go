package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/recall"
)

// pastedLog is what people paste below a question.
const pastedLog = "\n\n2026-11-20T10:44:12Z ERROR worker[17] panic: runtime error: index out of range [5] with length 5\n" +
	"goroutine 42 [running]:\nmain.(*Server).handleRequest(0xc0000b2000, {0x7f1, 0x20})\n" +
	"\t/home/ada/src/app/server.go:118 +0x1a5\nexit status 2\nmake: *** [Makefile:12: test] Error 1\n"

func TestIsCommand(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{
		"/compact keep the lexer":                      true,
		" /ltm:save the lexer":                         true,
		"/home/ada/lex.go panics in the tokenizer":     false,
		"Why does /compact lose what the lexer wants?": false,
	} {
		if got := isCommand(prompt); got != want {
			t.Errorf("isCommand(%q) = %v, want %v", prompt, got, want)
		}
	}
}

// Of what asks for an answer more has to be known before it is shown.
func TestIsQuestion(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]bool{
		"Which port does the proxy take":                       true,
		"The proxy stops. Does it need a port?":                true,
		"Hi! Could you make the proxy listen on another port?": false,
		"make the proxy listen on another port":                false,
		"Hi. Why does the proxy stop?":                         false,
		"":                                                     false,
	} {
		if got := enoughFor(prompt) == recall.Sure; got != want {
			t.Errorf("enoughFor(%q) = %v, want %v", prompt, got, want)
		}
	}
}

func TestApart(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string][2]string{
		"Why does parse_config() in src/app.go:118 return nil": {"Why does parse_config() in " +
			"src/app.go:118 return nil", ""},
		"Why does it fail?" + pastedLog +
			"\nIt worked yesterday.": {
			"Why does it fail?\n\n\nIt worked yesterday.",
			pastedLog[2 : len(pastedLog)-1],
		},
		"Fix this:\n```go\nfunc f() {\n\nreturn\n```\nand test it": {
			"Fix this:\nand test it",
			"```go\nfunc f() {\n\nreturn\n```",
		},
		"> as you said\n> before\n\nNo.": {"No.", "> as you said\n> before"},
		"Do:\n- the first thing\n- the second, in two steps\n": {"Do:\n- the first thing\n- the " +
			"second, in two steps", ""},
		"": {"", ""},
	} {
		asked, pasted := splitPasted(prompt)
		if diff := cmp.Diff(want, [2]string{asked, pasted}); diff != "" {
			t.Errorf("apart(%q) (-want +got):\n%s", prompt, diff)
		}
	}
	if got := tellingWords("see the sync.Pool(0x20) of [ERR_SOCKET] at 12:30."); got !=
		"see the sync.Pool of ERR_SOCKET at" {
		t.Errorf("tellingWords = %q", got)
	}
}
