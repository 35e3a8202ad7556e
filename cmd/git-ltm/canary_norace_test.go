//go:build !race

package main

// canaryShare is which part of the ways each canary takes.
const canaryShare = 10
