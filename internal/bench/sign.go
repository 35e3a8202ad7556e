package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// signVerb is the first argument that measures signatures.
const signVerb = "sign"

// The sizes of a measurement of signatures.
const (
	signedPackets = 10000
	verifiedByGit = 200 // how many are verified one by one by git, whose cost is scaled
	signedAtOnce  = 500 // files of one call of ssh-keygen
)

// benchSign measures what it costs to judge signatures, and to list packets with their standing.
func benchSign(ctx context.Context, out io.Writer, args []string) error {
	n := signedPackets
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0]); err != nil {
			return err
		}
	}
	return withPrograms(ctx, func(dir string) error {
		plain := newRepo(dir, n)
		if err := plain.filled(ctx); err != nil {
			return err
		}
		s := signing{repo: plain, signed: filepath.Join(dir, "signed"), key: filepath.Join(dir, "key")}
		if err := s.make(ctx); err != nil {
			return err
		}
		ltm := filepath.Join(s.bin, "git-ltm")
		first, err := s.cost(ctx, s.signed, ltm, "verify", "--quiet", "--require", "good")
		if err != nil {
			return err
		}
		var each cost
		asked := s.refs[:min(verifiedByGit, len(s.refs))]
		for _, ref := range asked {
			one, err := s.cost(ctx, s.signed, "git", "verify-tag", ref)
			if err != nil {
				return err
			}
			each.cpu += one.cpu
			each.wall += one.wall
		}
		scale := float64(s.n) / float64(len(asked))
		if _, err := fmt.Fprintf(out, "verify %d signed packets: CPU %.2f s, wall %.2f s; git verify-tag, one each, scaled from %d: CPU %.1f s, wall %.1f s; %.0f times the CPU\n",
			s.n, first.cpu.Seconds(), first.wall.Seconds(), len(asked), each.cpu.Seconds()*scale, each.wall.Seconds()*scale,
			each.cpu.Seconds()*scale/first.cpu.Seconds()); err != nil {
			return err
		}
		return s.compareLists(ctx, out, ltm)
	})
}

// signing is a repository and a copy of it in which each packet is signed.
type signing struct {
	*repo
	signed, key string
	refs        []string
}

// make signs every packet.
func (s *signing) make(ctx context.Context) error {
	args := []string{"-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", s.key}
	if _, err := run(ctx, program.Command{File: "ssh-keygen", Args: args}); err != nil {
		return err
	}
	if _, err := s.git(ctx, nil, s.bin, "clone", "-q", "--mirror", s.dir, s.signed); err != nil {
		return err
	}
	list, err := s.git(ctx, nil, s.signed, "for-each-ref", "--format=%(refname) %(objectname)", "refs/ltm/packets")
	if err != nil {
		return err
	}
	var tags []tagFile
	for line := range strings.Lines(string(list)) {
		ref, blob, _ := strings.Cut(strings.TrimSpace(line), " ")
		data, err := s.git(ctx, nil, s.signed, "cat-file", "blob", blob)
		if err != nil {
			return err
		}
		name := filepath.Base(ref)
		t := tagFile{ref, blob, filepath.Join(s.bin, name)}
		payload := sign.Statement{Object: blob, Name: name, Tagger: "Bench <bench@example.com> 1767323045 +0000", Data: data, Store: "bench"}.Payload()
		if err := os.WriteFile(t.file, payload, 0o600); err != nil {
			return err
		}
		tags, s.refs = append(tags, t), append(s.refs, ref)
	}
	if err := s.signAll(ctx, tags); err != nil {
		return err
	}
	var files, script bytes.Buffer
	for _, t := range tags {
		fmt.Fprintln(&files, t.file)
	}
	oids, err := s.git(ctx, &files, s.signed, "hash-object", "-t", "tag", "-w", "--stdin-paths")
	if err != nil {
		return err
	}
	for i, oid := range strings.Fields(string(oids)) {
		fmt.Fprintf(&script, "update %s %s %s\n", tags[i].ref, oid, tags[i].blob)
	}
	if _, err := s.git(ctx, &script, s.signed, "update-ref", "--stdin"); err != nil {
		return err
	}
	if _, err := s.git(ctx, nil, s.signed, "pack-refs", "--all"); err != nil {
		return err
	}
	for _, dir := range []string{s.dir, s.signed} {
		if _, err := s.git(ctx, nil, dir, "repack", "-q", "-a", "-d", "-f"); err != nil {
			return err
		}
	}
	return s.trust(ctx)
}

// A tagFile is a tag object on its way: its payload lies in a file.
type tagFile struct{ ref, blob, file string }

// signAll puts the signature of each file behind its payload.
func (s *signing) signAll(ctx context.Context, tags []tagFile) error {
	for from := 0; from < len(tags); from += signedAtOnce {
		some := tags[from:min(from+signedAtOnce, len(tags))]
		args := []string{"-Y", "sign", "-n", "git", "-f", s.key}
		for _, t := range some {
			args = append(args, t.file)
		}
		if _, err := run(ctx, program.Command{File: "ssh-keygen", Args: args}); err != nil {
			return err
		}
		for _, t := range some {
			payload, err := os.ReadFile(t.file)
			if err != nil {
				return err
			}
			signature, err := os.ReadFile(t.file + ".sig")
			if err != nil {
				return err
			}
			if err := os.WriteFile(t.file, append(payload, signature...), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// trust lets the key count, for git and for git-ltm.
func (s *signing) trust(ctx context.Context) error {
	public, err := os.ReadFile(s.key + ".pub")
	if err != nil {
		return err
	}
	list := filepath.Join(s.bin, "allowed_signers")
	if err := os.WriteFile(list, append([]byte("bench@example.com "), public...), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{{"config", "gpg.ssh.allowedSignersFile", list}, {"config", "ltm.store", "bench"}} {
		if _, err := s.git(ctx, nil, s.signed, args...); err != nil {
			return err
		}
	}
	return nil
}

// compareLists runs ls beside itself where nothing is signed, in turn.
func (s *signing) compareLists(ctx context.Context, out io.Writer, ltm string) error {
	const rounds = 11
	var signed, plain []cost
	for i := range rounds + 1 {
		a, err := s.cost(ctx, s.signed, ltm, "ls", "--limit", "0")
		if err != nil {
			return err
		}
		b, err := s.cost(ctx, s.dir, ltm, "ls", "--limit", "0")
		if err != nil {
			return err
		}
		if i > 0 { // The first run fills the cache.
			signed, plain = append(signed, a), append(plain, b)
		}
	}
	a, b := medianCost(signed), medianCost(plain)
	_, err := fmt.Fprintf(out, "ls of %d: signed, with a cache, %.0f ms; unsigned %.0f ms; wall %.2fx, CPU %.2fx\n", s.n,
		a.wall.Seconds()*1e3, b.wall.Seconds()*1e3, a.wall.Seconds()/b.wall.Seconds(), a.cpu.Seconds()/b.cpu.Seconds())
	return err
}

// cost is what one process took, its children included.
type cost struct{ cpu, wall time.Duration }

func (s *signing) cost(ctx context.Context, dir, name string, args ...string) (cost, error) {
	begin := time.Now()
	done, err := run(ctx, program.Command{File: name, Args: args, Dir: dir, Env: s.env})
	if err != nil {
		return cost{}, err
	}
	return cost{cpu: done.State.UserTime() + done.State.SystemTime(), wall: time.Since(begin)}, nil
}

// medianCost takes the median of each measure.
func medianCost(all []cost) cost {
	cpu, wall := make([]time.Duration, 0, len(all)), make([]time.Duration, 0, len(all))
	for _, c := range all {
		cpu, wall = append(cpu, c.cpu), append(wall, c.wall)
	}
	slices.Sort(cpu)
	slices.Sort(wall)
	return cost{cpu: cpu[len(cpu)/2], wall: wall[len(wall)/2]}
}
