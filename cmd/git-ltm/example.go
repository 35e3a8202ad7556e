package main

import (
	"context"
	_ "embed" // for the example
)

//go:embed example.json
var examplePacket []byte

func runExample(_ context.Context, e *env, _ []string) error {
	_, err := e.stdout.Write(examplePacket)
	return err
}
