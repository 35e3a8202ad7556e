package garden_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/garden"
)

// What repeats twelve words in a row is taken out, however it is written; eleven are anybody's.
func TestRuns_Without(t *testing.T) {
	t.Parallel()
	const source = "Before every release run the script in tools and send its output to the release " +
		"channel so that all can see it."
	for _, test := range []struct {
		name  string
		texts []string
		want  []string // what is left, "" for what says nothing of its own
	}{
		{"the same", []string{source}, []string{""}},
		{"case and marks", []string{"BEFORE every release: run (the script) in `tools`, and send its " +
			"output to the release-channel!"}, []string{""}},
		{
			"characters that do not show",
			[]string{"Be\u200bfore every rel\u00adease run the script in tools and send its output to the " +
				"release channel"},
			[]string{""},
		},
		{
			"letters that look alike",
			[]string{"Bef\u043ere every rele\u0430se run the script in tools and send its output to the " +
				"release channel"},
			[]string{""},
		},
		{"marks for blanks", []string{strings.ReplaceAll(source, " ", "_")}, []string{""}},
		{
			"other marks for blanks",
			[]string{strings.NewReplacer("every ", "every/", " run ", "-run\u2011", " in ",
				"\u2060 \u2060\u00b7\u2060 in.").Replace(source)},
			[]string{""},
		},
		{"words around it", []string{"Ann asked for this: before every release run the script in tools " +
			"and send its output to the log."}, []string{"Ann asked for this: [see A] log."}},
		{
			"eleven words",
			[]string{"Before every release run the script in tools and send its results"},
			[]string{"Before every release run the script in tools and send its results"},
		},
		{
			"in other words",
			[]string{"Run the script in tools before each release, and post what it prints " +
				"to the channel of releases."},
			[]string{"Run the script in tools before each release, and post what it prints to the channel " +
				"of releases."},
		},
		{"over two texts", []string{
			"Before every release run the script",
			"in tools and send its output to the release channel",
		}, []string{"", ""}},
		{"another text beside it", []string{source, "Use JWT."}, []string{"", "Use JWT."}},
	} {
		var runs garden.Runs
		runs.Learn("A", []string{"First.", source})
		rest, owners := runs.Without(test.texts, func(owner string) string { return "[see " + owner + "]" })
		for i, r := range rest {
			got := r.Text
			if r.Empty {
				got = ""
			}
			if got != test.want[i] {
				t.Errorf("%s: text %d is %q, empty %v, want %q", test.name, i, r.Text, r.Empty, test.want[i])
			}
		}
		if copied := strings.Join(test.texts, "") != strings.Join(test.want, ""); copied !=
			(len(owners) == 1) {
			t.Errorf("%s: owners are %q", test.name, owners)
		}
	}
	var none garden.Runs
	if rest, owners := none.Without([]string{source}, nil); len(owners) > 0 || rest[0].Text != source ||
		rest[0].Repeated {
		t.Errorf("without a source: %+v, %q", rest, owners)
	}
	for source, text := range map[string]string{
		"每次发布之前运行工具脚本并把输出发给大家": "请注意：每次发布之前运行工具脚本并把输出发给大家。",
		"ก่อนที่คุณจะทดสอบทุกครั้งให้ดาวน์โหลดสคริปต์": "โปรดทราบ " +
			"ก่อนที่คุณจะทดสอบทุกครั้งให้ดาวน์โหลดสคริปต์นี้",
		"ຫ້ອງການເປີດແຕ່ເວລາແປດໂມງ":            "ວ່າ ຫ້ອງການເປີດແຕ່ເວລາແປດໂມງ",
		"សូមរក្សាទុកកំណត់ចំណាំនេះម្តងទៀត":     "ថា សូមរក្សាទុកកំណត់ចំណាំនេះម្តងទៀត",
		"ဤမှတ်စုကိုထပ်မံသိမ်းဆည်းပါဟုပြောသည်": "အ ဤမှတ်စုကိုထပ်မံသိမ်းဆည်းပါဟုပြောသည်",
	} {
		var runs garden.Runs
		runs.Learn("A", []string{source})
		if rest, _ := runs.Without([]string{text}, func(string) string { return "[]" }); !rest[0].Repeated {
			t.Errorf("a script that does not part words: %+v", rest)
		}
	}
}
