// Package conformance_test asks programs the questions of testdata/conformance: whether they read, write, replay and
// verify records as SPEC.md says. 'make conformance CMD=PROGRAM' asks any program; every test run asks this one, and
// the small one in examples, which shares no code with it.
package conformance_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what this program answers into the vectors that want nothing yet")

const (
	root   = "../.."
	folder = root + "/testdata/conformance"
	second = "examples/ltm.py"
)

// classes are what a program can claim to be. A writer is asked what a reader is asked, too.
func classes() []string { return []string{"reader", "writer", "replayer", "verifier", "gate"} }

// A vector is one question, and what its answer must hold.
type vector struct {
	Case string         `json:"case"`
	Rule string         `json:"rule"` // of SPEC.md
	Ask  map[string]any `json:"ask"`
	Want map[string]any `json:"want,omitempty"`
}

// An answerer answers the questions of a class, in their order.
type answerer func(class string, asked []vector) ([]map[string]any, error)

// TestConformance asks this program, and the second one all but the gate.
func TestConformance(t *testing.T) {
	t.Parallel()
	for _, class := range classes() {
		all := vectorsOf(t, class)
		t.Run(class, func(t *testing.T) {
			t.Parallel()
			hold(t, class, all, newReference(t).answerAll)
		})
		if class != "gate" {
			t.Run(class+", the second program", func(t *testing.T) {
				t.Parallel()
				needPython(t)
				hold(t, class, all, program("python3", second))
			})
		}
	}
}

// TestFaults makes ten mistakes in the second program, one at a time, which somebody chose who had not seen the vectors:
// each must be found.
func TestFaults(t *testing.T) {
	t.Parallel()
	needPython(t)
	source, err := os.ReadFile(filepath.Join(root, second))
	if err != nil {
		t.Fatal(err)
	}
	listed, err := os.ReadFile(filepath.Join(folder, "faults.json"))
	if err != nil {
		t.Fatal(err)
	}
	var faults []struct{ Name, Class, Old, New string }
	if err := json.Unmarshal(listed, &faults); err != nil || len(faults) < 10 {
		t.Fatalf("%d faults: %v", len(faults), err)
	}
	for _, f := range faults {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			if n := strings.Count(string(source), f.Old); n != 1 {
				t.Fatalf("the place of the fault stands %d times in %s", n, second)
			}
			wrong := filepath.Join(t.TempDir(), "wrong.py")
			if err := os.WriteFile(wrong, []byte(strings.Replace(string(source), f.Old, f.New, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			all := vectorsOf(t, f.Class)
			answers, err := program("python3", wrong)(f.Class, all)
			for i := range answers {
				if differs(all[i].Want, answers[i]) != "" {
					return
				}
			}
			if err == nil {
				t.Error("no question finds it")
			}
		})
	}
}

// TestProgram asks the program that LTM_CONFORMANCE names, in the classes of LTM_CONFORMANCE_CLASSES or in all.
func TestProgram(t *testing.T) {
	t.Parallel()
	words := strings.Fields(os.Getenv("LTM_CONFORMANCE"))
	if len(words) == 0 {
		return // TestConformance asks this one.
	}
	asked := strings.Fields(os.Getenv("LTM_CONFORMANCE_CLASSES"))
	if len(asked) == 0 {
		asked = classes()
	}
	for _, class := range asked {
		t.Run(class, func(t *testing.T) {
			t.Parallel()
			hold(t, class, vectorsOf(t, class), program(words...))
		})
	}
}

// hold asks all questions of a class, and says which answers are wrong.
func hold(t *testing.T, class string, all []vector, ask answerer) {
	t.Helper()
	answers, err := ask(class, all)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, v := range all {
		if diff := differs(v.Want, answers[i]); diff != "" {
			wrong++
			t.Errorf("%s (SPEC %s): %s", v.Case, v.Rule, diff)
		}
	}
	t.Logf("%s: %d of %d", class, len(all)-wrong, len(all))
}

// differs says what of an answer is not as it must be. What it holds beside that is no matter.
func differs(want, got map[string]any) string {
	for name, value := range want {
		w, _ := json.Marshal(value)
		g, _ := json.Marshal(got[name])
		if !bytes.Equal(w, g) {
			return fmt.Sprintf("%q is %s, want %s", name, short(g), short(w))
		}
	}
	return ""
}

func short(text []byte) string {
	if len(text) > 600 {
		return string(text[:600]) + "..."
	}
	return string(text)
}

// program asks a program: questions go to its standard input, one a line, and it answers one a line.
func program(words ...string) answerer {
	return func(class string, asked []vector) ([]map[string]any, error) {
		var in bytes.Buffer
		for _, v := range asked {
			if err := json.NewEncoder(&in).Encode(v.Ask); err != nil {
				return nil, err
			}
		}
		cmd := exec.Command(words[0], append(slices.Clone(words[1:]), class)...)
		var out, diagnosis bytes.Buffer
		cmd.Dir = root
		cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &diagnosis
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", words, err, diagnosis.Bytes())
		}
		answers := make([]map[string]any, len(asked))
		read := json.NewDecoder(&out)
		for i := range answers {
			if err := read.Decode(&answers[i]); err != nil {
				return nil, fmt.Errorf("%s, the answer to %q: %w", words, asked[i].Case, err)
			}
		}
		return answers, nil
	}
}

// vectorsOf reads the vectors of a class: those of its file, and for readers and writers the texts of testdata/packet.
func vectorsOf(tb testing.TB, class string) []vector {
	tb.Helper()
	all := textVectors(tb, class)
	name := filepath.Join(folder, class+".jsonl")
	file, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var own []vector
	for read := json.NewDecoder(bufio.NewReader(file)); ; {
		var v vector
		if err := read.Decode(&v); err == io.EOF {
			break
		} else if err != nil {
			tb.Fatalf("%s, behind %d vectors: %v", name, len(own), err)
		}
		own = append(own, v)
	}
	if *update {
		writeVectors(tb, class, name, own)
	}
	all = append(all, own...)
	if len(all) < 20 {
		tb.Fatalf("class %s has %d vectors, want at least 20", class, len(all))
	}
	return all
}

// writeVectors fills in what this program answers to questions that nobody answered yet. A person reads it then.
func writeVectors(tb testing.TB, class, name string, own []vector) {
	tb.Helper()
	answers, err := newReference(tb).answerAll(class, own)
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for i, v := range own {
		if v.Want == nil {
			own[i].Want = answers[i]
		}
		if err := encoder.Encode(own[i]); err != nil {
			tb.Fatal(err)
		}
	}
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// textVectors are the texts of testdata/packet as questions: a reader accepts or refuses them at the places given, and
// a writer encodes them.
func textVectors(tb testing.TB, class string) (all []vector) {
	tb.Helper()
	if class != "reader" && class != "writer" {
		return nil
	}
	texts, err := filepath.Glob("../../testdata/packet/*/*.json")
	if err != nil || len(texts) < 200 {
		tb.Fatalf("testdata/packet has %d texts: %v", len(texts), err)
	}
	for _, name := range texts {
		base, isValid := strings.TrimSuffix(name, ".json"), filepath.Base(filepath.Dir(name)) == "valid"
		v := vector{Case: strings.TrimPrefix(base, "../../testdata/packet/"), Rule: "R-15.1", Ask: map[string]any{
			"op": map[string]string{"reader": "read", "writer": "write"}[class], "text": encoded(tb, name),
		}, Want: map[string]any{"accepted": isValid}}
		if !isValid {
			listed, err := os.ReadFile(base + ".problems")
			if err != nil {
				tb.Fatal(err)
			}
			places := strings.Split(strings.TrimSuffix(string(listed), "\n"), "\n")
			slices.Sort(places)
			v.Want["problems"] = slices.Compact(places)
		} else if class == "writer" {
			v.Want["text"] = encoded(tb, base+".canonical")
		}
		all = append(all, v)
	}
	return all
}

func encoded(tb testing.TB, name string) string {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(data)
}

// needPython skips the test visibly where there is no Python; in CI that is a failure.
func needPython(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("python3 is not installed")
		}
		t.Skip("THE SECOND PROGRAM IS NOT ASKED, install python3")
	}
}
