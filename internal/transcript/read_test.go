package transcript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// typed is the record of a prompt in a transcript of Claude Code.
func typed(tb testing.TB, text string) string {
	tb.Helper()
	data, err := json.Marshal(map[string]any{
		"type": "user", "timestamp": "2026-09-14T08:00:00Z",
		"message": map[string]string{"role": "user", "content": text},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return string(data) + "\n"
}

func prompts(tb testing.TB, transcriptText string) []string {
	tb.Helper()
	var all []string
	for _, p := range read(tb, []byte(transcriptText), transcript.ClaudeCode).Prompts {
		all = append(all, p.Text)
	}
	return all
}

func TestRead_longLine(t *testing.T) {
	t.Parallel()
	long := typed(t, strings.Repeat("much ", 6<<20/5))
	short := typed(t, strings.Repeat("some ", 3<<20/5))
	got := prompts(t, typed(t, "before")+long+short+typed(t, "after"))
	if len(got) != 3 || got[0] != "before" || len(got[1]) > 16<<10 || len(got[1]) < 16<<10-5 || got[2] != "after" {
		t.Errorf("%d prompts, want before, some of the short one, after", len(got))
	}
}

func TestRead_longValue(t *testing.T) {
	t.Parallel()
	part := func(text string) string {
		return fmt.Sprintf(`{"info":{"role":"user"},"parts":[{"type":"text","text":%q}]}`, text)
	}
	long := strings.Repeat("{[\"much\" ", 5<<20/10)
	s := read(t, []byte(`{"info":{},"messages":[`+part("before")+","+part(long)+","+part("after")+`]}`),
		transcript.OpenCode)
	if len(s.Prompts) != 2 || s.Prompts[0].Text != "before" || s.Prompts[1].Text != "after" {
		t.Errorf("%d prompts, want the two that are not too long", len(s.Prompts))
	}
}

// TestRead_lastPrompt holds that what the client notes as the last prompt counts where there is no other.
func TestRead_lastPrompt(t *testing.T) {
	t.Parallel()
	note := `{"type":"last-prompt","lastPrompt":"noted","leafUuid":"x"}` + "\n"
	for text, want := range map[string]string{
		note:                     "noted",
		note + typed(t, "typed"): "typed",
		strings.Replace(note, "noted", "/compact", 1): "",
	} {
		if got := strings.Join(prompts(t, text), "|"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestRead_firstPromptIsKept(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for i := range 1000 {
		all.WriteString(typed(t, fmt.Sprintf("prompt %d", i)))
	}
	got := prompts(t, all.String())
	if len(got) != 200 || got[0] != "prompt 0" || got[1] != "prompt 801" || got[199] != "prompt 999" {
		t.Errorf("%d prompts: %.3q", len(got), got)
	}
}

func TestRead_fails(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	for _, f := range transcript.Formats() {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			in := io.MultiReader(strings.NewReader("{}\n{\"a\":"), iotest.ErrReader(broken))
			if _, err := transcript.Read(t.Context(), in, f); !errors.Is(err, broken) {
				t.Errorf("a reader that fails: %v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			in = strings.NewReader(`{"info":{},"messages":[]}` + "\n")
			if _, err := transcript.Read(ctx, in, f); !errors.Is(err, context.Canceled) {
				t.Errorf("a context that ended: %v", err)
			}
		})
	}
	if _, err := transcript.Read(t.Context(), strings.NewReader(""), "cobol"); err == nil ||
		!strings.Contains(err.Error(), `"cobol"`) {
		t.Errorf("an unknown format: %v", err)
	}
}

// TestRead_cut holds that a fixture which is cut anywhere is read as far as it goes.
func TestRead_cut(t *testing.T) {
	t.Parallel()
	for _, file := range fixtures(t) {
		data, want := readFile(t, file), expected(t, file)
		for n := 0; n < len(data); n += 97 {
			s := read(t, data[:n], want.Format)
			if all := shown(t, s); strings.Contains(all, planted) {
				t.Fatalf("%s cut at %d lets through what nobody said:\n%s", file, n, all)
			}
			if len(s.Prompts) > want.Prompts {
				t.Fatalf("%s cut at %d has %d prompts", file, n, len(s.Prompts))
			}
		}
	}
}

// TestRead_alike holds that how the bytes arrive and how lines end is all the same.
func TestRead_alike(t *testing.T) {
	t.Parallel()
	for _, file := range fixtures(t) {
		data, f := readFile(t, file), expected(t, file).Format
		want := read(t, data, f)
		for name, in := range map[string]io.Reader{
			"byte by byte": iotest.OneByteReader(bytes.NewReader(data)),
			"error at end": iotest.DataErrReader(bytes.NewReader(data)),
			"line ends":    bytes.NewReader(bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))),
			"empty lines":  bytes.NewReader(bytes.ReplaceAll(data, []byte("\n"), []byte("\n\n"))),
		} {
			got, err := transcript.Read(t.Context(), in, f)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s, %s: %v (-want +got):\n%s", file, name, err, diff)
			}
		}
	}
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for _, file := range fixtures(t) {
		data, want := readFile(t, file), expected(t, file).Format
		for _, n := range []int{600, 1000, 2000, len(data)} {
			if f, ok := transcript.Detect(data[:min(n, len(data))]); !ok || f != want {
				t.Errorf("the first %d bytes of %s are of %q, %t", n, file, f, ok)
			}
		}
	}
	long := strings.Repeat("x", 9000)
	for head, want := range map[string]transcript.Format{
		`{"timestamp":"t","type":"session_meta","payload":{"id":"` +
			long: transcript.Codex,
		`{"parentUuid":null,"sessionId":"s","type":"user","message":{"content":"` +
			long: transcript.ClaudeCode,
		`{"uuid":"u","sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"` +
			long: transcript.Qwen,
		`{"type":"session.start","data":{"x":"` +
			long: transcript.Copilot,
		"{\n  \"info\": {\n    \"id\": \"" +
			long: transcript.OpenCode,
		`{"info":{"id":"s"},"messages":[]}`: transcript.OpenCode,
		`{"$set":{"messages":[]}}`:          transcript.Gemini,
	} {
		if f, ok := transcript.Detect([]byte(head)); !ok || f != want {
			t.Errorf("%.60q is of %q, %t, want %q", head, f, ok, want)
		}
	}
	for _, head := range []string{
		"", "{}", "[1]", "# Notes\n", `{"type":"user"}`,
		`{"message":{"role":"user"}}`, "{\"a\":1}\n{\"b\":", "\x00\x01", "{",
	} {
		if f, ok := transcript.Detect([]byte(head)); ok {
			t.Errorf("%q is of %q", head, f)
		}
	}
}

// TestRead_commandOfTheirOwn: a command that the person made, or a skill, asks for something also without
// words behind it. One of the client does not, and is told by the order of the marks.
func TestRead_commandOfTheirOwn(t *testing.T) {
	t.Parallel()
	const message, name, args = "<command-message>x</command-message>", "<command-name>/answer-reviews</command-name>",
		"<command-args></command-args>"
	got := prompts(t, typed(t, name+message+args)+typed(t, message+"\n"+name))
	if diff := cmp.Diff([]string{"/answer-reviews"}, got); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
}
