package sign_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// people are the principals that generated files are about.
var people = []string{"alice@example.com", "bob@example.com", "carol", "al ice"}

// keygen is ssh-keygen as a second judge of one signature.
type keygen struct {
	dir     string
	payload []byte
	signers []ssh.Signer // who signed the payload: sig0, sig1 and so on

	mentions []string // by signature, the key that a file has to hold to speak of it
}

func newKeygen(tb testing.TB, signers ...ssh.Signer) *keygen {
	tb.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatal(err)
		}
		tb.Skip(err)
	}
	k := &keygen{dir: tb.TempDir(), payload: statement(signedAt).Payload(), signers: signers}
	for i, signer := range signers {
		k.write(tb, fmt.Sprintf("sig%d", i), sshArmor(tb, signer, "git", k.payload))
	}
	return k
}

func (k *keygen) write(tb testing.TB, file string, content []byte) {
	tb.Helper()
	if err := os.WriteFile(filepath.Join(k.dir, file), content, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// accepts asks ssh-keygen, as git does, whether the file lets the principal sign with the key of a signature.
func (k *keygen) accepts(ctx context.Context, signature int, principal string) bool {
	cmd := exec.CommandContext(ctx, "ssh-keygen", "-Y", "verify", "-n", "git", "-f", "allowed", "-I",
		principal,
		"-s", fmt.Sprintf("sig%d", signature), "-Overify-time="+signedAt.UTC().Format("20060102150405Z"))
	cmd.Dir, cmd.Stdin = k.dir, strings.NewReader(string(k.payload))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + k.dir}
	if zone, ok := os.LookupEnv("TZ"); ok {
		cmd.Env = append(cmd.Env, "TZ="+zone)
	}
	return cmd.Run() == nil
}

// compare checks our verdict on each signature against that of ssh-keygen: where we name somebody, it agrees
// that this one may sign; where we name nobody, it agrees for none of the candidates.
func (k *keygen) compare(tb testing.TB, file string, everybody []string) (good int) {
	tb.Helper()
	k.write(tb, "allowed", []byte(file))
	allowed, _ := sign.ParseAllowedSigners([]byte(file))
	trust := sign.Trust{Sources: []sign.Source{{Name: "the test", Signers: allowed}}}
	for i := range k.signers {
		candidates := everybody
		raw := append([]byte(nil), k.payload...)
		armored, err := os.ReadFile(filepath.Join(k.dir, fmt.Sprintf("sig%d", i)))
		if err != nil {
			tb.Fatal(err)
		}
		standing, v := judged(tb, trust, parse(tb, append(raw, armored...)), signedAt)
		if standing == "good" {
			good++
			if !k.accepts(tb.Context(), i, v.By) {
				tb.Errorf("signature %d is good by %q, and ssh-keygen does not accept it; file:\n%s", i, v.By,
					file)
			}
			continue
		}
		if !strings.Contains(file, k.mentions[i]) {
			candidates = nil
		}
		for _, principal := range candidates {
			if k.accepts(tb.Context(), i, principal) {
				tb.Errorf("signature %d is %q (%s), and ssh-keygen accepts it for %q; file:\n%s", i, standing,
					v.Why, principal, file)
			}
		}
	}
	return good
}

// generator makes lines of allowed signers that are often, but not always, well formed.
type generator struct {
	*rand.Rand
	keys []string
}

func (g *generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

func (g *generator) principals() string {
	var list []string
	for range 1 + g.IntN(3) {
		p := g.pick(people[0], people[1], people[2], "*@example.com", "*", "a*", "?ob@*", "!"+people[1],
			"!*@example.com", "", "carol", "al ice")
		list = append(list, p)
	}
	text := strings.Join(list, ",")
	if strings.Contains(text, " ") || g.IntN(4) == 0 {
		return g.pick(`"`+text+`"`, `"`+text+`"`, text)
	}
	return text
}

func (g *generator) options() string {
	if g.IntN(3) == 0 {
		return ""
	}
	var list []string
	for range 1 + g.IntN(2) {
		list = append(list, g.pick(
			"cert-authority", "CERT-authority", `namespaces="git"`, `Namespaces="file,git"`,
			`namespaces="file"`, `namespaces="g*,!git"`,
			`namespaces=""`, `valid-after="20200101"`, `valid-after="20270101Z"`, `valid-before="20300101Z"`,
			`valid-before="20200101"`,
			`valid-before="20261121034117Z"`, `valid-before="20261121034116Z"`,
			`valid-after="20261121034117Z"`, `valid-after="20261121034118Z"`,
			`valid-before="20300230"`, `valid-before="20301301"`, `valid-before="2030"`, "restrict",
			`namespaces=git`, "", `namespaces="git`,
			`valid-after="202001010000utc"`,
		))
	}
	return strings.Join(list, ",") + g.pick(" ", " ", "\t", "  \t")
}

func (g *generator) line() string {
	if g.IntN(12) == 0 {
		return g.pick("# alice", "", "   ", "alice@example.com", "\t# x", "alice@example.com  ", `"`)
	}
	key := g.keys[g.IntN(len(g.keys))]
	if g.IntN(10) == 0 {
		key = g.pick(key[:len(key)-5], "ssh-rsa "+strings.Fields(key)[1],
			strings.Replace(key, " ", " \t ", 1), "ssh-ed25519")
	}
	return g.pick("", "", "", " ", "\t") + g.principals() + g.pick(" ", " ", "\t", "  ") + g.options() + key +
		g.pick("", "", " a comment", " \"", "\r", " ")
}

func (g *generator) file() string {
	var b strings.Builder
	for range 1 + g.IntN(3) {
		b.WriteString(g.line() + "\n")
	}
	return strings.TrimSuffix(b.String(), g.pick("", "", "\n"))
}

// generated returns two signers, a bare key and one with a certificate, and a generator of files about them.
func generated(tb testing.TB, seed uint64) (*keygen, *generator) {
	tb.Helper()
	authority, bare, inner := newSSH(tb), newSSH(tb), newSSH(tb)
	certified := certify(tb, authority, inner,
		ssh.Certificate{ValidPrincipals: []string{"bob@example.com", "carol"}})
	g := &generator{
		Rand: rand.New(rand.NewPCG(seed, 1)), // the same cases in every run
		keys: []string{
			public(bare), public(bare), public(authority), public(authority), public(inner),
			public(newSSH(tb)),
		},
	}
	k := newKeygen(tb, bare, certified)
	k.mentions = []string{strings.Fields(public(bare))[1], strings.Fields(public(authority))[1]}
	return k, g
}

// Files of allowed signers mean to us what they mean to ssh-keygen.
// SPEC.
func TestAllowedSigners_asKeygen(t *testing.T) {
	t.Parallel()
	for part := range uint64(2) {
		t.Run(fmt.Sprint("part ", part), func(t *testing.T) {
			t.Parallel()
			k, g := generated(t, part)
			good := 0
			for range 40 {
				good += k.compare(t, g.file(), people)
			}
			if good < 5 {
				t.Errorf("%d of 80 verdicts are good: the files test nothing", good)
			}
		})
	}
}

// FuzzAllowedSigners states that a file means to us what it means to ssh-keygen, except that we take fewer
// files. SPEC.
func FuzzAllowedSigners(f *testing.F) {
	k, g := generated(f, 99)
	for range 40 {
		f.Add(strings.NewReplacer(g.keys[0], "KEY", g.keys[2], "AUTHORITY").Replace(g.file()))
	}
	f.Fuzz(func(t *testing.T, file string) {
		file = strings.NewReplacer("KEY", g.keys[0], "AUTHORITY", g.keys[2]).Replace(file)
		if len(file) > 4096 || strings.Contains(file, "\x00") {
			t.Skip()
		}
		one := *k
		one.dir = t.TempDir()
		for i, signer := range one.signers {
			one.write(t, fmt.Sprintf("sig%d", i), sshArmor(t, signer, "git", one.payload))
		}
		one.compare(t, file, nil)
	})
}

// A pattern takes its name in a time that does not explode.
func TestParseAllowedSigners_manyStars(t *testing.T) {
	t.Parallel()
	signer := newSSH(t)
	long := strings.Repeat("a", 2000)
	stars := strings.Repeat("a*", 200) + "b"
	trust := trusting(t, long+",!"+stars+" "+public(signer))
	done := make(chan string, 1)
	go func() {
		got, _ := trust.Verify(parse(t, rawSSH(t, signer)), now)
		done <- string(got.Standing)
	}()
	select {
	case got := <-done:
		if got != "good" {
			t.Errorf("Verify = %q, want good", got)
		}
	case <-time.After(time.Minute):
		t.Fatal("the match does not end")
	}
}
