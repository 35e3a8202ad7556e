package ruleset

// A kind is what the value of a key may be.
type kind int

const (
	unknown kind = iota
	textKind
	textsKind
	wholeKind
	numberKind
	flagKind
	tableKind
	tablesKind
)

func (k kind) String() string {
	return [...]string{
		"unknown", "a string", "an array of strings", "a whole number", "a number", "true or false",
		"a table", "an array of tables",
	}[k]
}

// schema lists the keys of the format, in lower case.
func schema() map[string]kind {
	all := map[string]kind{
		"title":       textKind,
		"description": textKind,
		"minversion":  textKind,

		"extend":               tableKind,
		"extend.usedefault":    flagKind,
		"extend.path":          textKind,
		"extend.url":           textKind,
		"extend.disabledrules": textsKind,

		"rules":                        tablesKind,
		"rules.id":                     textKind,
		"rules.description":            textKind,
		"rules.regex":                  textKind,
		"rules.path":                   textKind,
		"rules.secretgroup":            wholeKind,
		"rules.entropy":                numberKind,
		"rules.keywords":               textsKind,
		"rules.tags":                   textsKind,
		"rules.skipreport":             flagKind,
		"rules.required":               tablesKind,
		"rules.required.id":            textKind,
		"rules.required.withinlines":   wholeKind,
		"rules.required.withincolumns": wholeKind,

		"allowlist":              tableKind,
		"allowlists":             tablesKind,
		"allowlist.targetrules":  textsKind,
		"allowlists.targetrules": textsKind,
		"rules.allowlist":        tableKind,
		"rules.allowlists":       tablesKind,
	}
	for _, list := range [...]string{"allowlist.", "allowlists.", "rules.allowlist.", "rules.allowlists."} {
		for _, key := range [...]string{"description", "condition", "regextarget"} {
			all[list+key] = textKind
		}
		for _, key := range [...]string{"commits", "paths", "regexes", "stopwords"} {
			all[list+key] = textsKind
		}
	}
	return all
}
