// Package distill turns a session into the draft of a packet, each field with where it came from.
package distill
