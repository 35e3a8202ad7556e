// Command ten looks for ten kinds of secrets with ten expressions in one text: the floor against which a cold scan of
// git-ltm is measured.
package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ten:", err)
		os.Exit(1)
	}
	found := 0
	for _, expr := range expressions() {
		found += len(regexp.MustCompile(expr).FindAllIndex(text, -1))
	}
	_, _ = fmt.Fprintln(os.Stdout, found) // A pipe that nobody reads.
}

func expressions() []string {
	return []string{
		`(?:AKIA|ASIA)[A-Z0-9]{16}`,
		`gh[pousr]_[A-Za-z0-9]{36,}`,
		`xox[abprs]-[A-Za-z0-9-]{10,}`,
		`sk-[A-Za-z0-9_-]{20,}`,
		`AIza[A-Za-z0-9_-]{35}`,
		`-----BEGIN [A-Z ]*PRIVATE KEY-----`,
		`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`,
		`(?i)(?:password|passwd|secret|token|api_key)["']?\s*[:=]\s*["']?[^\s"']{8,}`,
		`/(?:Users|home)/[A-Za-z0-9._-]+/`,
		`[A-Za-z]:\\[A-Za-z0-9._\\-]+`,
	}
}
