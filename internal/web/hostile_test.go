package web_test

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// attacks are texts that try to be more than text.
func attacks() []string {
	return []string{
		`<script>document.title='owned'</script>`,
		`</title><script>document.title='owned'</script>`,
		`</script><script>document.title='owned'</script>`,
		`</pre></details><img src=x onerror=document.title='owned'>`,
		`" onmouseover="document.title='owned'" x="`,
		`' autofocus onfocus='document.title=1`,
		`<svg/onload=document.title='owned'>`,
		`<style>body{display:none}</style><link rel=stylesheet href=https://attacker.example/x.css>`,
		`<meta http-equiv=refresh content="0;url=https://attacker.example/">`,
		`<base href=https://attacker.example/><form action=//attacker.example><input name=q>`,
		`<a href="javascript:document.title='owned'">click</a> javascript:document.title='owned'`,
		`{{.Root}}{{template "top" .}}`,
		"\x1b[31mred\x1b[0m \u202eevil\u2066 \u200bhidden \U000e0041\U000e0042 \u009b2J \u2028 line",
		`<iframe srcdoc="<script>top.document.title='owned'</script>">`,
		`<!--><img src=https://attacker.example/pixel.png>-->`,
		`&lt;script&gt; &#60;script&#62;`,
		"`${alert(1)}` ]]> ?> %3Cscript%3E",
		`data:text/html,<script>1</script> //attacker.example/x vbscript:x`,
	}
}

// besieged is a world in which every text of every record is an attack, or many of them.
func besieged(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.ago(3, 0)
	for i, text := range attacks() {
		line := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl) {
				return ' ' // What is one line by its form takes none of these.
			}
			return r
		}, text)), " ")
		text = strings.NewReplacer("\x1b", "", "\u009b", "").Replace(text) // No record may hold these at all.
		place := fmt.Sprintf("src/%d.go", i)
		w.plant("packet", 3*i, object{
			"goal": text, "next_step": text,
			"provenance": object{"author_human": line, "agent": line, "model": line, "host": line},
			"anchor":     object{"branch": line}, "success_criteria": []string{text},
			"constraints": []string{text}, "open_questions": []string{text},
			"decisions": []object{{"what": text, "why": text, "consequences": text}},
			"attempts":  []object{{"tried": text, "outcome": text, "learned": text}},
			"cites":     []object{{"path": place, "note": text}}, "paths": []string{place},
			"unknown-member": text,
			"project":        object{"name": line, "ref": line},
		})
		w.plant("note", 3*i+1,
			object{"kind": "fact", "text": text, "why": text, "provenance": object{"author_human": line}})
		w.plant("skip", 3*i+2, object{
			"item": text, "reason": text, "expires_at": "2027-01-01T00:00:00Z",
			"match": object{"words": line, "command": line},
		})
	}
	return w
}

// elements are all the elements that pages have.
func elements() []string {
	return strings.Fields(`!doctype html head meta title link body a header svg path circle rect line g span code form label input button nav
		ul ol li main h1 h2 h3 p article section aside div dl dt dd details summary pre time strong footer meter`)
}

// attributes are all the attributes that they have.
func attributes() []string {
	return strings.Fields(`lang charset name content http-equiv rel type href class viewbox width height aria-hidden focusable d cx cy r x y x1
		y1 x2 y2 rx transform role action method for id value maxlength placeholder autocomplete spellcheck aria-label aria-current tabindex
		datetime title min max hidden start html`)
}

// checkMarkup tells whether a page holds nothing but elements and attributes of ours, addresses below its
// own, and no text that acts on a reader.
func checkMarkup(page string) error {
	tag := regexp.MustCompile(`<[/]?([a-zA-Z!?][^\s>/]*)([^<>]*)>`)
	attribute := regexp.MustCompile(`([^\s="'/]+)(?:="([^"]*)")?`)
	address := regexp.MustCompile(
		"^(#[a-z]+|([.][.]/)*([a-z]+|[a-z]+-[0-9]+|records/[0-9A-Z]{26})[.](html|css|svg)([?][^ <>\"'`]*)?)$")
	if strings.Contains(page, "<script") {
		return errors.New("it holds a script")
	}
	found := tag.FindAllStringSubmatch(page, -1)
	if n := strings.Count(page, "<"); n != len(found) {
		return fmt.Errorf("%d of %d angle brackets are no element", n-len(found), n)
	}
	for _, m := range found {
		if !slices.Contains(elements(), strings.ToLower(m[1])) {
			return fmt.Errorf("there is an element %q", m[0])
		}
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			name := strings.ToLower(a[1])
			if !slices.Contains(attributes(), name) {
				return fmt.Errorf("there is an attribute %q in %q", name, m[0])
			}
			if (name == "href" || name == "action") && !address.MatchString(html.UnescapeString(a[2])) {
				return fmt.Errorf("there is an address %q", a[2])
			}
		}
	}
	return checkHarmless(page)
}

// checkHarmless tells whether a text holds nothing that cannot be seen, or turns its order around.
func checkHarmless(text string) error {
	for i, r := range text {
		control := unicode.IsControl(r) && r != '\n'
		if control || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return fmt.Errorf("%U at byte %d", r, i)
		}
	}
	return nil
}

// TestCheckMarkup shows that the checks of these tests would notice.
func TestCheckMarkup(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		`<p onclick="x">`, `<img src="x">`, `<a href="javascript:x">`, `<a href="//attacker.example">`,
		`<a href="https://attacker.example">`,
		`<p>a < b</p>`, `<script>x</script>`, `<p style="x">`, "<p>\u202e</p>", `<a href="data:x">`,
	} {
		if checkMarkup(bad) == nil {
			t.Errorf("%q passes", bad)
		}
	}
	if err := checkMarkup(
		`<p class="a">a <a href="../records/01JDMB4W1YNJZQR7K8F3A2H5P9.html">b</a></p>`); err != nil {
		t.Error(err)
	}
}

func TestServe_hostile(t *testing.T) {
	t.Parallel()
	w := besieged(t)
	s := serveUntil(t, w)
	paths := []string{
		"", "notes.html", "skips.html", "notes.html?kind=fact",
		"records/nothing.html",
	}
	for _, list := range []string{"", "notes.html", "skips.html"} {
		for _, id := range recordLinks(s.get(list)) {
			paths = append(paths, "records/"+id+".html")
		}
	}
	if want := 5 + 3*len(attacks()); len(paths) != want {
		t.Errorf("%d pages are looked at, want %d", len(paths), want)
	}
	for _, text := range attacks() {
		q := url.QueryEscape(text)
		paths = append(paths, "recall.html?q="+q, "index.html?branch="+q,
			"notes.html?kind="+q+"&all="+q, q)
	}
	for _, path := range paths {
		answer, page := s.do(s.request("GET", path))
		if answer.StatusCode >= 500 {
			t.Errorf("%q: %s", path, answer.Status)
		}
		if err := checkMarkup(page); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}
