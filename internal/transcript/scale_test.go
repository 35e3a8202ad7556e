package transcript_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// mostHeap is how much memory reading may take, whatever the size of the transcript.
const mostHeap = 64 << 20

// TestRead_large reads transcripts that are larger than memory should be. LTM_TRANSCRIPT_MB sets another size
// than 50. SPEC.
//
//nolint:paralleltest // it measures the heap of the process
func TestRead_large(t *testing.T) {
	size := 50
	if s := os.Getenv("LTM_TRANSCRIPT_MB"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		size = n
	}
	for _, f := range []transcript.Format{transcript.ClaudeCode, transcript.OpenCode} {
		t.Run(string(f), func(t *testing.T) {
			in := &generated{
				format: f, left: size << 20,
				filler: bytes.Repeat([]byte("0123456789abcdef"), 512),
			}
			began := time.Now()
			s, err := transcript.Read(t.Context(), in, f)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d MB in %v, at most %d MB of heap", in.read>>20,
				time.Since(began).Round(time.Millisecond), in.peak>>20)
			if in.peak > mostHeap {
				t.Errorf("%d bytes of heap, want at most %d", in.peak, mostHeap)
			}
			if in.read < size<<20 {
				t.Errorf("read %d bytes of %d MB", in.read, size)
			}
			checkLarge(t, s)
		})
	}
}

func checkLarge(t *testing.T, s transcript.Session) {
	t.Helper()
	if len(s.Prompts) == 0 || s.Prompts[0].Text != "prompt 0" {
		t.Errorf("%d prompts, the first of them lost", len(s.Prompts))
	}
	failed := 0
	for _, c := range s.Commands {
		if c.Failed {
			failed++
		}
		if len(c.Output) > 2<<10 {
			t.Errorf("%d bytes of output are kept", len(c.Output))
		}
	}
	if failed == 0 || len(s.Commands) > 1000 || len(s.Prompts) > 1000 {
		t.Errorf("%d commands, %d failed, %d prompts", len(s.Commands), failed, len(s.Prompts))
	}
}

// generated is a transcript that is made while it is read, in pieces of which most are the same filler.
type generated struct {
	format transcript.Format
	left   int
	turn   int
	read   int
	peak   uint64
	pieces [][]byte
	filler []byte
}

func (g *generated) Read(p []byte) (int, error) {
	if len(g.pieces) == 0 {
		if g.left <= g.read {
			return 0, io.EOF
		}
		g.more()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		g.peak = max(g.peak, m.HeapAlloc)
	}
	n := copy(p, g.pieces[0])
	if g.pieces[0] = g.pieces[0][n:]; len(g.pieces[0]) == 0 {
		g.pieces = g.pieces[1:]
	}
	g.read += n
	return n, nil
}

// more makes the next turn: a prompt, two commands of which one fails, long answers, and now and then one
// that is too long to read.
func (g *generated) more() {
	g.pieces = g.pieces[:0]
	if g.format == transcript.OpenCode {
		g.openCode()
	} else {
		g.claude()
	}
	g.turn++
}

func (g *generated) add(format string, args ...any) {
	g.pieces = append(g.pieces, fmt.Appendf(nil, format, args...))
}

func (g *generated) long() {
	size := 64 << 10
	switch {
	case g.turn%20 == 7:
		size = 5 << 20 // too long to be read
	case g.turn%4 == 1:
		size = 1 << 20
	}
	for range size / len(g.filler) {
		g.pieces = append(g.pieces, g.filler)
	}
}

func (g *generated) claude() {
	const place = `"timestamp":"2026-09-14T08:00:07.000Z","cwd":"/home/ada/work","sessionId":"s","gitBranch":"main"`
	g.add(`{"type":"attachment","attachment":{"type":"prompt_snapshot","content":"`)
	g.long()
	g.add(`"},%s}`+"\n"+`{"type":"user","message":{"role":"user","content":"prompt %d"},%s}`+"\n", place,
		g.turn, place)
	for i, exit := range []int{0, 1} {
		id := fmt.Sprintf("call_%d_%d", g.turn, i)
		g.add(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"make %s"}}]},%s}`+"\n", id, id, place)
		g.add(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%q,"is_error":%t,"content":"Exit code %d\n`, id, exit != 0, exit)
		g.long()
		g.add(`"}]},%s}`+"\n", place)
	}
}

func (g *generated) openCode() {
	if g.turn == 0 {
		g.add(`{"info":{"id":"s","directory":"/home/ada/work"},"messages":[{}`)
	}
	g.add(`,{"info":{"role":"user","id":"u%d"},"parts":[{"type":"text","messageID":"u%d","text":"prompt %d"}]},`, g.turn, g.turn, g.turn)
	g.add(`{"info":{"role":"assistant","id":"a%d"},"parts":[`, g.turn)
	for exit := range 2 {
		g.add(`{"type":"tool","messageID":"a%d","tool":"bash","callID":"c%d_%d","state":{"status":"completed","input":{"command":"make %d"},"output":"`,
			g.turn, g.turn, exit, g.turn)
		g.long()
		g.add(`","metadata":{"exit":%d}}},`, exit)
	}
	g.add(`{"type":"step-finish"}]}`)
}
