package packaging

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestVendorHash wants the hash that Nix will compute of the modules in the vendor folder, which changes with
// go.mod.
func TestVendorHash(t *testing.T) {
	flake, err := os.ReadFile("../flake.nix")
	if err != nil {
		t.Fatal(err)
	}
	vendor := filepath.Join(t.TempDir(), "vendor")
	mustRunIn(t, "..", "go", "mod", "vendor", "-o", vendor)
	h := sha256.New()
	writeNAR(t, h, "nix-archive-1")
	hashTree(t, h, vendor)
	want := "sha256-" + base64.StdEncoding.EncodeToString(h.Sum(nil))
	if !strings.Contains(string(flake), `vendorHash = "`+want+`"`) {
		t.Errorf("flake.nix: vendorHash has to be %s", want)
	}
}

// hashTree writes a folder or a plain file in the form of a Nix archive (Dolstra, The Purely Functional Software
// Deployment Model, figure 5.2).
func hashTree(t *testing.T, w io.Writer, path string) {
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !info.IsDir() {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		writeNAR(t, w, "(", "type", "regular")
		if info.Mode()&0o100 != 0 {
			writeNAR(t, w, "executable", "")
		}
		writeNAR(t, w, "contents", string(data), ")")
		return
	}
	writeNAR(t, w, "(", "type", "directory")
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		writeNAR(t, w, "entry", "(", "name", e.Name(), "node")
		hashTree(t, w, filepath.Join(path, e.Name()))
		writeNAR(t, w, ")")
	}
	writeNAR(t, w, ")")
}

func writeNAR(t *testing.T, w io.Writer, fields ...string) {
	for _, s := range fields {
		padded := s + strings.Repeat("\x00", -len(s)&7)
		if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), padded...)); err != nil {
			t.Fatal(err)
		}
	}
}
