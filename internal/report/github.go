package report

import (
	"strconv"
	"strings"
)

// writeGitHub writes one command a result, and a last line for people. Results are annotations of their subjects.
func (r *Report) writeGitHub(o *output) {
	for i := range r.Results {
		x := &r.Results[i]
		o.text("::", command(x), " file=", escapeProperty(file(x.Subject)))
		if x.Region.Line > 0 {
			o.text(",line=", strconv.Itoa(x.Region.Line))
			if x.Region.Column > 0 {
				o.text(",col=", strconv.Itoa(x.Region.Column))
			}
		}
		o.text(",title=", escapeProperty(shown(x.Rule)), "::", escapeData(annotation(x)), "\n")
	}
	o.text(r.sentence(), "\n")
}

func command(x *Result) string {
	switch {
	case x.Suppressed != nil:
		return "notice"
	case x.Level == Error:
		return "error"
	case x.Level == Warning:
		return "warning"
	default:
		return "notice"
	}
}

// annotation returns the lines that are shown beside the subject.
func annotation(x *Result) string {
	if x.Suppressed != nil {
		return x.what() + "\nallowed " + x.Suppressed.String()
	}
	lines := x.what()
	if advice := shown(x.Advice); advice != "" {
		lines += "\ndo: " + advice
	}
	if fingerprint := shown(x.Fingerprint); fingerprint != "" {
		lines += "\nfingerprint " + fingerprint
	}
	return lines
}

// escapeData escapes what stands behind the second "::" of a command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes the value of a property of a command.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
