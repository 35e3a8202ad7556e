package packaging

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/blakesmith/ar"
	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/apk"
	_ "github.com/goreleaser/nfpm/v2/arch"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
	"github.com/klauspost/compress/zstd"
	"go.yaml.in/yaml/v3"
)

// testPackages makes each package that .goreleaser.yaml describes, as goreleaser does with the same library, and
// wants both programs, every manual page and the completions in it, in the places of its system.
func testPackages(t *testing.T, dir string) {
	cmd := []string{"packaging/prepare", "1.2.3", "1700000000"}
	if out, err := runIn(t, dir, []string{"LTM_MAINTAINER=Alice <alice@example.com>"}, "sh", cmd...); err != nil {
		t.Fatalf("prepare: %v\n%s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "docs", "man", "*.1"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for format, zsh := range map[string]string{
		"deb": "vendor-completions", "rpm": "site-functions", "apk": "site-functions", "archlinux": "site-functions",
	} {
		want := []string{
			"usr/bin/git-ltm", "usr/bin/git-ltm-hook",
			"usr/share/bash-completion/completions/git-ltm", "usr/share/fish/vendor_completions.d/git-ltm.fish",
			"usr/share/zsh/" + zsh + "/_git-ltm",
			"usr/share/doc/git-ltm/copyright", "usr/share/doc/git-ltm/CHANGELOG.md.gz",
			"usr/share/doc/git-ltm/THIRD_PARTY_NOTICES",
		}
		if format == "deb" {
			want = append(want, "usr/share/doc/git-ltm/changelog.gz")
		} else {
			want = append(want, "usr/share/licenses/git-ltm/LICENSE")
		}
		for _, page := range pages {
			want = append(want, "usr/share/man/man1/"+filepath.Base(page)+".gz")
		}
		got := namesIn(t, format, packageOf(t, dir, format))
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has other files than the programs, their pages and completions:\n%s", format, difference(want, got))
		}
	}
}

func difference(want, got []string) string {
	var lines []string
	for _, w := range want {
		if !slices.Contains(got, w) {
			lines = append(lines, "-"+w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			lines = append(lines, "+"+g)
		}
	}
	return strings.Join(lines, "\n")
}

// packageOf makes the package of a format from the lines of .goreleaser.yaml.
func packageOf(t *testing.T, dir, format string) []byte {
	t.Helper()
	text, err := os.ReadFile("../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`{{ \.CommitDate }}`: "2023-11-14T22:13:20Z", `{{ \.Env\.LTM_MAINTAINER }}`: "Alice <alice@example.com>",
		`{{ \.Env\.LTM_HOMEPAGE }}`: "https://example.com", `src: "?`: "$0" + dir + "/",
	} {
		text = regexp.MustCompile(from).ReplaceAll(text, []byte(to))
	}
	var all struct {
		NFPMs []nfpm.Config `yaml:"nfpms"`
	}
	if err := yaml.Unmarshal(text, &all); err != nil || len(all.NFPMs) != 1 {
		t.Fatalf("%d descriptions of packages: %v", len(all.NFPMs), err)
	}
	config := all.NFPMs[0]
	config.Name, config.Arch, config.Version = "git-ltm", "amd64", "1.2.3"
	for _, program := range []string{"git-ltm", "git-ltm-hook"} {
		config.Contents = append(config.Contents, &files.Content{
			Source: filepath.Join(dir, "bin", program), Destination: "/usr/bin/" + program,
			FileInfo: &files.ContentFileInfo{Mode: 0o755},
		})
	}
	info, err := config.Get(format)
	if err != nil {
		t.Fatal(err)
	}
	packager, err := nfpm.Get(format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := packager.Package(nfpm.WithDefaults(info), &out); err != nil {
		t.Fatalf("make %s: %v", format, err)
	}
	return out.Bytes()
}

// namesIn lists the files of a package, without those that describe it.
func namesIn(t *testing.T, format string, data []byte) (names []string) {
	t.Helper()
	var archive io.Reader
	var err error
	switch format {
	case "rpm":
		return namesInRPM(data)
	case "deb":
		for r := ar.NewReader(bytes.NewReader(data)); archive == nil; {
			header, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(header.Name, "data.tar.gz") {
				archive, err = gzip.NewReader(r)
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	case "apk":
		archive, err = gzip.NewReader(bytes.NewReader(data))
	case "archlinux":
		archive, err = zstd.NewReader(bytes.NewReader(data))
	default:
		err = fmt.Errorf("no reader for %q", format)
	}
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(archive); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(strings.TrimPrefix(header.Name, "."), "/")
		if header.Typeflag == tar.TypeReg && strings.HasPrefix(name, "usr/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// namesInRPM reads the table of files in the second header, behind the lead of 96 bytes and the signatures.
func namesInRPM(data []byte) (names []string) {
	const fileModes, dirIndexes, baseNames, dirNames = 1030, 1116, 1117, 1118
	number := binary.BigEndian.Uint32
	signatures := data[96:]
	size := 16 + 16*number(signatures[8:]) + number(signatures[12:])
	header := signatures[(size+7)&^7:]
	entries, store := header[16:], header[16+16*number(header[8:]):]
	count, values := 0, map[uint32][]byte{}
	for i := range number(header[8:]) {
		entry := entries[16*i:]
		values[number(entry)] = store[number(entry[8:]):]
		if number(entry) == baseNames {
			count = int(number(entry[12:]))
		}
	}
	bases, dirs := bytes.Split(values[baseNames], []byte{0}), bytes.Split(values[dirNames], []byte{0})
	for i := range count {
		const kind, directory = 0o170000, 0o040000
		if binary.BigEndian.Uint16(values[fileModes][2*i:])&kind != directory {
			name := string(dirs[number(values[dirIndexes][4*i:])]) + string(bases[i])
			names = append(names, strings.TrimPrefix(name, "/"))
		}
	}
	slices.Sort(names)
	return names
}
