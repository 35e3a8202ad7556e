package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/sign"
)

//go:embed example.json
var examplePacket []byte

type exampleOptions struct{ Resume bool }

func runExample(_ context.Context, e *env, o exampleOptions, _ []string) error {
	if !o.Resume {
		_, err := e.stdout.Write(examplePacket)
		return err
	}
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
