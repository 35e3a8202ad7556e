package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// A canary is a made-up secret, and what of it nobody may see again.
type canary struct {
	name   string
	text   string   // as it is written
	public string   // what a mask may show of it
	parts  []string // the secret pieces of it
}

// drawn returns letters and digits that are the same in every run and look as if they were drawn.
func drawn(seed string, size int) string {
	const digits = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
	return drawnFrom(digits, seed, size)
}

func drawnFrom(digits, seed string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		for _, c := range sha256.Sum256(fmt.Appendf(nil, "%s %d", seed, i)) {
			b.WriteByte(digits[int(c)%len(digits)])
		}
	}
	return b.String()[:size-1] + "7"
}

// canaries are put together here, so that no file of this project holds a secret.
func canaries() []canary {
	github := canary{name: "github token", public: "gh" + "p_", parts: []string{drawn("github", 36)}}
	github.text = github.public + github.parts[0]
	all := []canary{github}
	for _, kind := range []struct{ name, public, seed string }{
		{"gitlab token", "gl" + "pat-", drawn("gitlab", 20)},
		{"npm token", "np" + "m_", drawn("npm", 36)},
		{"google key", "AI" + "za", drawn("google", 35)},
		{"stripe key", "sk" + "_live_", drawn("stripe", 24)},
		{"anthropic key", "sk" + "-ant-api03-", drawn("anthropic", 93) + "AA"},
		{"pypi token", "py" + "pi-AgEIcHlwaS5vcmc", drawn("pypi", 80)},
		{"age key", "AGE" + "-SECRET-KEY-1", drawnFrom("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "age", 58)},
		{"slack token", "xo" + "xb-", "274839201847-5839201746583-" + drawn("slack", 24)},
	} {
		all = append(all, canary{
			name: kind.name, text: kind.public + kind.seed, public: kind.public,
			parts: []string{kind.seed},
		})
	}
	all = append(all, carried()...)
	return append(all, disguised(github)...)
}

// carried are secrets that their surroundings give away.
func carried() []canary {
	word := func(seed string) string { return drawn(seed, 16) }
	of := func(name, before, seed, after string) canary {
		return canary{name: name, text: before + seed + after, parts: []string{seed}}
	}
	access, secret := drawnFrom("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "aws", 16), drawn("aws secret", 40)
	body := drawn("pem 1", 64) + "\n" + drawn("pem 2", 64)
	head := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + drawn("subject", 20) + `"}`))
	return []canary{
		{
			name: "aws pair", text: "aws_access_key_id=AK" + "IA" + access + " aws_secret_access_key=" +
				secret,
			public: "AK" + "IA", parts: []string{access, secret},
		},
		{
			name: "pem", text: "-----BEGIN EC PRIV" + "ATE KEY-----\n" + body + "\n-----END EC PRIV" +
				"ATE KEY-----",
			parts: strings.Split(body, "\n"),
		},
		{
			name: "jwt", text: head + "." + payload + "." + drawn("signature", 43),
			parts: []string{payload[12:], drawn("signature", 43)},
		},
		of("database url", "postgres:/"+"/app:", word("url"), "@db.example.com/app"),
		of("url with signs", "https:/"+"/app:", "p~"+word("signs")+"%2F&x", "@host.example.com/x"),
		of("password assignment", "password=", word("assignment"), ""),
		of("quoted password", `"db_password": "`, word("quoted"), `"`),
		of("bearer", "Authorization: Bearer ", drawn("bearer", 40), ""),
		of("basic", "Authorization: Basic ", base64.StdEncoding.EncodeToString([]byte("ada:"+word("basic"))),
			""),
		of("command", "with mysql -u root -p", word("mysql"), " app"),
		of("jdbc", "jdbc:mysql:/"+"/db.example.com/app?user=app&password=", word("jdbc"), ""),
		of("account key", "DefaultEndpointsProtocol=https;AccountName=app;AccountKey=",
			base64.StdEncoding.EncodeToString([]byte(drawn("azure", 64))),
			";EndpointSuffix=core.windows.net"),
	}
}

// disguised are forms of one token that a scanner has to undo.
func disguised(token canary) []canary {
	half := len(token.text) / 2
	first, second := token.text[:half], token.text[half:]
	coded := base64.StdEncoding.EncodeToString([]byte("token " + token.text))
	digits := hex.EncodeToString([]byte(token.text))
	var signs, numbers []byte
	for _, c := range []byte(token.text) {
		signs, numbers = fmt.Appendf(signs, "%%%02X", c), fmt.Appendf(numbers, "&#%d;", c)
	}
	percent, refs := string(signs), string(numbers)
	return []canary{
		{name: "base64", text: coded, parts: []string{token.parts[0], coded[12:]}},
		{name: "hexadecimal", text: digits, parts: []string{token.parts[0], digits[8:]}},
		{name: "percent signs", text: percent, parts: []string{token.parts[0], percent[12:]}},
		{name: "references", text: refs, parts: []string{token.parts[0], refs[24:]}},
		{name: "hidden sign", text: first + "\u200b" + second, public: token.public, parts: token.parts},
		{
			name: "split over lines", text: first + "\n" + second, public: token.public,
			parts: []string{first[4:], second, token.parts[0]},
		},
		{
			name: "split literal", text: `"` + first + `" + "` + second + `"`, public: token.public,
			parts: []string{first[4:], second, token.parts[0]},
		},
		{name: "look-alike", text: strings.Replace(token.text, "p_", "\u0440_", 1), parts: token.parts},
	}
}

// Bounds of what may be seen of a canary.
const (
	canaryWindow = 8 // so many bytes of a secret in a row are a leak
	canaryBeyond = 3 // so many characters may be seen behind a public prefix
)

// seen returns what stands of the canary in text, in whatever form text writes it.
func (c canary) seen(text []byte) (string, bool) {
	needles := c.needles()
	for _, view := range views(text) {
		for _, n := range needles {
			if bytes.Contains(view, n) {
				return string(n), true
			}
		}
	}
	return "", false
}

// needles are the pieces of a canary that must not be seen, also in base64.
func (c canary) needles() [][]byte {
	var all [][]byte
	for _, part := range c.parts {
		pieces := []string{part}
		for skip := range 3 {
			coded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", skip) + part))
			pieces = append(pieces, coded[4:len(coded)-2])
		}
		for i, piece := range pieces {
			size := canaryWindow
			if i > 0 {
				size = canaryWindow * 4 / 3
			}
			for at := 0; at+size <= len(piece); at++ {
				all = append(all, []byte(piece[at:at+size]))
			}
		}
	}
	if c.public != "" {
		all = append(all, []byte(c.public+c.parts[0][:canaryBeyond+1]))
	}
	return all
}

// views are the text as it stands, and with the escapes undone that formats write.
func views(text []byte) [][]byte {
	plain := string(text)
	all := [][]byte{text, []byte(html.UnescapeString(plain)), []byte(strings.Join(strings.Fields(plain), ""))}
	if !strings.ContainsAny(plain, `\%~`) {
		return all
	}
	undone := strings.NewReplacer(
		`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u200b`, "", `\"`, `"`, `\\`, `\`, `\/`, "/", `\n`,
		"\n", "~1", "/", "~0", "~",
	).Replace(plain)
	all = append(all, []byte(undone))
	if percent, err := url.PathUnescape(keepPercent(plain)); err == nil {
		all = append(all, []byte(percent))
	}
	return all
}

// keepPercent makes every percent sign that begins no escape one that does.
func keepPercent(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		if text[i] != '%' {
			continue
		}
		if _, err := hex.DecodeString(text[i+1 : min(len(text), i+3)]); err != nil || i+3 > len(text) {
			b.WriteString("25")
		}
	}
	return b.String()
}
