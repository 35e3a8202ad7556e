package main

import (
	"fmt"
	"runtime/debug"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/version"
)

// home is where the program is explained.
const home = "https://github.com/git-ltm/git-ltm"

// checkCodes is the part of a help text that lists the exit codes of a check.
const checkCodes = "Exit codes: 0 nothing found but warnings, 1 something could not be looked at, 2 wrong usage, 3 secret found,\n" +
	"4 signature missing or not trusted, 6 invalid record or ref, 7 not found, 130 interrupted. Where " +
	"several fit, 3 comes before 4,\n4 before 6 and 6 before 1."

// garbage is how many percent of what a check holds may pile up before it is
// collected.
const garbage = 400

// A verdict is a report that grows, and what could not be looked at.
type verdict struct {
	report.Report
	unread   int
	progress *progress
}

// add takes what was found about one subject.
func (v *verdict) add(c check.Checked) {
	v.Results = append(v.Results, c.Results...)
	if c.Subject == "" {
		return
	}
	v.Subjects = append(v.Subjects, c.Subject)
	v.progress.step()
}

// scannedBy notes the rules that were asked.
func (v *verdict) scannedBy(rules *scan.Rules, asked []report.Rule) {
	v.Ruleset, v.Rules = rules.Version(), asked
}

// Judge looks at something, writes the report and returns an error where it
// fails the check.
func (e *env) judge(o reportOptions, look func(v *verdict) error) error {
	format, err := report.ParseFormat(o.format)
	if err != nil {
		return usagef("--format: %w", err)
	}
	baseline, err := e.readBaseline(o.baseline)
	if err != nil {
		return err
	}
	v := &verdict{progress: e.progress("checked"), Report: report.Report{
		Tool: "git-ltm", Version: version.Release, Home: home, Started: e.now(),
	}}
	// What a check makes of a record is gone with the record: to collect less often takes a few megabytes and
	// saves a tenth of the time.
	debug.SetGCPercent(garbage)
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
