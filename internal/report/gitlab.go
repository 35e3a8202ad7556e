package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// writeGitLab writes the results that count: the format has no word for the others.
func (r *Report) writeGitLab(o *output) {
	seen := map[string]int{}
	o.array(r.each(func(x Result) any {
		if x.Suppressed != nil {
			return nil
		}
		name := x.name()
		seen[name]++
		if n := seen[name]; n > 1 {
			name += "\x00" + strconv.Itoa(n)
		}
		sum := sha256.Sum256([]byte(name))
		return object{
			"description": x.what(), "check_name": x.Rule, "fingerprint": hex.EncodeToString(sum[:]), "severity": severity(&x),
			"location": object{"path": file(x.Subject), "lines": object{"begin": max(x.Region.Line, 1)}},
		}
	}))
	o.text("\n")
}

// name returns what tells a result from the others of its report, now and in a later report.
func (x *Result) name() string {
	if x.Fingerprint != "" {
		return x.Fingerprint
	}
	return fmt.Sprintf("%q %q %q %v", x.Subject, x.Rule, x.Pointer, x.Region)
}

func severity(x *Result) string {
	switch {
	case x.Level == Error && x.Area == Secret:
		return "critical"
	case x.Level == Error:
		return "major"
	case x.Level == Warning:
		return "minor"
	default:
		return "info"
	}
}
