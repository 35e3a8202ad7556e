package refs_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// childVariable makes the test program a process that saves records.
const childVariable = "LTM_TEST_CHILD"

// The ways in which a child saves.
const (
	heals    = "heals"
	saveOnly = "save-only"
	compacts = "compacts"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	if err := saveAsChild(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// saveAsChild saves the records from args[1] on, args[2] of them, in the repository args[0]. Each is
// acknowledged by a line with its number.
func saveAsChild(ctx context.Context, args []string) error {
	first, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	for n := first; n < first+count; n++ {
		if os.Getenv(childVariable) == compacts {
			if err := compactOnce(ctx, args[0]); err != nil {
				fmt.Fprintln(os.Stderr, err)
			} else {
				fmt.Println(n)
			}
			continue
		}
		if err := saveOnce(ctx, args[0], n); err != nil {
			fmt.Fprintln(os.Stderr, n, err)
			continue
		}
		fmt.Println(n)
	}
	return nil
}

// saveOnce is one command. It heals first, as commands do, unless the test wants to see what is left without
// that.
func saveOnce(ctx context.Context, dir string, n int) (err error) {
	repo, err := git.Open(ctx, dir, os.Environ())
	if err != nil {
		return err
	}
	store := refs.Open(repo)
	defer func() { err = errors.Join(err, store.Close()) }()
	if os.Getenv(childVariable) == heals {
		if _, err := store.Heal(ctx); err != nil {
			return err
		}
	}
	rec := refs.New{Name: name(n), Data: fmt.Appendf(nil, "{\"child\": %d}\n", n)}
	if n%3 == 0 {
		rec.Tag = tagFor(n)
	}
	_, err = store.Create(ctx, []refs.New{rec})
	return err
}

// compactOnce is a command that moves every record which is a ref into the archive.
func compactOnce(ctx context.Context, dir string) (err error) {
	repo, err := git.Open(ctx, dir, os.Environ())
	if err != nil {
		return err
	}
	store := refs.Open(repo)
	defer func() { err = errors.Join(err, store.Close()) }()
	if _, err := store.Heal(ctx); err != nil {
		return err
	}
	var records []refs.Ref
	for ref, err := range store.List(ctx, refs.Query{Kind: refs.Packets}) {
		if err != nil {
			return err
		}
		records = append(records, ref)
	}
	later, err := store.Endorsements(ctx, "")
	if err != nil {
		return err
	}
	_, err = store.Archives.Compact(ctx, slices.Concat(records, later))
	return err
}

// child prepares a process that saves in one of the ways.
func child(t *testing.T, r *gittest.Repository, way string, first, count int) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, r.Dir, strconv.Itoa(first), strconv.Itoa(count))
	cmd.Env = append(append([]string{}, r.Env...), childVariable+"="+way)
	return cmd
}

// acknowledged reads the numbers that a child has printed.
func acknowledged(t *testing.T, lines *bufio.Scanner, most int) []int {
	t.Helper()
	var numbers []int
	for len(numbers) < most && lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}
