// Package web shows the memory as pages, on loopback or as files.
package web
