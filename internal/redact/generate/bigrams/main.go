// Command bigrams makes the table by which the scanner tells what a machine made from what a person named:
//
//	go run ./bigrams DIRECTORY... >../rules/bigrams.txt
//
// For each pair of characters it takes the logarithm of how much likelier the pair is in secrets, which are
// made here, than in the words of the source files and texts below the directories. Every kind of file weighs
// the same. Half of the files are learned from; of the other half it says on standard error which part of its
// words is taken for secrets at some thresholds, beside the part of secrets that is missed.
package main

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	signs   = "_-./:+="           // As the scanner has them.
	symbols = 26 + 26 + 1 + 7 + 1 // Small letters, capitals, a digit, the signs, all else.
	zero    = 'P'                 // The byte of the table that stands for as likely in both.
	scale   = 5                   // Steps of the table for each unit of the logarithm.
	words   = 6000                // Of a kind of file, at most.
	rare    = 2e-6                // Added to the share of each pair.
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

type table [symbols][symbols]float64

func symbolOf(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return int(c - 'a')
	case 'A' <= c && c <= 'Z':
		return 26 + int(c-'A')
	case '0' <= c && c <= '9':
		return 52
	}
	if i := strings.IndexByte(signs, c); i >= 0 {
		return 53 + i
	}
	return symbols - 1
}

// addShares adds to t which share of the pairs in some texts each pair is.
func (t *table) addShares(texts []string, weight float64) {
	pairs := 0
	for _, s := range texts {
		pairs += len(s) - 1
	}
	for _, s := range texts {
		for i := 1; i < len(s); i++ {
			t[symbolOf(s[i-1])][symbolOf(s[i])] += weight / float64(pairs)
		}
	}
}

// meanScore is the mean of the pairs of s, as the scanner has it.
func (t *table) meanScore(s string) float64 {
	sum := 0.0
	for i := 1; i < len(s); i++ {
		sum += t[symbolOf(s[i-1])][symbolOf(s[i])]
	}
	return sum / float64(len(s)-1)
}

var (
	word   = regexp.MustCompile(`[A-Za-z0-9_][A-Za-z0-9_./:+=-]{6,47}`)
	part   = regexp.MustCompile(`[A-Za-z0-9]+`)
	hex    = regexp.MustCompile(`^[0-9a-fA-F]{8,}$`)
	letter = regexp.MustCompile(`[a-zA-Z]{3}`)
	turn   = regexp.MustCompile(`[0-9][A-Za-z]|[A-Za-z][0-9]`)
	number = regexp.MustCompile(`[0-9]`)
)

// isOpaque tells whether a word of a text may be what we look for, so that nothing is learned from it.
func isOpaque(s string) bool {
	for _, p := range part.FindAllString(s, -1) {
		turns := len(turn.FindAllString(p, -1))
		if hex.MatchString(p) && number.MatchString(p) || turns >= 4 ||
			len(p) >= 16 && turns >= 2 && strings.ToLower(p) != p && strings.ToUpper(p) != p {
			return true
		}
	}
	return strings.Contains(s, "=") || 3*len(number.FindAllString(s, -1)) > len(s) || !letter.MatchString(s)
}

// inOrder puts texts in an order that is the same in each run and says nothing.
func inOrder(texts map[string]bool) []string {
	all := make([]string, 0, len(texts))
	for s := range texts {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b string) int { return int(hashText(a)) - int(hashText(b)) })
	return all[:min(len(all), words)]
}

func hashText(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}

// readWords collects the words below a directory by kind of file, those of half of the files apart.
func readWords(directory string, learned, tried map[string]map[string]bool) error {
	return filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
		kind := filepath.Ext(path)
		if err != nil || !d.Type().IsRegular() ||
			!slices.Contains([]string{".go", ".md", ".py", ".js", ".css", ".h", ".json", ""}, kind) {
			return err
		}
		into := learned
		if hashText(path)%2 == 1 {
			into = tried
		}
		if into[kind] == nil {
			into[kind] = map[string]bool{}
		}
		data, err := os.ReadFile(path)
		if len(into[kind]) > 40*words || strings.ContainsRune(string(data), 0) {
			return err
		}
		for _, s := range word.FindAllString(string(data), -1) {
			if s = strings.Trim(s, ".:-/=+"); len(s) > 6 && !isOpaque(s) {
				into[kind][s] = true
			}
		}
		return err
	})
}

// makeSecret makes one of n characters.
func makeSecret(random *rand.Rand, n int) string {
	alphabets := []string{
		lower + upper + digits, lower + upper + digits, lower + upper + digits + "_-",
		lower + upper + digits + "+/", lower + digits, upper + digits, lower + upper,
	}
	alphabet := alphabets[random.IntN(len(alphabets))]
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(b)
}

func main() {
	learned, tried := map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, directory := range os.Args[1:] {
		if err := readWords(directory, learned, tried); err != nil {
			fmt.Fprintln(os.Stderr, "bigrams:", err)
			os.Exit(1)
		}
	}
	random := rand.New(rand.NewPCG(7, 11))
	var secrets []string
	for range 20_000 {
		secrets = append(secrets, makeSecret(random, []int{10, 12, 16, 20, 24, 32, 40}[random.IntN(7)]))
	}
	var named, made, ratio table
	made.addShares(secrets, 1)
	for _, texts := range learned {
		named.addShares(inOrder(texts), 1/float64(len(learned)))
	}
	for a := range symbols {
		for b := range symbols {
			step := math.Round(scale * (math.Log(made[a][b]+rare) - math.Log(named[a][b]+rare)))
			ratio[a][b] = max(-40, min(40, step)) / scale
			fmt.Printf("%c", zero+int(scale*ratio[a][b]))
		}
		fmt.Println()
	}
	for _, threshold := range []float64{0, 0.2, 0.4, 0.6, 1, 1.5} {
		fmt.Fprintf(os.Stderr, "above %.1f:", threshold)
		for kind, texts := range tried {
			above := 0
			for _, s := range inOrder(texts) {
				if ratio.meanScore(s) >= threshold {
					above++
				}
			}
			fmt.Fprintf(os.Stderr, " %q %.2f %%", kind, 100*float64(above)/float64(min(len(texts), words)))
		}
		for _, n := range []int{8, 12, 16, 24} {
			missed := 0
			for range 5000 {
				if ratio.meanScore(makeSecret(random, n)) < threshold {
					missed++
				}
			}
			fmt.Fprintf(os.Stderr, ", %d characters missed %.2f %%", n, float64(missed)/50)
		}
		fmt.Fprintln(os.Stderr)
	}
}
