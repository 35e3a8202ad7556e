package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// TestRead_ownWords shows what is left of a prompt that holds words of git ltm, of a client or of a hook.
// SPEC.
func TestRead_ownWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"nothing of ours": {
			"compare <b>a</b> with <ltm> and ltm-packets",
			"compare <b>a</b> with <ltm> and ltm-packets",
		},
		"a block": {
			"do it\n<ltm-packet nonce=\"1\">\n| x\n</ltm-packet nonce=\"1\">\nnow",
			"do it\n\n\nnow",
		},
		"its heading": {
			"do it\n# Resume from git ltm\n\nPacket x.\n\n<ltm-packet nonce=\"1\">\n| " +
				"x\n</ltm-packet>\n\n3 items left out to fit the budget; all of it: git ltm show x\nnow",
			"do it\n\n\n\nnow",
		},
		"a warning": {"FAIL x\ngit ltm: this meets something that did not work before.\nIt is " +
			"said once.\n<ltm-warning nonce=\"1\">\n| x\n</ltm-warning nonce=\"1\">\nnow", "FAIL x\n\n\nnow"},
		"capitals":            {"a <LTM-Context nonce=1>x</LTM-CONTEXT> b", "a \n b"},
		"never closed":        {"a\n<ltm-recall nonce=\"1\">\nx", "a"},
		"never opened":        {"x\n</ltm-recall nonce=\"1\">\na", "a"},
		"closed early":        {"a <ltm-x n=1>x</ltm-x n=2>x</ltm-x n=1>b", "b"},
		"put together":        {"<lt<ltm-x></ltm-x>m-packet>a", "<lt\nm-packet>a"},
		"compact":             {"a\nltm-packet 1f begin id=x note=\"n\"\nG x\nltm-packet 1f end left_out=0\nb", "a\nb"},
		"compact, no end":     {"a\nltm-context 1f begin note=\"n\"\nG x", "a"},
		"compact, no start":   {"G x\nltm-context 1f end left_out=1\nb", "b"},
		"compact behind ours": {"<ltm-x></ltm-x>ltm-packet 1f begin\nG x", ""},
		"reminder":            {"a <system-reminder>x</system-reminder> b", "a \n b"},
		"reminder, no end":    {"what is <system-reminder>?", "what is <system-reminder>?"},
		"hook":                {"<hook_context>x</hook_context>\n\na", "a"},
		"qwen":                {"<qwen:prompt-context>x</qwen:prompt-context>a", "a"},
		"only ours":           {"<ltm-context nonce=\"1\">x</ltm-context>", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(prompts(t, typed(t, test.text)), "|"); got != test.want {
				t.Errorf("%q is read as %q, want %q", test.text, got, test.want)
			}
		})
	}
}

// TestRead_ownCalls shows which calls are ours, and that nothing of their outcome comes through.
func TestRead_ownCalls(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		`Bash {"command":"git ltm resume"}`:                                       "",
		`Bash {"command":"cd x && git -C y -c a=b --no-pager ltm recall z"}`:      "",
		`Bash {"command":"LTM_X=1 /usr/local/bin/git-ltm save --goal \"g\""}`:     "",
		`Bash {"command":"echo '{}' | git-ltm save -"}`:                           "",
		`Bash {"command":"git ltm save --goal 'a; b && c' | cat"}`:                "",
		`Bash {"command":"cat <<'EOF' | git ltm save -\n{\"goal\": \"a\"}\nEOF"}`: "",
		`Bash {"command":"cat > p <<EOF\nmake it\nEOF\ngit-ltm save p"}`:          "",
		`Bash {"command":"echo 'never git ltm' && make"}`:                         "echo 'never git ltm' && make: words of ours",
		`Bash {"command":"make test && git ltm save"}`:                            "make test && git ltm save: ",
		`Bash {"command":"git commit -m 'about ltm'"}`:                            "git commit -m 'about ltm': words of ours",
		`Bash {"command":"go test ./cmd/git-ltm"}`:                                "go test ./cmd/git-ltm: words of ours",
		`mcp__ltm__resume {}`:                        "",
		`mcp__plugin_git-ltm_ltm__save {"goal":"g"}`: "",
		`mcp__altm__resume {"query":"g"}`:            "mcp__altm__resume g: words of ours",
		`mcp_ltm_save {}`:                            "",
		`ltm_save {}`:                                "",
		`ltm-save {}`:                                "",
	} {
		tool, input, _ := strings.Cut(call, " ")
		text := fmt.Sprintf(
			`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":%q,"input":%s}]}}`+
				"\n", tool, input) +
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":"Exit code 1\nwords of ours"}]}}` + "\n"
		s := read(t, []byte(text), transcript.ClaudeCode)
		var got []string
		for _, c := range s.Commands {
			got = append(got, c.Text+": "+c.Output)
		}
		if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", call, diff)
		}
	}
}

// TestRead_manyMarks reads texts that take long where each mark is looked for in all that follows.
func TestRead_manyMarks(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		"<system-reminder>", "<ltm-a></ltm-a>", "x<ltm-a></ltm-a>", "</ltm-a>", "<hook_context></x>",
		"<qwen:a></b>", "<", "</", "<ltm-",
		"ltm-a b begin\n", "# git ltm\n", " left out to fit the budget\n",
	} {
		got := prompts(t, typed(t, "say "+strings.Repeat(part, 1<<19/len(part))))
		if all := strings.ToLower(strings.Join(got, "")); strings.Contains(all, "<ltm-") || len(got) > 1 {
			t.Errorf("%q: %d prompts", part, len(got))
		}
	}
	for i := range 3 {
		var all strings.Builder
		for n := range 30_000 {
			fmt.Fprintf(&all, []string{"<qwen:%d>", "<ltm-x%d>", "</qwen:%d>"}[i], n)
		}
		prompts(t, typed(t, "say "+all.String()))
	}
}
