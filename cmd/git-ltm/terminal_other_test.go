//go:build !linux

package main

// terminal is made for Linux alone; scripts that need it skip elsewhere.
func terminal() { panic("there is no terminal here") }
