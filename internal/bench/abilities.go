package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
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
			s, err := p.filledShell(ctx, r, folder, fmt.Sprintf("able-%d-%d", i, j), fewTexts)
			if err != nil {
				return nil, err
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

// joinTable writes a table of Markdown: the names of its columns, how they are aligned, and rows.
func joinTable(rows ...[]string) string {
	var b strings.Builder
	for _, row := range rows {
		if text := "| " + strings.Join(row, " | ") + " |\n"; row[0] != "---" {
			b.WriteString(text)
		} else {
			b.WriteString(strings.ReplaceAll(text, " ", ""))
		}
	}
	return b.String()
}

// peersTable is a table with a column for each peer, and a row for each name.
func (p peersPage) peersTable(head, align string, names []string,
	cell func(name string, one *peer) string,
) string {
	rows := [][]string{{head}, {"---"}}
	for _, one := range p.peers {
		rows[0], rows[1] = append(rows[0], one.name), append(rows[1], align)
	}
	for _, name := range names {
		row := []string{name}
		for _, one := range p.peers {
			row = append(row, cell(name, one))
		}
		rows = append(rows, row)
	}
	return joinTable(rows...)
}

func (p peersPage) describeVersions() string {
	var rows [][]string
	for _, one := range p.peers {
		rows = append(rows, []string{one.name, p.versions[one.name]})
	}
	return joinTable(rows...)
}

// describeCosts is a table for each size.
func (p peersPage) describeCosts() (text string) {
	for _, size := range p.sizes {
		head := fmt.Sprintf("%d records", size)
		text += p.peersTable(head, "---", peerSteps(), func(step string, one *peer) string {
			got, ok := p.took[size][step][one.name]
			ours := p.took[size][step][peerOurs]
			both := short(got.cpu) + " / " + short(got.wall)
			switch {
			case !ok:
				return strings.TrimSuffix("- "+one.lines["lacks "+step], " ")
			case one.name == peerOurs:
				return both
			default:
				return fmt.Sprintf("%s (%.2f / %.2f)", both, got.cpu/ours.cpu, got.wall/ours.wall)
			}
		}) + "\n"
	}
	return text
}

// describePrinted says how much was printed where an agent reads it.
func (p peersPage) describePrinted() string {
	var names []string
	all := map[string]map[string]timing{}
	for _, size := range p.sizes {
		for _, step := range []string{stepFind, stepStart} {
			name := fmt.Sprintf("%s, %d records", step, size)
			names, all[name] = append(names, name), p.took[size][step]
		}
	}
	return p.peersTable("bytes", "--:", names, func(name string, one *peer) string {
		if got, ok := all[name][one.name]; ok {
			return strconv.Itoa(got.bytes)
		}
		return "-"
	})
}

func (p peersPage) describeAble() string {
	return p.peersTable("ability", "---", p.abilities, func(name string, one *peer) string {
		switch can, tried := p.able[name][one.name]; {
		case !tried:
			return "-"
		case can:
			return "yes"
		default:
			return "**no**"
		}
	})
}

// describeLines lists the commands by which something was done.
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

// describeMissing says who is not here, and what the attempt to install it said.
func (p peersPage) describeMissing() string {
	cell := func(text string) string {
		return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
	}
	var rows [][]string
	for _, one := range p.missing {
		why := cmp.Or(one.lines["missing"], "it cannot be installed here, or does not run")
		rows = append(rows, []string{one.name, why, "`" + cell(one.lines["try"]) + "`", cell(one.said)})
	}
	return joinTable(rows...)
}
