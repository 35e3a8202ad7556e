package transcript

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// shelf is the folder of one client. Nothing outside it is read, whatever the symbolic links in it say.
type shelf struct {
	root   *os.Root
	format Format
}

// onShelf returns what is found in a folder below the place where a client keeps its files.
func onShelf(f Format, base, name string, find func(*shelf) []Place) []Place {
	if !filepath.IsAbs(base) {
		return nil
	}
	root, err := os.OpenRoot(filepath.Join(base, name))
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }()
	return find(&shelf{root: root, format: f})
}

// names are the entries of a folder, the last in the order of names first, and not too many.
func (s *shelf) names(dir string) []string {
	all, err := fs.ReadDir(s.root.FS(), dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range slices.Backward(all) {
		if len(names) == mostNames {
			break
		}
		names = append(names, entry.Name())
	}
	return names
}

// mostNames is how many entries of a folder are looked at.
const mostNames = 5000

// files are the transcripts of a folder that holds lines, newest first.
func (s *shelf) files(dir string) []Place {
	var all []Place
	for _, name := range s.names(dir) {
		if strings.HasSuffix(name, ".jsonl") {
			all = append(all, s.file(path.Join(dir, name))...)
		}
	}
	sortPlaces(all)
	return all[:min(len(all), mostPlaces)]
}

// file is one plain file, or none.
func (s *shelf) file(name string) []Place {
	info, err := s.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return []Place{{
		Format: s.format, Path: filepath.Join(s.root.Name(), filepath.FromSlash(name)),
		Modified: info.ModTime(),
	}}
}

// mostHead is how much of a file is read to know where its session worked.
const mostHead = 256 << 10

// head reads the beginning of a file of the shelf.
func (s *shelf) head(name string) []byte {
	f, err := s.root.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	data := make([]byte, mostHead)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return data[:n]
}

// firstMember is the first text under a name in the lines at the beginning of a place of the shelf.
func (s *shelf) firstMember(p Place, name string) string {
	file, err := filepath.Rel(s.root.Name(), p.Path)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(s.head(filepath.ToSlash(file))) {
		if v := gjson.GetBytes(line, name); v.Type == gjson.String && v.Str != "" { // It may be cut.
			return v.Str
		}
	}
	return ""
}

// ground is a directory, under each of its names.
type ground struct {
	names []string
}

// holds says whether a session that worked in dir belongs to the ground: there, or below it with no other
// repository in between.
func (g ground) holds(dir string) bool {
	if !filepath.IsAbs(dir) {
		return false
	}
	dir = filepath.Clean(dir)
	return slices.ContainsFunc(g.names, func(name string) bool {
		return dir == name || strings.HasPrefix(dir, name+string(filepath.Separator)) && !liesApart(dir, name)
	})
}

// liesApart says whether a repository begins in dir or between it and above.
func liesApart(dir, above string) bool {
	for len(dir) > len(above) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		dir = filepath.Dir(dir)
	}
	return false
}

// What is kept of one text, in bytes.
const (
	mostPrompt  = 16 << 10
	mostCommand = 4 << 10
	mostOutput  = 2 << 10
	mostPlan    = 8 << 10
	mostWords   = 16 << 10 // of the agent
	mostSummary = 32 << 10
	mostSaid    = 1 << 20 // of all words of the agent
	mostLabel   = 1 << 10 // names, paths, steps
)

// How many of each are kept.
const (
	mostPrompts  = 200
	mostCommands = 400
	mostRest     = 200
	mostPaths    = 500
	mostPending  = 100 // calls without an answer yet
	mostQueued   = 5   // prompts that may wait for their turn
	mostParts    = 100 // paths, steps and questions of one call
)

// headOfText returns the first n bytes of a text at most, whole characters alone. It holds on to nothing
// else of the text.
func headOfText(text string, n int) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) <= n {
		return strings.Clone(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(strings.TrimSpace(text[:n]))
}

// tailOfText returns the last n bytes of a text at most, as head does the first.
func tailOfText(text string, n int) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	from := max(0, len(text)-n)
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return strings.Clone(strings.TrimSpace(text[from:]))
}
