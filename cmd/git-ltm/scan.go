package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/scan"
)

func newScan(e *env) *cobra.Command {
	var o reportOptions
	var config string
	cmd := &cobra.Command{
		Use:   "scan [FILE...]",
		Short: "Look for secrets in any text",
		Long: "Scan runs the scanner that guards every save over files, or over standard input. It reads any text of up to 64 MiB, and\n" +
			"JSON as JSON, so that a result names the member. It needs no repository; within one, it\n" +
			"scans by the rules of that repository. A file that cannot be read does not keep the others from being scanned.\n" +
			"Behind -- each name is that of a file, also \"-\".\n\n" + checkCodes,
		Example: "  git ltm scan notes.md\n  git diff | git ltm scan\n  git ls-files -z | xargs -0 " +
			"git ltm scan --format github --",
		Args:        arguments(cobra.ArbitraryArgs),
		Annotations: map[string]string{wakeful: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.scan(cmd.Context(), o, config, filesOf(args, cmd.ArgsLenAtDash()))
		},
	}
	cmd.Flags().StringVar(&config, "config", "",
		"trust the rules in `FILE` instead of those that ltm.scanConfig names")
	o.flags(cmd.Flags())
	return cmd
}

// filesOf returns the files that arguments name. Behind "--", of which the place is given if there is one,
// "-" is the name of a file as any other: a list of files must not hide one by its name.
func filesOf(args []string, dash int) []string {
	files := slices.Clone(args)
	for i := range files {
		if dash >= 0 && i >= dash && files[i] == standardInput {
			files[i] = dashFile
		}
	}
	return files
}

func (e *env) scan(ctx context.Context, o reportOptions, config string, files []string) error {
	if len(files) == 0 {
		if e.terminal(e.stdin) {
			return usagef("there is nothing to scan; name a FILE, - for the terminal, or pipe a text in")
		}
		files = []string{standardInput}
	}
	return e.judge(o, func(v *verdict) error {
		rules, err := scan.Find(ctx, scan.Query{Dir: e.dir, Env: e.vars, Config: e.config(config)})
		if err != nil {
			return err
		}
		v.scannedBy(rules, check.SecretRules(rules))
		e.warnRules(rules)
		return e.eachFile(ctx, v, files, func(name string, data []byte) check.Checked {
			return check.ScanFile(check.Document{Subject: name, Data: data, Rules: rules})
		})
	})
}

// config returns the path of a rule file that a flag names, or nothing.
func (e *env) config(name string) string {
	if name == "" {
		return ""
	}
	return e.path(name)
}
