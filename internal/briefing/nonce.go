package briefing

import (
	"encoding/hex"
	"fmt"
	"io"
)

// Nonce draws 64 random bits in hex, for the marks around what is told once.
func Nonce(entropy io.Reader) (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}
