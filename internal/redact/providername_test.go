package redact_test

import (
	"slices"
	"strings"
	"testing"
)

func TestScanText_services(t *testing.T) {
	t.Parallel()

	m := newMaker()
	holdsPlanted(t, m.body(alnums, 32), []string{
		"Phantombuster: §",
		"ZABBIX_LIVE=§",
		`local geocodify = "§"`,
		`myPlexToken = "§"`,
		"PLEX=§",
		`plextoken: "§"`,
		"the Ramp key is §",
		`<guru key="§" mode="live"/>`,
	})
	holdsPlanted(t, strings.Join(
		[]string{m.body(hexes, 8), m.body(hexes, 4), m.body(hexes, 4), m.body(hexes, 4), m.body(hexes, 12)},
		"-"), []string{
		"LOGINRADIUS_KEY=§",
		`<guru key="§"/>`,
	})
}

func TestScanText_noServices(t *testing.T) {
	t.Parallel()

	value := newMaker().body(alnums, 32)
	rows := []string{
		"complex = %", "multiplex: %", "happiness=%", "trampoline = %", "Ramp is at %",
		"unlikely: %", "the cursor crispness = %",
	}
	for i, row := range rows {
		rows[i] = strings.ReplaceAll(row, "%", value)
	}
	holdsNothing(t, slices.Concat(rows, []string{
		"the Ramp team reads the keynote",
		"plex key = required",
	}))
}
