package redact

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/redacttest"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// A tried is a row with one of its prefixes, and a scanner that knows the row
// alone.
type tried struct {
	*layouts.Shape
	columns    []string // of the row, behind the id
	id, prefix string
	scanner    *Scanner
}

// eachToken calls try for every row of the table and every prefix of it.
func eachToken(try func(row tried)) {
	for _, rule := range builtIn() {
		if !rule.isToken() {
			continue
		}
		shape, scanner := readShape(rule.row), New([]Rule{rule})
		for _, prefix := range shape.Prefixes {
			try(tried{shape, strings.Split(rule.row, "\t"), rule.ID, prefix, scanner})
		}
	}
}

// A sampler makes the shortest token of a shape, from letters and digits as
// far as the shape allows that.
type sampler struct{ *rand.Rand }

func newSampler() sampler { return sampler{rand.New(rand.NewPCG(3, 5))} }

// letters returns the letters and digits of a class.
func letters(class func(byte) bool) string {
	var all []byte
	for c := byte('0'); c <= 'z'; c++ {
		if lex.IsAlnum(c) && class(c) {
			all = append(all, c)
		}
	}
	return string(all)
}

// run returns n characters of a class, with one of each kind that it has.
func (s sampler) run(class func(byte) bool, n int) string {
	alphabet := letters(class)
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[s.IntN(len(alphabet))]
	}
	for i, kind := range []func(byte) bool{lex.IsDigit, lex.IsUpper, lex.IsLower, lex.IsDigit} {
		if own := letters(func(c byte) bool { return class(c) && kind(c) }); own != "" && 3*i+1 < n {
			b[3*i+1] = own[s.IntN(len(own))]
		}
	}
	return string(b)
}

// layout returns the shortest text of a layout.
func (s sampler) layout(l layouts.Layout) string {
	var b strings.Builder
	for i := 0; i < len(l); {
		class := lex.ClassOf(l[i])
		switch {
		case l[i] == 'U':
			b.WriteString(s.layout("x8-x4-x4-x4-x12"))
			i++
		case class == nil:
			b.WriteByte(l[i])
			i++
		default:
			least, _, next := l.Count(i + 1)
			b.WriteString(s.run(class, least))
			i = next
		}
	}
	return b.String()
}

// token returns the shortest token of a row, and where its body begins.
func (s sampler) token(row tried) (token string, body int) {
	lead, rest := "", s.layout(row.Layout)
	if row.Lead > 0 {
		lead = s.run(row.Body, row.Lead)
	}
	if row.Layout == "" {
		rest = s.run(row.Body, row.Min)
	}
	if row.Part != 0 {
		rest = rest[:len(rest)/2] + string(row.Part) + rest[len(rest)/2+1:]
	}
	return lead + row.prefix + rest, len(lead) + len(row.prefix)
}

// finds says whether the rule of the row finds the whole of secret in text.
func (row tried) finds(text, secret string) bool {
	at := strings.Index(text, secret)
	for _, f := range row.scanner.ScanText(text) {
		if f.Start == at && f.End == at+len(secret) {
			return true
		}
	}
	return false
}

func TestTokens_found(t *testing.T) {
	t.Parallel()
	s := newSampler()
	eachToken(func(row tried) {
		token, _ := s.token(row)
		for _, edge := range [][2]string{
			{"", ""},
			{`"`, `"`},
			{"We made ", ". Then it went."},
			{"x=", ""},
			{"(", ")"},
			{"é ", ", and"},
		} {
			if text := edge[0] + token + edge[1]; !row.finds(text, token) {
				t.Errorf("rule %q, prefix %q: a token of %d bytes is not found lex.Between %q and %q", row.id,
					row.prefix, len(token), edge[0], edge[1])
			}
		}
	})
}

// TestTokens_blocked holds that all rules together report each token whole.
func TestTokens_blocked(t *testing.T) {
	t.Parallel()
	s := newSampler()
	eachToken(func(row tried) {
		token, _ := s.token(row)
		for _, f := range ScanText("We made " + token + ". Then it went.") {
			if f.Severity == Block && f.Start <= len("We made ") && f.End >= len("We made ")+len(token) {
				return
			}
		}
		t.Errorf("rule %q, prefix %q: the scanner does not report the whole of a token of %d bytes", row.id,
			row.prefix, len(token))
	})
}

func TestTokens_length(t *testing.T) {
	t.Parallel()
	s := newSampler()
	eachToken(func(row tried) {
		token, _ := s.token(row)
		short := token[:len(token)-1]
		if row.Lead > 0 {
			short = token[1:]
		}
		if fs := row.scanner.ScanText(short); len(fs) > 0 {
			t.Errorf("rule %q, prefix %q: found although it is too short by one byte: %v", row.id, row.prefix,
				fs)
		}
		if long := token + s.run(lex.IsAlnum, 1); row.Exact && row.Body(long[len(long)-1]) &&
			len(row.scanner.ScanText(long)) > 0 {
			t.Errorf("rule %q, prefix %q: found although it is too long by one byte", row.id, row.prefix)
		}
	})
}

func TestTokens_placeholder(t *testing.T) {
	t.Parallel()
	s := newSampler()
	eachToken(func(row tried) {
		token, body := s.token(row)
		n := len(token) - body
		for _, filler := range []string{
			strings.Repeat("x", n), strings.Repeat("X", n), strings.Repeat("0", n), strings.Repeat("*", n),
			"your-token-here", "EXAMPLE" + token[body:], token[body:] + "EXAMPLE", "<your-token>", "${TOKEN}",
			"...",
		} {
			if row.Lead > 0 {
				break // What stands in front of the prefix is the secret.
			}
			if fs := row.scanner.ScanText("use " + row.prefix + filler + " here"); len(fs) > 0 &&
				!strings.Contains(filler, "EXAMPLE") {
				t.Errorf("rule %q, prefix %q: a filler of %d bytes is found: %v", row.id, row.prefix,
					len(filler), fs)
			}
		}
	})
}

// TestTokens_words holds that a prefix in front of names is no token.
func TestTokens_words(t *testing.T) {
	t.Parallel()
	words := []string{
		"get_the_value_of_the_current_session_from_the_cache_or_the_store",
		"use-the-new-and-much-faster-way-to-do-this-and-that-too",
		"v2", "is short", "", "-", "_", "1", "[0]",
	}
	names := []string{
		"HandleOAuth2CallbackFromProviderAndRedirectToTheStartPage",
		"SOME_CONSTANT_NAME_OF_THE_CONFIGURATION_MODULE", "getUserById2FromTheCache",
		"ParseV2Config_fromFile",
	}
	eachToken(func(row tried) {
		all := words
		if row.Mixed {
			all = slices.Concat(words, names)
		}
		for _, word := range all {
			if fs := row.scanner.ScanText("call " + row.prefix + word + " first"); len(fs) > 0 {
				t.Errorf("rule %q, prefix %q: found before %q", row.id, row.prefix, word)
			}
		}
	})
}

// TestRules_examples tries the two examples that stand beside each rule of rules.RuleTable with that rule alone.
func TestRules_examples(t *testing.T) {
	t.Parallel()
	built := map[string]Rule{}
	for _, rule := range builtIn() {
		built[rule.ID] = rule
	}
	tried := map[string]int{}
	id := ""
	for line := range rules.RowsOf(rules.RuleTable) {
		name, marked, _ := strings.Cut(strings.TrimPrefix(line, "\t"), "\t")
		if line[0] != '\t' {
			id = name
		}
		if name != "yes" && name != "no" {
			continue
		}
		row, err := redacttest.Expand(marked)
		if err != nil {
			t.Errorf("rule %q, %s: %v", id, name, err)
			continue
		}
		tried[id]++
		scanner, asked := New([]Rule{built[id]}), 0
		found := scanner.ScanText(row.Text)
		scanner.index.eachKeyword(false, row.Text, func(int, lex.Span) { asked++ })
		switch {
		case (name == "yes") != (row.Secret != ""):
			t.Errorf("rule %q: a secret is marked in what it must not find, or none in what it must", id)
		case name == "no" && (asked == 0 || len(found) > 0):
			t.Errorf("rule %q finds %d times in %q, which has %d of its keywords", id, len(found), marked,
				asked)
		case name == "yes" && !slices.ContainsFunc(found, func(f Finding) bool {
			return f.Start <= row.Start && row.End <= f.End
		}):
			t.Errorf("rule %q does not find its example %q", id, marked)
		}
	}
	for _, rule := range builtIn() {
		if !rule.isToken() && rule.gitleaks == "" && tried[rule.ID] < 2 {
			t.Errorf("rule %q has %d examples, not one that it finds and one that it does not", rule.ID,
				tried[rule.ID])
		}
	}
}

// TestTables holds that every row of every table is complete and that nothing
// in it is misspelt.
func TestTables(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, rule := range builtIn() {
		why, advice := rule.describeFinding()
		keywords := rule.listKeywords()
		if !strings.HasPrefix(why, "looks like ") || len(why) < len("looks like a b") || len(advice) < 10 ||
			rule.defined().find == nil || len(keywords) == 0 {
			t.Errorf("rule %q: its row is not complete: %q, %q, %d keywords", rule.ID, why, advice,
				len(keywords))
		}
		if seen[rule.ID] && rule.isToken() {
			t.Errorf("rule %q stands twice", rule.ID)
		}
		seen[rule.ID] = true
		for _, keyword := range keywords {
			if len(keyword) < 2 || len(keyword) > maxKeyword || strings.ContainsAny(keyword, "␠‹›") {
				t.Errorf("rule %q: keyword %q is too short or has a mark", rule.ID, keyword)
			}
		}
	}
	eachToken(func(row tried) {
		if len(row.columns) != 4 || row.Body == nil && row.Layout == "" ||
			row.Lead > 0 && row.Body == nil {
			t.Errorf("rule %q: its row is not complete", row.id)
		}
		for _, word := range strings.Fields(row.columns[1])[2:] {
			if !slices.Contains([]string{"alone", "digit", "mixed", "lead", "part"}, word) && len(word) > 2 {
				t.Errorf("rule %q: %q says nothing about a form", row.id, word)
			}
		}
	})
	for row := range rules.RowsOf(rules.CommandTable) {
		if strings.Count(row, "\t") != 2 {
			t.Errorf("program %q: its row is not complete", row)
		}
	}
}

// TestTokens_weakPrefix holds that a short prefix does not stand for a token
// by itself.
func TestTokens_weakPrefix(t *testing.T) {
	t.Parallel()
	eachToken(func(row tried) {
		guards := 0
		for _, guard := range []bool{
			row.Alone, row.Digit, row.Mixed, row.Exact, row.Part != 0, row.Min >= 30,
			row.Layout != "", row.Lead > 0,
		} {
			if guard {
				guards++
			}
		}
		if len(row.prefix) <= 3 && guards < 2 {
			t.Errorf("rule %q: the prefix %q is short and has %d guards, want 2", row.id, row.prefix, guards)
		}
	})
}

// TestTokens_patterns tries the rules whose form is more than a row.
func TestTokens_patterns(t *testing.T) {
	t.Parallel()
	s := newSampler()
	hexes := func(n int) string { return s.run(lex.IsHex, n) }
	letters := func(n int) string { return s.run(lex.IsAlnum, n) }
	for _, c := range []struct{ rule, before, secret, after string }{
		{
			"presigned-url", "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-" + "Signature=", hexes(64),
			"&x=1",
		},
		{"presigned-url", "https://storage.googleapis.com/b/k?X-Goog-" + "Signature=", hexes(512), " now"},
		{
			"presigned-url", "https://a.blob.core.windows.net/c?sv=2024-01-01&sp=r&s" + "ig=",
			letters(43) + "%3D", "&se=x",
		},
		{"presigned-url", "https://x.logic.azure.com/workflows/w/run?s" + "ig=", letters(43), "."},
		{"convex-key", "key ", "prod:happy-otter-" + "123|" + "eyJ" + letters(60), " end"},
		{
			"django-secret-key", "SECRET = '",
			"django-" + "insecure-" + strings.ToLower(s.run(func(c byte) bool {
				return lex.IsLower(c) ||
					lex.IsDigit(c)
			}, 48)) + "%(", "'",
		},
		{
			"one-time-password-secret", "otp" + "auth://totp/Site:me?issuer=Site&secret=",
			strings.Repeat("JBSWY3DP", 2), "&digits=6",
		},
		{
			"chat-webhook", "https://open.feishu.cn/open-apis/bot/" + "v2/hook/", s.layout("x8-x4-x4-x4-x12"),
			"\n",
		},
		{
			"chat-webhook", "https://qyapi.weixin.qq.com/cgi-bin/" + "webhook/send?key=", s.layout("x8-x4-x4-x4-x12"),
			" ",
		},
		{"chat-webhook", "https://hooks.zapier.com/" + "hooks/catch/", "1234567/" + letters(12), "?x=1"},
		{"chat-webhook", "https://maker.ifttt.com/" + "trigger/door/with/key/", letters(22), " "},
		{"chat-webhook", "https://hook.eu2." + "make.com/", letters(32), "."},
	} {
		text := c.before + c.secret + c.after
		own := slices.DeleteFunc(BuiltIn().Rules(), func(r Rule) bool { return r.ID != c.rule })
		found := slices.ContainsFunc(New(own).ScanText(text), func(f Finding) bool {
			return f.Start <= len(c.before) && f.End == len(c.before)+len(c.secret)
		})
		if !found {
			t.Errorf("rule %q: a secret of %d bytes is not found whole", c.rule, len(c.secret))
		}
	}
}

// TestRules_compile holds that the expression of each row compiles, and that its judge is one of judges.
func TestRules_compile(t *testing.T) {
	t.Parallel()
	for _, rule := range builtIn() {
		keyword := rule.listKeywords()[0]
		rule.defined().find(keyword+strings.Repeat("a1", 60), lex.Between(0, len(keyword)))
	}
	for row := range rules.RowsOf(rules.RuleTable) {
		if name, ok := strings.CutPrefix(row, "\tjudge\t"); ok && judge.FunctionsByName()[name] == nil {
			t.Errorf("there is no judge %q", name)
		}
	}
}

// TestScanText_shortWord holds that no rule finds anything in the words for which the rules are not made.
func TestScanText_shortWord(t *testing.T) {
	t.Parallel()
	scanner, tried := New(builtIn()), 0
	for _, keyword := range Keywords() {
		for _, end := range []string{"", "xkqvzwjpxbnmrtg", "XkQvZwJpXbNmRtG", "password"} {
			text := keyword + end
			if text = text[:min(len(text), 15)]; !isShortWord(text) {
				continue
			}
			tried++
			if found := scanner.ScanText(text); len(found) > 0 {
				t.Errorf("%q: %v", text, found)
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d words were tried", tried)
	}
}
