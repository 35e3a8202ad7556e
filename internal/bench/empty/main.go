// Command empty does nothing on cobra: the floor against which the start-up of git-ltm is measured.
package main

import "github.com/spf13/cobra"

func main() {
	cmd := &cobra.Command{Use: "empty", Run: func(*cobra.Command, []string) {}}
	_ = cmd.Execute()
}
