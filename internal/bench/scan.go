package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
)

// scanVerb is the first argument of a run that measures the scanner alone.
const scanVerb = "scan"

// gitleaks is what the scanner is compared with.
const gitleaks = "github.com/zricethezav/gitleaks/v8@v8.30.1"

// Sizes of what is scanned.
const (
	onePacket = 5 << 10
	oneFile   = 1 << 20
)

// scanning measures the scanner on text that a work session could have written,
// which holds no secret.
type scanning struct {
	*repo
	texts []string
	next  int
}

// benchScan compares a cold scan of one packet, and a warm one of many
// megabytes, with ten expressions and with gitleaks.
func benchScan(ctx context.Context, out io.Writer, args []string) error {
	megabytes := 100
	if len(args) > 0 {
		var err error
		if megabytes, err = strconv.Atoi(args[0]); err != nil || megabytes < 1 {
			return fmt.Errorf("%q is no number of megabytes", args[0])
		}
	}
	return withPrograms(ctx, func(dir string) error {
		if err := install(ctx, dir, gitleaks); err != nil {
			return err
		}
		s := &scanning{repo: newRepo(dir, 0)}
		if err := s.fill(megabytes); err != nil {
			return err
		}
		if err := header(out, runs); err != nil {
			return err
		}
		one := filepath.Join(s.bin, "one.json")
		many, err := filepath.Glob(filepath.Join(s.bin, "many", "*"))
		if err != nil {
			panic(err) // The pattern is right.
		}
		quiet := []string{"--no-banner", "--log-level=error", "--exit-code=0"}
		for _, c := range []comparison{
			{"one-ten", 1, runs, s.ltm("scan", one), s.fed(one, "ten")},
			{"one-leaks", 1, runs, s.ltm("scan", one), s.fed(one, "gitleaks", append([]string{"stdin"}, quiet...)...)},
			{"many", megabytes, 1, s.ltm(append([]string{"scan"}, many...)...), s.fed("", "gitleaks", append([]string{"dir", filepath.Join(s.bin, "many")}, quiet...)...)},
		} {
			if err := c.run(ctx, out); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		return nil
	})
}

func install(ctx context.Context, dir, module string) error {
	env := append(os.Environ(), "CGO_ENABLED=0", "GOBIN="+dir, "GOFLAGS=-mod=mod")
	_, err := run(ctx, program.Command{File: "go", Args: []string{"install", "-trimpath", "-ldflags=-s -w", module}, Env: env})
	return err
}

// fill writes the packet and the files that are scanned.
func (s *scanning) fill(megabytes int) error {
	rows, err := redacttest.Load(filepath.Join("testdata", "redact", "negatives.txt"))
	if err != nil {
		return fmt.Errorf("read the harmless texts, which lie beside the code: %w", err)
	}
	for _, row := range rows {
		if row.Group == "prose" || row.Group == "note" || row.Group == "log" || row.Group == "id" {
			s.texts = append(s.texts, row.Text)
		}
	}
	s.dir = s.bin
	if err := os.WriteFile(filepath.Join(s.bin, "one.json"), s.packet(onePacket), 0o600); err != nil {
		return err
	}
	many := filepath.Join(s.bin, "many")
	if err := os.Mkdir(many, 0o750); err != nil {
		return err
	}
	for i := range megabytes {
		var file bytes.Buffer
		for file.Len() < oneFile {
			file.Write(s.packet(onePacket))
			file.WriteByte('\n')
		}
		if err := os.WriteFile(filepath.Join(many, strconv.Itoa(i)+".txt"), file.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// packet writes a packet of about size bytes.
func (s *scanning) packet(size int) []byte {
	var attempts []map[string]string
	for left := size; left > 0; {
		attempt := map[string]string{"tried": s.text(), "outcome": "failed", "learned": s.text()}
		left -= len(attempt["tried"]) + len(attempt["learned"]) + 64
		attempts = append(attempts, attempt)
	}
	data, err := json.MarshalIndent(map[string]any{"goal": s.text(), "attempts": attempts}, "", "  ")
	if err != nil {
		panic(err) // Strings are always JSON.
	}
	return data
}

func (s *scanning) text() string {
	s.next++
	return s.texts[s.next%len(s.texts)]
}

// fed runs a program with a file as its standard input.
func (s *scanning) fed(file, program string, args ...string) func(context.Context) (sample, error) {
	return func(ctx context.Context) (sample, error) {
		var in []byte
		if file != "" {
			data, err := os.ReadFile(file)
			if err != nil {
				return sample{}, err
			}
			in = data
		}
		return s.measure(ctx, in, nil, filepath.Join(s.bin, program), args...)
	}
}
