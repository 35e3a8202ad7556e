package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/report"
)

// reportOptions say where a report goes and what counts in it.
type reportOptions struct {
	format, output, baseline string
	quiet                    bool
}

func (o *reportOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.format, "format", string(report.Text),
		"write the report as `FORMAT`: "+strings.Join(report.Formats(), ", "))
	f.StringVarP(&o.output, "output", "o", "", "write the report to `FILE` instead of standard output")
	f.StringVar(&o.baseline, "baseline", "",
		"pass over the results that `FILE` lists: an earlier report in JSON, or fingerprints one a line")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no report; the exit code tells")
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
	if err := replaceFile(e.path(o.output), func(w io.Writer) error {
		return r.Write(w, format)
	}); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if !o.quiet {
		e.say("hint", fmt.Sprintf("checked %d; the report is in %q", len(r.Subjects), o.output))
	}
	return nil
}
