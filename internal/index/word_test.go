package index_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// Each text is found by each of the queries beside it, and by none of those behind the bar.
func TestIndex_Search_words(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, found, not string }{
		{
			"parseHTTPHeader fails",
			"parseHTTPHeader,parse_http_header,parsehttpheader,parse,http,header,HEADERS,fail,failing",
			"httpheader2",
		},
		{"use snake_case_name", "snake_case_name,snakeCaseName,case", "snack"},
		{"kebab-case-flag", "kebab-case-flag,kebabCaseFlag,flags", "kebap"},
		{
			"see internal/refs/stamp.go:41", "internal/refs/stamp.go,stamp.go,refs/stamp.go,stamp,internal/refs",
			"stump",
		},
		{`C:\Users\ada\main.go`, "main.go,ada", "adam"},
		{"os.path.join", "os.path.join,path.join,join", "joint"},
		{"error[E0308]: mismatched", "E0308,e0308,mismatch,error", "E0309"},
		{"ERR_TOO_MANY_CLIENTS", "ERR_TOO_MANY_CLIENTS,err_too_many_clients,client", "ERRATA"},
		{"SQLSTATE 40001", "40001,sqlstate,SQLSTATE 40001", "4001"},
		{"upgrade to v1.61.1", "v1.61.1,1.61.1", "v1.61.2"},
		{"commit 3f2a9b1c77", "3f2a9b1c77", "3f2a9b1c78"},
		{"sha256 of utf8", "sha256,sha,utf8", "sh512x"},
		{"don't panic", "don't,dont,panic,panics", "donut"},
		{"the user's files", "user,users,user's,file", "us"},
		{"naïve café Ångström", "naive,cafe,angstrom,NAÏVE,CAFÉ", "caff"},
		{"数据库连接超时", "数据库,超时,连接", "天气"},
		{"データベース接続", "データ,接続", "時間"},
		{"Привет мир", "привет,МИР", "мира2"},
		{"C++ and C# and F#", "c++,C#,f#", "d#"},
		{"@scope/package-name", "@scope/package-name,package-name,scope", "scoops"},
		{"https://example.com/a/b?x=1", "example.com,https://example.com/a/b", "organ"},
		{"running tests ran relational", "run,test,tests,relation,relate", "runt"},
		{"10.0.0.1:8080", "10.0.0.1:8080,8080,10.0.0.1", "10.0.0.2"},
	} {
		s := store{}
		s.add(1, nil, "note: "+test.text)
		x, err := index.Memory(t.Context(), []index.Document{s["refs/ltm/packets/"+idFor(1)]})
		if err != nil {
			t.Fatal(err)
		}
		for query := range strings.SplitSeq(test.found, ",") {
			if got := search(t, x, index.Query{Text: query}); len(got) != 1 {
				t.Errorf("%q is not found by %q", test.text, query)
			}
		}
		if got := search(t, x, index.Query{Text: test.not}); len(got) != 0 {
			t.Errorf("%q is found by %q", test.text, test.not)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The evidence tells a good match from a poor one, whatever else the query says: there is one floor for all.
func TestIndex_Search_evidence(t *testing.T) {
	t.Parallel()
	s := store{}
	for n := range 200 {
		s.add(n, nil, fmt.Sprintf("note: the build of part%d", n))
	}
	s.add(900, nil, "note: serialization conflict needs retry in parseHTTPHeader of quasar tachyon")
	x := opened(t, s)
	evidence := func(text string) float64 {
		hits, err := x.Search(t.Context(), index.Query{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 {
			return -1
		}
		return hits[0].Evidence
	}
	for _, test := range []struct {
		query    string
		from, to float64
	}{
		{"serialization conflict", 0.9, 1.1},
		{
			"Hello dear friend, would you be so kind as to build a retry after serialization conflict?", 1.7,
			1.9,
		},
		{"parseHTTPHeader", 1.4, 1.6}, // A name of several parts.
		{"zanzibar serialization xylophone conflict warpdrive jabberwock", 0.9, 1.1},
		{"build", 0, 0.1},
		{"build zanzibar xylophone warpdrive jabberwock", 0, 0.1},
		{"parseHTTPHeader HTTPHeader", 1.4, 1.6}, // The same words twice.
		{"tachyon", 0.7, 0.9},                    // Words of no talk of programs.
		{"quasar tachyon", 1.5, 1.7},
		{"conflict zanzibar xylophone", 0.4, 0.6},
		{"zanzibar", -1, -1},
	} {
		if got := evidence(test.query); got < test.from || got > test.to {
			t.Errorf("the evidence of %q is %.3f, want %v to %v", test.query, got, test.from, test.to)
		}
	}
	hits, err := x.Search(t.Context(), index.Query{Text: "Conflict zanzibar the serialization"})
	if err != nil || len(hits) == 0 {
		t.Fatal(hits, err)
	}
	want := [][]string{{"conflict", "zanzibar", "serialization"}, {"conflict", "serialization"}}
	if diff := cmp.Diff(want, [][]string{hits[0].Asked, hits[0].Matched}); diff != "" {
		t.Errorf("asked and matched (-want +got):\n%s", diff)
	}
}

// The best few of many are the first of all, however many segments and rounds that takes.
func TestIndex_Search_exact(t *testing.T) {
	t.Parallel()
	const all = 2000
	x := open(t, t.TempDir())
	for _, n := range []int{1700, 1950, all} { // Three segments.
		if _, err := x.Sync(t.Context(), stampOf(fmt.Sprint(n)), crowd(n).list, crowd(n).load); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(5, 5))
	for range 8 {
		var words []string
		for range 1 + r.IntN(12) {
			words = append(words, wordOf(uint64(r.IntN(1+r.IntN(400)))))
		}
		q := index.Query{Text: strings.Join(words, " "), Limit: 100 * all}
		if r.IntN(3) == 0 {
			q.Kinds = []string{"goal", "method"}
		}
		want := search(t, x, q)
		full := q
		full.Full = true
		hits, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return !h.Full })
		if got := search(t, x, full); len(got) != len(hits) {
			t.Fatalf("%d items hold all of %q, want %d", len(got), q.Text, len(hits))
		}
		for _, most := range []int{1, 7, 300} {
			q.Limit = most
			if diff := cmp.Diff(want[:min(most, len(want))], search(t, x, q)); diff != "" {
				t.Fatalf("the best %d for %q (-of all +alone):\n%s", most, q.Text, diff)
			}
		}
	}
}

func TestIndex_marks(t *testing.T) {
	t.Parallel()
	s := sample()
	event := func(n int, targets ...string) string {
		ref := "refs/ltm/events/" + idFor(n)
		s[ref] = index.Document{
			Ref: ref, Content: packet.Content{Kind: packet.KindEvent},
			Event: packet.Event{ID: idFor(n), Event: "retract", Targets: targets},
		}
		return ref
	}
	about := event(100, idFor(1))
	undo := event(101, idFor(100), idFor(2))
	event(102, idFor(3))
	x := opened(t, s)
	events, err := x.Events(t.Context(), []string{idFor(1)})
	if diff := cmp.Diff([]string{about, undo}, events); diff != "" || err != nil {
		t.Errorf("Events, %v (-want +got):\n%s", err, diff)
	}
	first := func(list []index.Hit, err error) string {
		if err != nil {
			t.Error(err)
		}
		if len(list) == 0 {
			return ""
		}
		return list[0].ID
	}
	for path, want := range map[string]string{
		"internal/store/retry.go": idFor(1), "./internal/store/": idFor(1), "internal": idFor(1),
		"docs": idFor(1), ".": idFor(1),
		"internal/store/retry": "", "intern": "", "retry.go": "",
	} {
		if got := first(x.ByPath(t.Context(), []string{"nothing", path}, 100)); got != want {
			t.Errorf("ByPath(%q) finds %q, want %q", path, got, want)
		}
	}
	for commit, want := range map[string]string{
		"0123456789abcdef0123456789abcdef01234567": idFor(1), "0123456789ABCDEF": idFor(1), "0123457": "",
		"012": "", "": "",
	} {
		if got := first(x.ByCommit(t.Context(), []string{commit}, 100, 0)); got != want {
			t.Errorf("ByCommit(%q) finds %q, want %q", commit, got, want)
		}
	}
	var all []string
	for hit, err := range x.All(t.Context(), index.Query{Kinds: []string{"goal", "note"}}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, hit.Place)
	}
	if diff := cmp.Diff([]string{"/note/0", "/note/1", "/goal/0", "/goal/0"}, all); diff != "" {
		t.Errorf("All (-want +got):\n%s", diff)
	}
}

// All turns pages without leaving anything out.
func TestIndex_All_pages(t *testing.T) {
	t.Parallel()
	s := many(1000)
	x := opened(t, s)
	var refs []string
	for hit, err := range x.All(t.Context(), index.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(refs) == 0 || refs[len(refs)-1] != hit.Ref {
			refs = append(refs, hit.Ref)
		}
	}
	slices.Reverse(refs)
	want := slices.Sorted(maps.Keys(s))
	if diff := cmp.Diff(want, refs); diff != "" {
		t.Errorf("All (-want +got):\n%s", diff)
	}
}

// A filter that few records pass finds them among many that have the words, however many have to be looked
// at.
func TestIndex_Search_narrow(t *testing.T) {
	t.Parallel()
	s := store{}
	for n := range 1500 {
		s.add(n, func(c *packet.Content) {
			if n%500 == 7 {
				c.Anchor.Branch = "rare"
			}
		}, "note: redis "+strings.Repeat("filler ", n%9))
	}
	got := search(t, opened(t, s), index.Query{Text: "redis", Limit: 5, Filter: index.Filter{Branch: "rare"}})
	slices.Sort(got)
	if diff := cmp.Diff([]string{"1007 /note/0", "507 /note/0", "7 /note/0"}, got); diff != "" {
		t.Errorf("Search of a rare branch (-want +got):\n%s", diff)
	}
}

// What has to hold all the words is found by no part of them, and before what holds most of them more often.
func TestIndex_Search_full(t *testing.T) {
	t.Parallel()
	s := store{}
	for n := range 40 {
		other := [...]string{"lepton", "meson", "quark", "photon", "gluon", "muon", "pion"}[n%7]
		s.add(n, nil, "note: quasar quasar tachyon pulsar "+other)
	}
	s.add(900, nil, "note: the quasar and the tachyon wait for parseHTTPHeader in photon", "note: pulsar")
	x := opened(t, s)
	for query, want := range map[string]int{
		"quasar tachyon parseHTTPHeader photon": 1,
		"quasar parse_http_header":              1,
		"quasar tachyon pion parseHTTPHeader":   0, // No item has both.
		"quasar tachyon pulsar photon":          6,
		"quasar parseHTTPHeader pulsar":         0, // Another item of the record has it.
		"quasar tachyon boson":                  0, // Nothing has it.
		"of the":                                0,
	} {
		if got := search(t, x, index.Query{Text: query, Full: true}); len(got) != want {
			t.Errorf("%q is held by %q, want %d", query, got, want)
		}
	}
}

// Of so many segments that one says which words are rare, each item is found by all of its words, and no item by
// those of two.
func TestIndex_Search_fullOfMany(t *testing.T) {
	t.Parallel()
	const records = 5 * 8192
	s, texts := store{}, make([]string, records)
	for n := range texts {
		texts[n] = fmt.Sprint("common ", wordOf(uint64(n%40)), " ", wordOf(uint64(40+n/40)))
		s.add(n, nil, "note: "+texts[n])
	}
	x := opened(t, s)
	for n := 1; n < records; n += 8191 {
		got := search(t, x, index.Query{Text: texts[n], Full: true})
		if want := fmt.Sprintf("%d /note/0", n); !slices.Contains(got, want) {
			t.Errorf("%q is held by %q, want %q among them", texts[n], got, want)
		}
		both := texts[n] + " " + texts[(n+8191)%records]
		if got := search(t, x, index.Query{Text: both, Full: true}); len(got) > 0 {
			t.Errorf("%q is held by %q, want none", both, got)
		}
	}
}
