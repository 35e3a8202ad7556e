package git

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestWatch_follow(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		signs []time.Duration // when something comes
		ends  time.Duration
		want  []time.Duration // when the watch says so
	}{
		{"quick", nil, time.Second, nil},
		{"silent", nil, 200 * time.Second, []time.Duration{2 * time.Second, 60 * time.Second}},
		{
			"slow and alive",
			[]time.Duration{1 * time.Second, 2 * time.Second, 3 * time.Second},
			4 * time.Second, nil,
		},
		{
			"silent later",
			[]time.Duration{30 * time.Second},
			95 * time.Second,
			[]time.Duration{2 * time.Second, 32 * time.Second, 90 * time.Second},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var got []time.Duration
				watch := &Watch{
					Ages:   []time.Duration{2 * time.Second, 60 * time.Second},
					Silent: func(time.Duration) { got = append(got, time.Since(began)) },
				}
				came, end := watch.beginWatch()
				for _, sign := range append(tc.signs, tc.ends) {
					time.Sleep(time.Until(began.Add(sign))) // In a bubble of synctest nobody waits for it.
					if sign != tc.ends {
						_, _ = came.Write([]byte("x"))
					}
				}
				end()
				if !slices.Equal(got, tc.want) {
					t.Errorf("signs at %v, end at %v: it was said at %v, want %v", tc.signs, tc.ends, got,
						tc.want)
				}
			})
		})
	}
}

func TestWithoutProgress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "",
		"remote: Enumerating objects: 5, done.\x1b[K\nremote: Counting objects:  20% (1/5)\rremote: Counting objects: 100% (5/5), done.\x1b[K\n" +
			"remote: Total 5 (delta 0), reused 0 (delta 0), pack-reused 0\nfatal: early EOF": "fatal: early EOF",
		"Receiving objects:  25% (1/4)\rfatal: the remote end hung up":                             "fatal: the remote end hung up",
		"Permission denied (publickey).\r\nfatal: Could not read":                                  "Permission denied (publickey).\nfatal: Could not read",
		"From /x/y\n * [new ref] refs/a -> refs/b\n ! [new ref] refs/c -> refs/d  (unable)\nerror": "! [new ref] refs/c -> refs/d  (unable)\nerror",
		"remote: done. The hook says: 3 problems":                                                  "remote: done. The hook says: 3 problems",
	} {
		if got := withoutProgress(text); got != want {
			t.Errorf("withoutProgress(%q) is %q, want %q", text, got, want)
		}
	}
}
