package main

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// hostWords are the names of the agents, for a person.
func hostWords() string {
	var text strings.Builder
	for _, h := range agent.Hosts() {
		text.WriteString(string(h) + ", ")
	}
	return text.String() + "or " + agent.Plugin
}

// eventLines are the names of the events, for a help text.
func eventLines() string {
	words := agent.Events()
	var text strings.Builder
	for i, w := range words {
		switch {
		case i == len(words)-1:
			text.WriteString(" or ")
		case i == 6:
			text.WriteString(",\n") // The line is full.
		case i > 0:
			text.WriteString(", ")
		}
		text.WriteString(string(w))
	}
	return text.String()
}
