package ruleset

import (
	"reflect"
	"strings"
)

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

// schema lists the keys of the format, in lower case, as the fields of a document have them.
func schema() map[string]kind {
	all := map[string]kind{}
	listKeys(all, "", reflect.TypeFor[document]())
	for _, list := range [...]string{"rules.allowlist", "rules.allowlists"} {
		delete(all, list+".targetrules") // It is for one rule.
	}
	return all
}

// listKeys adds the keys of a table.
func listKeys(all map[string]kind, table string, of reflect.Type) {
	for i := range of.NumField() {
		value := of.Field(i).Type
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		is := map[reflect.Kind]kind{
			reflect.String: textKind, reflect.Slice: textsKind, reflect.Int: wholeKind,
			reflect.Float64: numberKind, reflect.Bool: flagKind, reflect.Struct: tableKind,
		}[value.Kind()]
		if is == textsKind && value.Elem().Kind() == reflect.Struct {
			is, value = tablesKind, value.Elem()
		}
		key := joinPath(table, strings.ToLower(of.Field(i).Tag.Get("toml")))
		all[key] = is
		if value.Kind() == reflect.Struct {
			listKeys(all, key, value)
		}
	}
}
