package hook_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/hook"
)

const (
	record = "refs/ltm/packets/01JDMB4W1YNJZQR7K8F3A2H5P9"
	draft  = "refs/ltm-local/drafts/a"
)

var (
	none   = strings.Repeat("0", 40)
	first  = strings.Repeat("1", 40)
	second = strings.Repeat("2", 40)
	long   = strings.Repeat("3", 64)
)

// TestName_Read tells what of a push is judged.
// SPEC.
func TestName_Read(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		hook  hook.Name
		input string
		want  []check.Offer
		err   bool
	}{
		{"nothing", hook.PrePush, "", nil, false},
		{"a branch", hook.PrePush, "refs/heads/a " + first + " refs/heads/a " + none + "\n", nil, false},
		{
			"a record", hook.PrePush, record + " " + first + " " + record + " " + none + "\n",
			[]check.Offer{{Ref: record, From: record, OID: first}},
			false,
		},
		{
			"no line break at the end", hook.PrePush, record + " " + first + " " + record + " " + none,
			[]check.Offer{{Ref: record, From: record, OID: first}},
			false,
		},
		{
			"empty lines", hook.PrePush, "\n" + record + " " + long + " " + record + " " + long + "\n\n",
			[]check.Offer{{Ref: record, From: record, OID: long, Was: long}},
			false,
		},
		{
			"a record to a branch", hook.PrePush, record + " " + first + " refs/heads/a " + second + "\n",
			[]check.Offer{{Ref: "refs/heads/a", From: record, OID: first, Was: second}},
			false,
		},
		{
			"a branch to a record", hook.PrePush, "HEAD~ " + first + " " + record + " " + none + "\n",
			[]check.Offer{{Ref: record, From: "HEAD~", OID: first}},
			false,
		},
		{
			"words to a record", hook.PrePush, "HEAD^{/a b} " + first + " " + record + " " + none + "\n",
			[]check.Offer{{Ref: record, From: "HEAD^{/a b}", OID: first}},
			false,
		},
		{
			"a draft", hook.PrePush, draft + " " + first + " refs/heads/a " + none + "\n",
			[]check.Offer{{Ref: "refs/heads/a", From: draft, OID: first}},
			false,
		},
		{"a deletion", hook.PrePush, "(delete) " + none + " " + record + " " + first + "\n", nil, false},
		{
			"the folder of records", hook.PrePush, "HEAD " + first + " refs/ltm " + none + "\n",
			[]check.Offer{{Ref: "refs/ltm", From: "HEAD", OID: first}},
			false,
		},
		{
			"other letters", hook.PrePush, "HEAD " + first + " refs/LTM/x " + none + "\n",
			[]check.Offer{{Ref: "refs/LTM/x", From: "HEAD", OID: first}},
			false,
		},
		{
			"a name that only begins so", hook.PrePush, "HEAD " + first + " refs/ltmx " + none + "\n", nil,
			false,
		},
		{
			"drafts in other letters", hook.PrePush, "HEAD " + first + " refs/LTM-Local/x " + none + "\n",
			[]check.Offer{{Ref: "refs/LTM-Local/x", From: "HEAD", OID: first}},
			false,
		},
		{"a neighbour", hook.PrePush, "HEAD " + first + " refs/ltm-backup/x " + none + "\n", nil, false},
		{"three fields", hook.PrePush, first + " " + record + " " + none + "\n", nil, true},
		{"two blanks", hook.PrePush, "HEAD " + first + "  " + none + "\n", nil, true},
		{"no local name", hook.PrePush, " " + first + " " + record + " " + none + "\n", nil, true},
		{"no ref", hook.PrePush, "HEAD " + first + " main " + none + "\n", nil, true},
		{"no object", hook.PrePush, "HEAD main refs/heads/a " + none + "\n", nil, true},
		{"a short object", hook.PrePush, "HEAD " + first[1:] + " refs/heads/a " + none + "\n", nil, true},
		{
			"an object in capitals", hook.PrePush,
			"HEAD " + strings.Repeat("A", 40) + " refs/heads/a " + none + "\n", nil, true,
		},
		{"a line of Windows", hook.PrePush, "HEAD " + first + " refs/heads/a " + none + "\r\n", nil, true},
		{"an endless line", hook.PrePush, strings.Repeat("a", 1<<17), nil, true},
		{
			"arrives", hook.PreReceive, first + " " + second + " " + record + "\n",
			[]check.Offer{{Ref: record, OID: second, Was: first}},
			false,
		},
		{
			"arrives for the first time", hook.PreReceive, none + " " + second + " " + record + "\n",
			[]check.Offer{{Ref: record, OID: second}},
			false,
		},
		{"a branch arrives", hook.PreReceive, first + " " + second + " refs/heads/a\n", nil, false},
		{"is deleted there", hook.PreReceive, first + " " + none + " " + record + "\n", nil, false},
		{"four fields arrive", hook.PreReceive, first + " " + second + " " + record + " x\n", nil, true},
		{
			"a line of the other hook", hook.PreReceive, record + " " + first + " " + record + " " + none + "\n",
			nil, true,
		},
		{"the other hook's line", hook.PrePush, first + " " + second + " " + record + "\n", nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := test.hook.Read(iotest.OneByteReader(strings.NewReader(test.input)))
			if (err != nil) != test.err {
				t.Fatalf("Read(%.80q) = %v, want an error: %v", test.input, err, test.err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Read(%.80q) (-want +got):\n%s", test.input, diff)
			}
		})
	}
}

// TestName_Read_many shows that the number of refs is bounded.
func TestName_Read_many(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		count int
		err   bool
	}{{1 << 17, false}, {1<<17 + 1, true}} {
		input := strings.Repeat(none+" "+first+" "+record+"\n", test.count)
		got, err := hook.PreReceive.Read(strings.NewReader(input))
		if (err != nil) != test.err || !test.err && len(got) != test.count {
			t.Errorf("Read of %d refs = %d, %v, want an error: %v", test.count, len(got), err, test.err)
		}
	}
}

// TestName_Read_broken shows that input which breaks off is no push that passes.
func TestName_Read_broken(t *testing.T) {
	t.Parallel()
	if _, err := hook.PrePush.Read(iotest.ErrReader(errors.New("gone"))); err == nil {
		t.Error("Read of a broken pipe = nil, want an error")
	}
}

// FuzzName_Read holds that a record which is sent is always judged, whatever else is pushed beside it.
func FuzzName_Read(f *testing.F) {
	f.Add("refs/heads/a " + first + " refs/heads/a " + none)
	f.Add("HEAD^{/ " + first + " " + record)
	f.Add("")
	f.Fuzz(func(t *testing.T, beside string) {
		line := record + " " + first + " " + record + " " + none + "\n"
		for _, input := range []string{line + beside, beside + "\n" + line} {
			offers, err := hook.PrePush.Read(strings.NewReader(input))
			if err != nil {
				continue
			}
			found := false
			for _, o := range offers {
				found = found || o == check.Offer{Ref: record, From: record, OID: first}
			}
			if !found {
				t.Fatalf("Read(%q) = %v, without the record", input, offers)
			}
		}
	})
}
