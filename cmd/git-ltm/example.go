package main

import (
	_ "embed"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/sign"
)

//go:embed example.json
var examplePacket []byte

func newExample(e *env) *cobra.Command {
	var resume bool
	cmd := &cobra.Command{
		Use:   "example",
		Short: "Print a packet to learn from",
		Long: "Example prints a complete packet. It needs no repository. With --resume it prints the block that the next session\n" +
			"would read.",
		Example: "  git ltm example > packet.json\n  git ltm example --resume",
		RunE: func(*cobra.Command, []string) error {
			if !resume {
				_, err := e.stdout.Write(examplePacket)
				return err
			}
			return resumeExample(e)
		},
	}
	cmd.Flags().BoolVar(&resume, "resume", false, "print its resume block")
	return cmd
}

func resumeExample(e *env) error {
	rec, err := packet.Parse(examplePacket, packet.Stored)
	if err != nil {
		return fmt.Errorf("read the example: %w", err)
	}
	n, err := briefing.Nonce(e.entropy)
	if err != nil {
		return err
	}
	origin := provenance.Origin{
		ID: packet.ID(rec.OwnID()), Author: rec.Packet().Provenance, Reach: provenance.OnRequest,
		Trusted: true,
		Verdict: sign.Verdict{Standing: sign.Local, Why: "it is an example"},
	}
	b := briefing.Briefing{Packet: provenance.Of(rec.Packet(), &origin), Now: e.now(), Nonce: n}
	_, err = io.WriteString(e.stdout, b.Markdown())
	return err
}
