package web_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"testing"

	"github.com/git-ltm/git-ltm/internal/web"
)

// TestLook serves the story until it is killed; for a person who looks at it.
func TestLook(t *testing.T) {
	if os.Getenv("LOOK") == "" {
		t.Skip()
	}
	w := story(t)
	if err := web.Serve(context.Background(), w.options(), web.Listen{Port: 4999, Entropy: rand.Reader, Ready: func(url string) error {
		fmt.Println(url)
		return os.WriteFile("/tmp/webE/url", []byte(url), 0o600)
	}}); err != nil {
		t.Fatal(err)
	}
}
