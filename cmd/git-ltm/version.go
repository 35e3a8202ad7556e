package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// release is the number of this version.
const release = "0.1.0"

// version names the program, the format that it writes and the commit that it
// was built from, where that is known.
func version() string {
	text := "git-ltm " + release + " (packets " + packet.Version + ")"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return text + " " + s.Value[:12]
		}
	}
	return text
}

func newVersion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  arguments(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return e.printVersion() },
	}
}

func (e *env) printVersion() error {
	_, err := fmt.Fprintln(e.stdout, version())
	return err
}
