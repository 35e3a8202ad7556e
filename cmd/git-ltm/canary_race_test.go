//go:build race

package main

// canaryShare is which part of the ways each canary takes. The race detector makes them some ten times as
// long.
const canaryShare = 16
