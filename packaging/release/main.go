// Command release writes what a release says about the modules that it is linked with: their licenses, and a
// bill of materials in SPDX 2.3. It asks the Go tool and the built programs, never a network, and the same
// commit gives the same bytes. A module without a license that it knows is an error: somebody has to look.
package main

import (
	"bytes"
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const usage = "usage: release notices | release sbom VERSION SECONDS FOLDER"

// targets are the systems whose programs may be linked with other modules than those of the rest.
var targets = []string{"linux", "darwin", "windows", "freebsd"}

// A module is one that a program is linked with.
type module struct {
	Path, Version, Dir string
	Texts              []text // of its licenses and notices
	License            string // as SPDX names it
}

type text struct{ name, body string }

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "notices":
		modules, err := linkedModules()
		if err != nil {
			return err
		}
		return writeNotices(out, modules)
	case len(args) == 4 && args[0] == "sbom":
		seconds, err := strconv.ParseInt(args[2], 10, 64)
		if err != nil {
			return err
		}
		return writeSBOM(out, args[1], time.Unix(seconds, 0).UTC(), args[3])
	}
	return errors.New(usage)
}

// linkedModules asks the Go tool which modules the programs of any target are linked with, and reads their
// licenses. Go's own is the last.
func linkedModules() ([]module, error) {
	found := map[string]module{}
	for _, target := range targets {
		cmd := exec.Command("go", "list", "-deps", "-tags", "nethttpomithttp2", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "./cmd/...")
		cmd.Dir, cmd.Stderr = "..", os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+target, "GOARCH=amd64", "CGO_ENABLED=0")
		list, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list modules of %s: %w", target, err)
		}
		for line := range strings.Lines(string(list)) {
			if field := strings.SplitN(strings.TrimSpace(line), " ", 3); len(field) == 3 {
				found[field[0]] = module{Path: field[0], Version: field[1], Dir: field[2]}
			}
		}
	}
	all := slices.SortedFunc(maps.Values(found), func(a, b module) int { return cmp.Compare(a.Path, b.Path) })
	goroot, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(goroot)), "\n")
	all = append(all, module{Path: "std", Version: strings.TrimPrefix(version, "go"), Dir: root})
	for i := range all {
		if err := all[i].readLicense(); err != nil {
			return nil, fmt.Errorf("license of %s: %w", all[i].Path, err)
		}
	}
	return all, nil
}

var licenseName = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents)([-.].*)?$`)

func (m *module) readLicense() error {
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, e := range entries {
		if e.IsDir() || !licenseName.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
		if err != nil {
			return err
		}
		body := strings.ReplaceAll(string(data), "\r\n", "\n")
		m.Texts = append(m.Texts, text{e.Name(), strings.TrimSpace(body) + "\n"})
		for id := range licensesIn(body) {
			ids[id] = true
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("none that is known in %s", m.Dir)
	}
	m.License = strings.Join(slices.Sorted(maps.Keys(ids)), " AND ")
	return nil
}

// licensesIn finds the licenses of a text by a sentence that each has alone.
func licensesIn(body string) map[string]bool {
	body = strings.Join(strings.Fields(body), " ")
	found := map[string]bool{}
	for sentence, id := range map[string]string{
		"Apache License Version 2.0":                           "Apache-2.0",
		"Apache License, Version 2.0":                          "Apache-2.0",
		"Permission is hereby granted, free of charge":         "MIT",
		"Mozilla Public License Version 2.0":                   "MPL-2.0",
		"Permission to use, copy, modify, and/or distribute":   "ISC",
		"Redistributions of source code must retain the above": "BSD-2-Clause",
	} {
		if strings.Contains(body, sentence) {
			found[id] = true
		}
	}
	if found["BSD-2-Clause"] && regexp.MustCompile(`(?i)neither the names? of`).MatchString(body) {
		delete(found, "BSD-2-Clause")
		found["BSD-3-Clause"] = true
	}
	return found
}

func writeNotices(out io.Writer, modules []module) error {
	var b bytes.Buffer
	for _, m := range modules {
		fmt.Fprintf(&b, "%s\n%s %s (%s)\n", strings.Repeat("=", 80), m.Path, m.Version, m.License)
		for _, t := range m.Texts {
			fmt.Fprintf(&b, "%s\n%s\n\n%s\n", strings.Repeat("-", 80), t.name, t.body)
		}
	}
	_, err := out.Write(b.Bytes())
	return err
}

// writeSBOM describes the programs below dir: each module that one of them says it is linked with, which has to
// be one that the Go tool lists, in the same version.
func writeSBOM(out io.Writer, version string, at time.Time, dir string) error {
	modules, err := linkedModules()
	if err != nil {
		return err
	}
	listed := map[string]module{}
	for _, m := range modules {
		listed[m.Path] = m
	}
	sums, main, err := readPrograms(dir, listed)
	if err != nil {
		return err
	}
	const document, program = "SPDXRef-DOCUMENT", "SPDXRef-git-ltm"
	relate := func(element, how, related string) map[string]string {
		return map[string]string{"spdxElementId": element, "relationshipType": how, "relatedSpdxElement": related}
	}
	packages := []map[string]any{newPackage(program, main, "v"+version, "Apache-2.0", "")}
	relations := []map[string]string{relate(document, "DESCRIBES", program)}
	for i, m := range modules {
		sum, linked := sums[m.Path]
		if !linked && m.Path != "std" {
			continue
		}
		id := "SPDXRef-module-" + strconv.Itoa(i+1)
		packages = append(packages, newPackage(id, m.Path, m.Version, m.License, sum))
		relations = append(relations, relate(program, "DEPENDS_ON", id))
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": document, "name": "git-ltm " + version,
		"documentNamespace": "https://" + main + "/spdx/" + version, "packages": packages, "relationships": relations,
		"creationInfo": map[string]any{
			"created": at.Format(time.RFC3339), "creators": []string{"Tool: git-ltm release"},
		},
	})
}

func newPackage(id, path, version, license, sum string) map[string]any {
	p := map[string]any{
		"SPDXID": id, "name": path, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": false,
		"copyrightText": "NOASSERTION", "licenseConcluded": "NOASSERTION", "licenseDeclared": license,
		"externalRefs": []map[string]string{{
			"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
			"referenceLocator": "pkg:golang/" + path + "@" + version,
		}},
	}
	if sum != "" {
		p["comment"] = "go.sum: " + sum
	}
	return p
}

// readPrograms returns the sum of each module that a program below dir is linked with, and the module that the
// programs belong to.
func readPrograms(dir string, listed map[string]module) (sums map[string]string, main string, err error) {
	sums = map[string]string{}
	programs := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimSuffix(filepath.Base(path), ".exe")
		if err != nil || d.IsDir() || name != "git-ltm" && name != "git-ltm-hook" {
			return err
		}
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return err
		}
		programs++
		main = info.Main.Path
		for _, m := range info.Deps {
			if listed[m.Path].Version != m.Version {
				return fmt.Errorf("%s is linked with %s %s, and 'go list' says %q", path, m.Path, m.Version, listed[m.Path].Version)
			}
			sums[m.Path] = m.Sum
		}
		return nil
	})
	if err == nil && programs == 0 {
		err = fmt.Errorf("no programs below %s", dir)
	}
	return sums, main, err
}
