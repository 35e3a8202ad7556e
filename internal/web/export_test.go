package web

import (
	"fmt"
	"strings"
)

// Strips draws packets, newest first, each given as "name parent parent", and returns a line each: its
// column, what passes by, and which columns end in it and begin there. A packet in brackets is passed over.
func Strips(packets ...string) []string {
	var l lanes
	var all []string
	for _, p := range packets {
		words := strings.Fields(strings.Trim(p, "()"))
		if strings.HasPrefix(p, "(") {
			l.skipPacket(words[0], words[1:])
			continue
		}
		s := l.drawPacket(words[0], words[1:], false)
		line := []string{fmt.Sprintf("%s %d", words[0], s.Column)}
		for _, of := range []struct {
			word  string
			rails []rail
		}{{"pass", s.Pass}, {"into", s.Into}, {"out", s.Out}} {
			for _, r := range of.rails {
				line = append(line, fmt.Sprintf("%s %d", of.word, r.Column))
			}
		}
		all = append(all, strings.Join(line, " "))
	}
	return all
}
