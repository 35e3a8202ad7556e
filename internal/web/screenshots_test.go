package web_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostScreenshot is how many bytes a picture in the documentation may have.
const mostScreenshot = 200 << 10

// TestScreenshots takes the pictures of the documentation into the folder that LTM_SCREENSHOTS names.
func TestScreenshots(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("LTM_SCREENSHOTS")
	if dir == "" {
		t.Skip("LTM_SCREENSHOTS names no folder (make screenshots)")
	}
	b := newBrowser(t)
	s := serveUntil(t, story(t))
	shipped := ""
	for _, id := range recordLinks(s.get("")) {
		if path := "records/" + id +
			".html"; strings.Contains(s.get(path), "Ship per-tenant pools and safe retries together</h1>") {
			shipped = path
		}
	}
	const light, dark = "--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"
	for _, shot := range []struct{ name, path, scheme, size string }{
		{"web-timeline", "index.html", light, "1180,920"},
		{"web-record", shipped, dark, "1180,920"},
	} {
		taken := filepath.Join(t.TempDir(), shot.name+".png")
		_, complaints := b.run(shot.scheme, "--window-size="+shot.size, "--screenshot="+taken,
			s.base+shot.path)
		if complaints != "" {
			t.Errorf("%s: the browser says\n%s", shot.name, complaints)
		}
		keep(t, taken, filepath.Join(dir, shot.name+".png"))
	}
}

// keep writes a picture in few bytes.
func keep(t *testing.T, taken, kept string) {
	t.Helper()
	data, err := os.ReadFile(taken)
	if err != nil {
		t.Fatal(err)
	}
	shot, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	opaque := image.NewRGBA(shot.Bounds())
	draw.Draw(opaque, opaque.Bounds(), shot, shot.Bounds().Min, draw.Src)
	var small bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, opaque); err != nil {
		t.Fatal(err)
	}
	if small.Len() > mostScreenshot {
		t.Errorf("%s has %d bytes, want at most %d", kept, small.Len(), mostScreenshot)
	}
	if err := os.WriteFile(kept, small.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
