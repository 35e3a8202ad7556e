package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
)

// fewTexts are there where an ability is tried.
const fewTexts = 10

// tryAbilities tries what each peer can, each in a place of its own with ten records.
func tryAbilities(ctx context.Context, out io.Writer, r *repo, folder string, all []*peer, abilities []string,
) (able map[string]map[string]bool, err error) {
	able = map[string]map[string]bool{}
	if err := r.writeTexts(fewTexts); err != nil {
		return nil, err
	}
	for i, one := range abilities {
		able[one] = map[string]bool{}
		for j, p := range all {
			if p.lines["able "+one] == "" {
				continue
			}
			s := newShell(r, folder, filepath.Join(r.home, fmt.Sprintf("able-%d-%d", i, j)))
			if err := s.makePlace(ctx, fewTexts); err != nil {
				return nil, err
			}
			if _, err := s.runLine(ctx, p.lines["fill"]); err != nil {
				return nil, fmt.Errorf("fill %s: %w", p.name, err)
			}
			_, failed := s.runLine(ctx, p.lines["able "+one])
			able[one][p.name] = failed == nil
			said := "yes"
			if failed != nil {
				said = "no: " + lastLine(failed)
			}
			if _, err := fmt.Fprintf(out, "%-78s %-14s %s\n", one, p.name, said); err != nil {
				return nil, err
			}
		}
	}
	return able, nil
}

// A missingPeer is one that was not measured, and what its command said.
type missingPeer struct {
	*peer
	said string
}

// peersPage is what was measured.
type peersPage struct {
	sizes     []int
	abilities []string
	peers     []*peer
	missing   []missingPeer
	versions  map[string]string
	took      map[int]map[string]map[string]timing // by size, step and peer
	able      map[string]map[string]bool           // by ability and peer
}

//go:embed peers.md.tmpl
var peersTemplate string

// writeFile writes the page.
func (p peersPage) writeFile(ctx context.Context, page string) error {
	machine, err := machineLine(ctx)
	if err != nil {
		return err
	}
	return writePage(page, peersTemplate, map[string]any{
		"machine": machine, "runs": peerRuns, "versions": p.describeVersions(), "costs": p.describeCosts(),
		"printed": p.describePrinted(), "able": p.describeAble(), "missing": p.describeMissing(),
		"steps": p.describeLines("step", peerSteps()), "lines": p.describeLines("able", p.abilities),
	})
}

// writePage fills a template in.
func writePage(page, text string, values map[string]any) error {
	form, err := template.New(page).Option("missingkey=error").Parse(text)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := form.Execute(&b, values); err != nil {
		return err
	}
	return os.WriteFile(page, b.Bytes(), 0o600)
}

func (p peersPage) describeVersions() string {
	var b strings.Builder
	for _, one := range p.peers {
		fmt.Fprintf(&b, "| %s | %s |\n", one.name, p.versions[one.name])
	}
	return b.String()
}

// describePrinted says how much was printed where an agent reads it.
func (p peersPage) describePrinted() string {
	var b strings.Builder
	b.WriteString("| bytes |" + p.endHeads("--:"))
	for _, size := range p.sizes {
		for _, step := range []string{stepFind, stepStart} {
			fmt.Fprintf(&b, "| %s, %d records |", step, size)
			for _, one := range p.peers {
				text := "-"
				if got, ok := p.took[size][step][one.name]; ok {
					text = strconv.Itoa(got.bytes)
				}
				fmt.Fprintf(&b, " %s |", text)
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func (p peersPage) describeAble() string {
	var b strings.Builder
	b.WriteString("| ability |" + p.endHeads("---"))
	for _, one := range p.abilities {
		fmt.Fprintf(&b, "| %s |", one)
		for _, peer := range p.peers {
			answer := "**no**"
			if can, tried := p.able[one][peer.name]; !tried {
				answer = "-"
			} else if can {
				answer = "yes"
			}
			fmt.Fprintf(&b, " %s |", answer)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// describeLines lists the commands of all peers for each of some names.
func (p peersPage) describeLines(kind string, names []string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "- %s\n", name)
		for _, peer := range p.peers {
			if line := peer.lines[kind+" "+name]; line != "" {
				fmt.Fprintf(&b, "  - %s: `%s`\n", peer.name, strings.Join(strings.Fields(line), " "))
			}
		}
	}
	return b.String()
}

func (p peersPage) describeMissing() string {
	var b strings.Builder
	cell := func(text string) string {
		return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	}
	for _, one := range p.missing {
		why := cmp.Or(one.lines["missing"], "it cannot be installed here, or does not run")
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", one.name, why, cell(one.lines["try"]), cell(one.said))
	}
	return b.String()
}

// endHeads are the ends of the two head lines of a table that has a column for each peer.
func (p peersPage) endHeads(align string) string {
	var names []string
	for _, one := range p.peers {
		names = append(names, one.name)
	}
	return " " + strings.Join(names, " | ") + " |\n|---|" + strings.Repeat(align+"|", len(names)) + "\n"
}

// describeCosts is a table for each size.
func (p peersPage) describeCosts() string {
	var b strings.Builder
	for _, size := range p.sizes {
		p.writeCosts(&b, size)
	}
	return b.String()
}

func (p peersPage) writeCosts(b *strings.Builder, size int) {
	fmt.Fprintf(b, "| %d records |%s", size, p.endHeads("---"))
	for _, step := range peerSteps() {
		fmt.Fprintf(b, "| %s |", step)
		for _, one := range p.peers {
			got, ok := p.took[size][step][one.name]
			ours := p.took[size][step][peerOurs]
			switch {
			case !ok:
				fmt.Fprintf(b, " %s |", strings.TrimSuffix("- "+one.lines["lacks "+step], " "))
			case one.name == peerOurs:
				fmt.Fprintf(b, " %s / %s |", short(got.cpu), short(got.wall))
			default:
				fmt.Fprintf(b, " %s / %s (%.2f / %.2f) |", short(got.cpu), short(got.wall), got.cpu/ours.cpu,
					got.wall/ours.wall)
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}
