package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// The size of a soak. LTM_SOAK asks for minutes, in which sixteen processes run; without it a few run for
// seconds.
const (
	soakWorkers = 16
	soakSeconds = 1
	soakFew     = 4
)

// TestSoak runs many processes at once in three clones of one remote: they store, change, purge, compact,
// exchange and read, a quarter of them is killed with signal 9, and git collects garbage and packs refs
// beside them. For a tenth of the time the disk of one clone is full. In the end no record that was
// acknowledged is lost, none that was purged is back, git finds all four repositories whole, and all clones
// hold the same. SPEC.
func TestSoak(t *testing.T) {
	t.Parallel()
	lasts, workers := soakSeconds*time.Second, soakFew
	if minutes := numberOf(t, "LTM_SOAK", 0); minutes > 0 {
		lasts, workers = time.Duration(minutes)*time.Minute, soakWorkers
	}
	s := newSoak(t)
	s.run(t, lasts, workers)
	s.end(t)
}

// soaking is three clones of a remote, and what was acknowledged in them.
type soaking struct {
	dir, bin string
	env      []string
	began    time.Time
	disk     *smallDisk // of the third clone; nil where none can be mounted

	mu       sync.Mutex
	acked    map[string]int // the clone in which a record was acknowledged
	tasks    []string
	purged   map[string]bool
	unsure   int            // purges that were killed before they said that they had purged
	ran      map[string]int // commands by their verb
	killed   map[string]int
	exits    map[string]int // exits that are no success, of commands that nobody killed, by verb and code
	says     map[string]string
	onFull   map[string]int // commands that ended while the disk was full, by verb and exit
	largest  int64          // the most memory of a command, in KB
	problems []string
}

// soakClones are the clones.
func soakClones() []string { return []string{"laptop", "desktop", "server"} }

func newSoak(t *testing.T) *soaking {
	t.Helper()
	s := &soaking{
		dir: t.TempDir(), bin: program(t), env: gittest.Env(t), acked: map[string]int{},
		purged: map[string]bool{}, ran: map[string]int{},
		killed: map[string]int{}, exits: map[string]int{}, says: map[string]string{},
		onFull: map[string]int{},
	}
	if os.Getenv("LTM_SOAK") != "" {
		s.disk = mountSmall(t, filepath.Join(s.dir, "server"))
	}
	s.git(t, ".", "init", "-q", "--bare", "remote.git")
	for _, name := range soakClones() {
		s.git(t, ".", "clone", "-q", "remote.git", name)
		s.git(t, name, "commit", "-q", "--allow-empty", "-m", "start of "+name)
	}
	return s
}

// git runs git where it must succeed.
func (s *soaking) git(t *testing.T, in string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = filepath.Join(s.dir, in), s.env
	var diag strings.Builder
	cmd.Stderr = &diag
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("git %v in %s: %v\n%s%s", args, in, err, out, diag.String())
	}
	return string(out)
}

// run lets the workers work until the time is over.
func (s *soaking) run(t *testing.T, lasts time.Duration, workers int) {
	t.Helper()
	s.began = time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), lasts)
	defer cancel()
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), uint64(i)))
			for ctx.Err() == nil {
				s.command(t, random, i%len(soakClones()))
			}
		})
	}
	all.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			s.tend(n)
		}
	})
	if s.disk != nil {
		s.fill(ctx, t, lasts)
	}
	all.Wait()
}

// fill fills the disk of a clone for a tenth of the time, in its middle.
func (s *soaking) fill(ctx context.Context, t *testing.T, lasts time.Duration) {
	t.Helper()
	wait := func(d time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(d):
		}
	}
	wait(lasts * 4 / 10)
	if err := s.disk.fill(); err != nil {
		t.Errorf("fill the disk: %v", err)
	}
	wait(lasts / 10)
	if err := s.disk.free(); err != nil {
		t.Errorf("free the disk: %v", err)
	}
}

// tend is what git does beside the workers, and what somebody does who comes back after an hour: a lock that
// a process left behind is taken away on the remote, and grows old in a clone.
func (s *soaking) tend(n int) {
	places := []string{"laptop/.git", "desktop/.git", "server/.git", "remote.git"}
	place := filepath.Join(s.dir, places[n%len(places)])
	args := [][]string{{"gc", "-q", "--prune=now"}, {"pack-refs", "--all"}}[n/len(places)%2]
	if place == filepath.Join(s.dir, "remote.git") && args[0] == "gc" {
		// With --prune=now, git itself loses what a push brings at that moment, as 'git help gc' says.
		args = args[:2]
	}
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = place, s.env
	_ = cmd.Run() // It fails beside a lock, or where the disk is full.
	for _, name := range places {
		then := time.Now().Add(-2 * time.Hour)
		_ = locks(filepath.Join(s.dir, name), func(path string) error {
			info, err := os.Stat(path)
			if err != nil || time.Since(info.ModTime()) < leftBehind {
				return err
			}
			if name == "remote.git" {
				return os.Remove(path)
			}
			return os.Chtimes(path, then, then)
		})
	}
}

// leftBehind is the age of a lock that no process holds any more.
const leftBehind = 20 * time.Second

// pick chooses a command for a clone.
func (s *soaking) pick(random *rand.Rand, clone int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch random.IntN(20) {
	case 0, 1, 2:
		return []string{"save", "--goal", "soaked", "--next", "go on"}
	case 3, 4, 5:
		return []string{"note", "soaked"}
	case 6:
		return []string{"skip", "add", "soaked", "--why", "it hangs", "--until", "3d"}
	case 7:
		return []string{"task", "add", "soaked", "--next", "begin"}
	case 8:
		if len(s.tasks) > 0 {
			return []string{
				"task", "set", s.tasks[random.IntN(len(s.tasks))], "--next", "go on",
				"--priority", "7",
			}
		}
		return []string{"task", "ls"}
	case 9:
		var own []string
		for id, in := range s.acked {
			if in == clone {
				own = append(own, id)
			}
		}
		if len(own) == 0 {
			return []string{"ls"}
		}
		slices.Sort(own)
		id := own[random.IntN(len(own))]
		delete(s.acked, id) // From now on nobody promises anything about it.
		s.tasks = slices.DeleteFunc(s.tasks, func(task string) bool { return task == id })
		return []string{"purge", id, "--yes"}
	case 10, 11, 12, 13:
		return []string{"sync"}
	case 14:
		return []string{"pull"}
	case 15:
		return []string{"compact", "--older-than", "0d", "--keep", "5"}
	case 16:
		return []string{"context"}
	case 17:
		return []string{"recall", "soaked"}
	case 18:
		return []string{"skip", "check", "--command", "make soak"}
	default:
		return []string{"ls", "--kind", "all"}
	}
}

// readers are the commands that answer also where nothing can be written; 7 says that nothing is known.
func readers() []string { return []string{"context", "recall", "skip check", "ls", "task ls"} }

// verb is what a command line is counted as.
func verb(args []string) string {
	if args[0] == "skip" || args[0] == "task" {
		return args[0] + " " + args[1]
	}
	return args[0]
}

// command runs one command in a clone, and kills a quarter of those that write.
func (s *soaking) command(t *testing.T, random *rand.Rand, clone int) {
	t.Helper()
	args := s.pick(random, clone)
	name := verb(args)
	cmd := exec.Command(s.bin, args...)
	cmd.Dir, cmd.Env = filepath.Join(s.dir, soakClones()[clone]), s.env
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	family(cmd)
	onDisk := s.disk != nil && clone == len(soakClones())-1
	full := onDisk && s.disk.isFull()
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return
	}
	if !slices.Contains(readers(), name) && random.IntN(4) == 0 {
		timer := time.AfterFunc(time.Duration(random.IntN(300))*time.Millisecond, func() { killFamily(cmd) })
		defer timer.Stop()
	}
	err := cmd.Wait()
	full = full && s.disk.isFull()
	s.ended(args, name, clone, full, out.String(), diag.String(), err)
	s.mu.Lock()
	s.largest = max(s.largest, memoryOf(cmd.ProcessState))
	s.mu.Unlock()
}

// ended notes how a command ended, and what it acknowledged.
func (s *soaking) ended(args []string, name string, clone int, full bool, out, diag string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran[name]++
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if id, ok := strings.CutPrefix(line, "purged "); ok && name == "purge" {
			s.purged[id] = true
		} else if stores(args) && len(line) == 26 {
			s.acked[line] = clone
			if name == "task add" {
				s.tasks = append(s.tasks, line)
			}
		}
	}
	if name == "purge" && !s.purged[args[1]] {
		s.unsure++
	}
	exit, failed := errors.AsType[*exec.ExitError](err)
	if failed && !exit.Exited() {
		s.killed[name]++
		return
	}
	code := 0
	if failed {
		code = exit.ExitCode()
	}
	if full {
		s.onFull[fmt.Sprintf("%s: %d", name, code)]++
		if slices.Contains(readers(), name) && code != 0 && code != 7 {
			s.problems = append(s.problems,
				fmt.Sprintf("%s ends with %d on a full disk: %s", name, code, diag))
		}
		return
	}
	if code != 0 {
		key := fmt.Sprintf("%s: %d", name, code)
		s.exits[key]++
		s.says[key] = lastError(diag)
	}
}

// lastError is the line of an error.
func lastError(diag string) string {
	lines := strings.Split(strings.TrimSpace(diag), "\n")
	for _, line := range lines {
		if strings.HasPrefix(line, "git-ltm: error: ") {
			return line
		}
	}
	return lines[len(lines)-1]
}

// end lets all clones exchange what they hold, and checks them.
func (s *soaking) end(t *testing.T) {
	t.Helper()
	then := time.Since(s.began)
	for _, name := range soakClones() {
		if err := oldLocks(filepath.Join(s.dir, name, ".git")); err != nil {
			t.Error(err)
		}
	}
	if err := noLocks(filepath.Join(s.dir, "remote.git")); err != nil {
		t.Error(err)
	}
	for range 3 {
		for _, name := range soakClones() {
			if out, err := s.ltm(t, name, "sync"); err != nil {
				t.Logf("sync of %s: %v\n%s", name, err, out)
			}
		}
	}
	lists, lost, back := map[string][]string{}, []string{}, []string{}
	for _, name := range soakClones() {
		if out, err := s.ltm(t, name, "sync"); err != nil {
			t.Errorf("the last sync of %s: %v\n%s", name, err, out)
		}
		out, err := s.ltm(t, name, "ls", "--kind", "all", "--all", "--limit", "0", "--format", "%(id)")
		if err != nil {
			t.Errorf("ls in %s: %v\n%s", name, err, out)
		}
		for word := range strings.FieldsSeq(out) {
			if len(word) == 26 {
				lists[name] = append(lists[name], word)
			}
		}
		for id := range s.acked {
			if !slices.Contains(lists[name], id) {
				lost = append(lost, id+" of "+soakClones()[s.acked[id]]+" in "+name)
			}
		}
		for id := range s.purged {
			if slices.Contains(lists[name], id) {
				back = append(back, id+" in "+name)
			}
		}
		if diff := len(lists[name]) - len(lists[soakClones()[0]]); diff != 0 {
			t.Errorf("%s holds %d records more than %s", name, diff, soakClones()[0])
		}
	}
	whole := 0
	for _, name := range append(soakClones(), "remote.git") {
		if out := s.git(t, name, "fsck", "--strict", "--no-dangling", "--no-progress"); out != "" {
			t.Errorf("git fsck in %s:\n%s", name, out)
		} else {
			whole++
		}
	}
	if len(lost)+len(back) > 0 {
		t.Errorf("lost: %q\nback: %q", lost, back)
	}
	for i, problem := range s.problems {
		if i == 5 {
			t.Errorf("and %d more", len(s.problems)-i)
			break
		}
		t.Error(problem)
	}
	t.Log(s.figures(then, len(lost), len(back), whole, len(lists[soakClones()[0]])))
}

func (s *soaking) ltm(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), s.bin, args...)
	cmd.Dir, cmd.Env = filepath.Join(s.dir, in), s.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// figures is the block that stands at the end.
func (s *soaking) figures(lasted time.Duration, lost, back, whole, records int) string {
	disk := "no small disk was mounted: that takes the super-user, Linux and LTM_SOAK, so the full disk " +
		"was left out"
	if s.disk != nil {
		disk = "commands by exit: " + counted(s.onFull)
	}
	var b strings.Builder
	for _, line := range [][2]string{
		{"lasted", lasted.Round(time.Second).String()},
		{"commands", fmt.Sprint(sum(s.ran), ": ", counted(s.ran))},
		{"killed", fmt.Sprint(sum(s.killed), ": ", counted(s.killed))},
		{"other exits", counted(s.exits)},
		{"full disk", disk},
		{"acknowledged", fmt.Sprint(len(s.acked), " records, and ", len(s.purged), " purged, ", s.unsure,
			" purges without a word")},
		{"records", fmt.Sprint(records, " in each clone")},
		{"most memory", fmt.Sprintf("%d MB", s.largest>>10)},
		{"lost", fmt.Sprint(lost)},
		{"resurrected", fmt.Sprint(back)},
		{"fsck clean", fmt.Sprintf("%d of 4", whole)},
	} {
		fmt.Fprintf(&b, "\n%-13s %s", line[0]+":", line[1])
	}
	for _, key := range slices.Sorted(maps.Keys(s.says)) {
		fmt.Fprintf(&b, "\n  %s says %q", key, s.says[key])
	}
	return b.String()
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func counted(counts map[string]int) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s %d", key, counts[key]))
	}
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}
