package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Format is a form that a report can be written in.
type Format string

const (
	// Text is for people: a block for each subject and a line that sums up.
	Text Format = "text"
	// JSON is the shape of our own that programs read and that a baseline is made of.
	JSON Format = "json"
	// SARIF is the Static Analysis Results Interchange Format 2.1.0 of OASIS.
	SARIF Format = "sarif"
	// JUnit is the XML that most CI systems show as a list of tests.
	JUnit Format = "junit"
	// GitHub is workflow commands, which GitHub Actions shows beside a change.
	GitHub Format = "github"
	// GitLab is a code quality report.
	GitLab Format = "gitlab"
)

// Formats returns the names of all formats.
func Formats() []string {
	return []string{string(Text), string(JSON), string(SARIF), string(JUnit), string(GitHub), string(GitLab)}
}

// ParseFormat returns the format with the name s.
func ParseFormat(s string) (Format, error) {
	if !slices.Contains(Formats(), s) {
		return "", fmt.Errorf("unknown format %q: want one of %s", s, strings.Join(Formats(), ", "))
	}
	return Format(s), nil
}

// Write writes the report to w, secrets first. The same report always gives the same bytes. What a report quotes may be hostile: where
// people read it, it is one printable line; where programs read it, it is escaped.
func (r *Report) Write(w io.Writer, f Format) error {
	o := &output{w: bufio.NewWriter(w)}
	r = r.weighed()
	switch f {
	case Text:
		r.writeText(o)
	case JSON:
		r.writeJSON(o)
	case SARIF:
		r.writeSARIF(o)
	case JUnit:
		r.writeJUnit(o)
	case GitHub:
		r.writeGitHub(o)
	case GitLab:
		r.writeGitLab(o)
	default:
		return fmt.Errorf("write report: unknown format %q", f)
	}
	if err := o.close(); err != nil {
		return fmt.Errorf("write report as %s: %w", f, err)
	}
	return nil
}
