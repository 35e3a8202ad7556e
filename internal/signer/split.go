package signer

import (
	"errors"
	"strings"
)

// split divides a command of the configuration into words as git does for gpg.ssh.defaultKeyCommand. Quotes and
// backslashes work; no shell runs, so that nothing else has a meaning. White space at an end makes an empty word there.
func split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote byte
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == 0 && isSpace(c):
			words = append(words, word.String())
			word.Reset()
			for i+1 < len(command) && isSpace(command[i+1]) {
				i++
			}
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'':
			i++
			if i == len(command) {
				return nil, errors.New("command ends with a backslash")
			}
			word.WriteByte(command[i])
		default:
			word.WriteByte(c)
		}
	}
	if quote != 0 {
		return nil, errors.New("quote is not closed")
	}
	return append(words, word.String()), nil
}

// isSpace tells what git takes for white space.
func isSpace(c byte) bool {
	return strings.IndexByte(" \t\n\r", c) >= 0
}
