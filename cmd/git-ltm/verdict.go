package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/report"
)

// home is where the program is explained.
const home = "https://github.com/git-ltm/git-ltm"

// checkCodes is the part of a help text that lists the exit codes of a check.
const checkCodes = "Exit codes: 0 nothing found but warnings, 1 something could not be looked at, 2 wrong usage, 3 secret found,\n" +
	"6 invalid record or ref, 7 not found, 130 interrupted. Where several fit, 3 comes before 6 and 6 before 1."

// reportOptions say where a report goes and what counts in it.
type reportOptions struct {
	format, output, baseline string
	quiet                    bool
}

func (o *reportOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.format, "format", string(report.Text), "write the report as `FORMAT`: "+strings.Join(report.Formats(), ", "))
	f.StringVarP(&o.output, "output", "o", "", "write the report to `FILE` instead of standard output")
	f.StringVar(&o.baseline, "baseline", "", "pass over the results that `FILE` lists: an earlier report in JSON, or fingerprints one a line")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no report; the exit code tells")
}

// A verdict is a report that grows, and what could not be looked at.
type verdict struct {
	report.Report
	unread   int
	progress *progress
}

// add takes what was found about one subject.
func (v *verdict) add(c memory.Checked) {
	v.Subjects = append(v.Subjects, c.Subject)
	v.Results = append(v.Results, c.Results...)
	v.progress.step()
}

// judge looks at something, writes the report and returns an error where it
// fails the check.
func (e *env) judge(o reportOptions, rules []report.Rule, look func(v *verdict) error) error {
	format, err := report.ParseFormat(o.format)
	if err != nil {
		return usagef("--format: %w", err)
	}
	baseline, err := e.readBaseline(o.baseline)
	if err != nil {
		return err
	}
	v := &verdict{progress: e.progress("checked"), Report: report.Report{
		Tool: "git-ltm", Version: release, Ruleset: redact.RulesVersion, Home: home, Started: e.now(), Rules: rules,
	}}
	err = look(v)
	v.progress.end()
	if err != nil {
		return err
	}
	v.Ended = e.now()
	baseline.Apply(&v.Report)
	if n := baseline.Unused(); n > 0 {
		e.say("hint", fmt.Sprintf("%d of the entries of the baseline fit nothing that was found", n))
	}
	if err := e.writeReport(&v.Report, format, o); err != nil {
		return err
	}
	return v.err()
}

func (e *env) readBaseline(name string) (b report.Baseline, err error) {
	if name == "" {
		return b, nil
	}
	f, err := os.Open(e.path(name))
	if err != nil {
		return b, fmt.Errorf("read baseline: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b, err = report.ReadBaseline(f)
	if err != nil {
		return b, fmt.Errorf("file %q: %w", name, err)
	}
	return b, nil
}

func (e *env) writeReport(r *report.Report, format report.Format, o reportOptions) error {
	if o.output == "" && o.quiet {
		return nil
	}
	if o.output == "" {
		return r.Write(e.stdout, format)
	}
	f, err := os.OpenFile(e.path(o.output), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if err := errors.Join(r.Write(f, format), f.Close()); err != nil {
		return fmt.Errorf("file %q: %w", o.output, err)
	}
	if !o.quiet {
		e.say("hint", fmt.Sprintf("checked %d; the report is in %q", len(r.Subjects), o.output))
	}
	return nil
}

// err returns what fails the check, or nothing.
func (v *verdict) err() error {
	found := foundError{unread: v.unread}
	for _, r := range v.Counted() {
		switch {
		case r.Level != report.Error:
		case r.Area == report.Secret:
			found.secrets++
		default:
			found.others++
		}
	}
	if found == (foundError{}) {
		return nil
	}
	return &found
}

// foundError is a check that ended and did not pass.
type foundError struct {
	secrets int // results about secrets
	others  int // results about records and refs
	unread  int // files that could not be looked at
}

func (e *foundError) Error() string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{e.secrets, "a secret was found", "%d secrets were found"},
		{e.others, "a record or ref is not as it should be", "%d things are wrong with records or refs"},
		{e.unread, "a file could not be looked at", "%d files could not be looked at"},
	} {
		switch {
		case part.n == 1:
			parts = append(parts, part.one)
		case part.n > 1:
			parts = append(parts, fmt.Sprintf(part.many, part.n))
		}
	}
	return strings.Join(parts, ", ")
}

// foundSecret tells a check that found a secret.
func foundSecret(err error) bool {
	found, ok := errors.AsType[*foundError](err)
	return ok && found.secrets > 0
}

// foundInvalid tells a check that found what breaks the format.
func foundInvalid(err error) bool {
	found, ok := errors.AsType[*foundError](err)
	return ok && found.others > 0
}
