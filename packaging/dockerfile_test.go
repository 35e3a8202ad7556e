package packaging_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// TestDockerfile reads the description of the image as the builder does, with the builder's own rules, and
// holds what those do not: a base of a fixed version, and a user who is not root.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if faults := lintImage(t, data); len(faults) > 0 {
		t.Errorf("Dockerfile: %q", faults)
	}
	for _, bad := range []struct{ old, new string }{
		{"FROM alpine:3.22", "FROM alpine"},
		{"FROM alpine:3.22", "FROM alpine:latest"},
		{"USER ltm\n", ""},
		{"USER ltm\n", "USER root\n"},
		{`ENTRYPOINT ["git-ltm"]`, "ENTRYPOINT git-ltm"},
		{"COPY ", "CPOY "},
		{"WORKDIR /home/ltm", "WORKDIR home/ltm"},
		{"CMD [", "CMD [\"help\"]\nCMD ["},
	} {
		broken := strings.Replace(string(data), bad.old, bad.new, 1)
		if broken == string(data) || len(lintImage(t, []byte(broken))) == 0 {
			t.Errorf("nothing is wrong with %q in the place of %q", bad.new, bad.old)
		}
	}
}

func lintImage(t *testing.T, data []byte) (faults []string) {
	t.Helper()
	file, err := parser.Parse(bytes.NewReader(data))
	if err != nil {
		return []string{err.Error()}
	}
	for _, w := range file.Warnings {
		faults = append(faults, w.Short)
	}
	rules := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		faults = append(faults, rule+": "+message)
	}})
	stages, _, err := instructions.Parse(file.AST, rules)
	if err != nil {
		return append(faults, err.Error())
	}
	user, shells := "root", 0
	for _, stage := range stages {
		if name, version, _ := strings.Cut(stage.BaseName, ":"); version == "" || version == "latest" {
			faults = append(faults, name+" has no fixed version")
		}
		for _, command := range stage.Commands {
			switch c := command.(type) {
			case *instructions.UserCommand:
				user = c.User
			case *instructions.WorkdirCommand:
				if !strings.HasPrefix(c.Path, "/") {
					faults = append(faults, "WORKDIR depends on the base")
				}
			case *instructions.EntrypointCommand:
				if c.PrependShell {
					faults = append(faults, "ENTRYPOINT runs a shell, which keeps signals from the program")
				}
			case *instructions.CmdCommand:
				shells++
			}
		}
	}
	if shells > 1 {
		faults = append(faults, "there are several CMD")
	}
	if slices.Contains([]string{"root", "0"}, user) {
		faults = append(faults, "it runs as root")
	}
	return faults
}
