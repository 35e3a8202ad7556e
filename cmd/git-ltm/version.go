package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/version"
)

func newVersion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return e.printVersion() },
	}
}

func (e *env) printVersion() error {
	_, err := fmt.Fprintln(e.stdout, version.Text())
	return err
}
