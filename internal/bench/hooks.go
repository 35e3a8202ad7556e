package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// hooksVerb is the first argument that measures the hooks of agents.
const hooksVerb = "hooks"

// settled is how long refs have to lie still until a stamp of them is trusted.
const settled = 2500 * time.Millisecond

// benchHooks prints what the hooks cost that an agent waits for, beside git naming a commit, with each number of records: of this
// clone, and of strangers, of whom a session is told nothing.
func benchHooks(ctx context.Context, out io.Writer, args []string) error {
	sizes := []int{10_000}
	if len(args) > 0 {
		var err error
		if sizes, err = numbers(args); err != nil {
			return err
		}
	}
	return withPrograms(ctx, func(dir string) error {
		if _, err := fmt.Fprintf(out, "%s, %d cores, %s, ratios of medians; the other side is git rev-parse HEAD\n\n"+
			"| hook | records | git ltm, ms | other, ms | wall | CPU | peak MiB, both |\n|---|---|---|---|---|---|---|\n",
			time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.Version()); err != nil {
			return err
		}
		for _, n := range sizes {
			for _, style := range []string{hooksStyle, strangerStyle} {
				h := &hooked{repo: newRepo(filepath.Join(dir, style), n)}
				if err := h.prepare(ctx, style, dir); err != nil {
					return fmt.Errorf("make %d records of %s: %w", n, style, err)
				}
				if err := h.measureAll(ctx, out); err != nil {
					return fmt.Errorf("with %d records of %s: %w", n, style, err)
				}
			}
		}
		return nil
	})
}

// hooked is a repository in which an agent works.
type hooked struct {
	*repo

	sessions int
}

// prepare fills the repository, saves a few records more, which lie in refs of their own, and makes the index.
func (h *hooked) prepare(ctx context.Context, style, programs string) error {
	h.rich()
	h.style = style
	if err := h.filled(ctx); err != nil {
		return err
	}
	h.bin = programs
	for range 5 {
		if _, err := h.ltm("note", h.text(100))(ctx); err != nil {
			return err
		}
	}
	for range 2 { // The index is made, and then noted to be that of refs which lie still.
		if _, err := h.ltm("skip", "check", "make the index")(ctx); err != nil {
			return err
		}
		time.Sleep(settled)
	}
	return nil
}

// measureAll measures each hook.
func (h *hooked) measureAll(ctx context.Context, out io.Writer) error {
	failed := fmt.Sprintf("npm run --with-%s %s", h.text(1), h.text(1))
	all := []comparison{
		{"program alone", h.n, runs, h.ltm("version"), h.head},
		{"tool, unknown words", h.n, runs, h.hook("tool", h.call("zzqx --version")), h.head},
		{"tool, words of many rules", h.n, runs, h.hook("tool", h.call("npm run test --watch")), h.head},
		{"tool, an edit of 40 lines", h.n, runs, h.hook("tool", h.edit(40)), h.head},
		{"tool, a known dead end", h.n, runs, h.hook("tool", h.call(h.known())), h.head},
		{"tool, nearly a known dead end", h.n, runs, h.hook("tool", h.call(failed)), h.head},
		{"prompt, unknown words", h.n, runs, h.hook("prompt", h.prompt("Please draw a lighthouse at dusk, in oil")), h.head},
		{"prompt, words of the memory", h.n, runs, h.hook("prompt", h.prompt("Please "+h.text(150))), h.head},
		{"session start", h.n, runs, h.hook("session-start", map[string]any{"source": "startup"}), h.head},
	}
	for _, c := range all {
		if h.style == strangerStyle {
			c.name = "strangers: " + c.name
		}
		if err := c.markdown(ctx, out); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// known is the command of a failed attempt of the memory.
func (h *hooked) known() string {
	data, err := h.git(context.Background(), nil, h.dir, "cat-file", "blob", "refs/ltm/packets/"+string(h.middle))
	if err != nil {
		return ""
	}
	var packet struct {
		Attempts []struct{ Tried string } `json:"attempts"`
	}
	if json.Unmarshal(data, &packet) != nil || len(packet.Attempts) == 0 {
		return ""
	}
	return packet.Attempts[len(packet.Attempts)-1].Tried
}

// call is what an agent says before a command.
func (h *hooked) call(command string) map[string]any {
	return map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": command}}
}

// edit is what an agent says before it writes so many lines into a file.
func (h *hooked) edit(lines int) map[string]any {
	var text strings.Builder
	for range lines {
		fmt.Fprintf(&text, "\t%s := %s(%s)\n", h.text(1), h.text(1), h.text(20))
	}
	return map[string]any{"tool_name": "Edit", "tool_input": map[string]any{
		"file_path": filepath.Join(h.dir, "src", "main.go"), "old_string": h.text(60), "new_string": text.String(),
	}}
}

func (h *hooked) prompt(text string) map[string]any { return map[string]any{"prompt": text} }

// hook runs a hook, each time for a session of its own, which is told again what another one was told.
func (h *hooked) hook(event string, said map[string]any) func(context.Context) (sample, error) {
	return func(ctx context.Context) (sample, error) {
		h.sessions++
		said["session_id"], said["cwd"] = fmt.Sprint("bench-", h.sessions), h.dir
		in, err := json.Marshal(said)
		if err != nil {
			return sample{}, err
		}
		took, err := h.measure(ctx, in, nil, filepath.Join(h.bin, "git-ltm"), "hook", "claude-code", event)
		if err != nil {
			return sample{}, errors.Join(fmt.Errorf("hook %s", event), err)
		}
		return took, nil
	}
}

// head lets git name the commit at hand.
func (h *hooked) head(ctx context.Context) (sample, error) {
	return h.measure(ctx, nil, nil, "git", "rev-parse", "HEAD")
}
