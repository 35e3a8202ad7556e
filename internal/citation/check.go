package citation

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// The bounds of one check. What is beyond them is unknown.
const (
	mostCited     = 1024     // places
	mostRenames   = 4        // commits since which renames are looked for
	maxCompared   = 32 << 20 // bytes whose lines are compared
	pathsOfACall  = 64       // paths in one call of git
	missingObject = ""       // the name of an object that is not there
)

// citing is one cited place that is checked.
type citing struct {
	Cited

	path   string // as git writes it
	commit string // at which it was cited
	base   string // the blob or the tree that was cited
	// the record was made beside changes that no commit held, so that the commit does not say what was cited
	vague   bool
	decided bool
}

// presence is what stands at a path now.
type presence struct {
	disk  onDisk
	oid   string // the blob or the tree that it is; "" where it is not there, or is no object that is known
	head  string // what HEAD holds there
	file  bool   // that is a file
	dirty bool   // it is not what HEAD holds
}

// check compares cited places with how they are now, cheap questions first: the bytes in the work tree, then
// what commits hold, then what git says of changes and renames, and lines only where nothing else answers.
type check struct {
	Tree
	repo  *git.Repo // it reaches no server
	list  []*citing
	now   map[string]*presence
	tree  *workTree
	batch *git.Batch
	head  string
	texts map[string]citedText // by the names of objects
	left  int64                // bytes whose lines may still be compared
	fault error                // why git does not answer any more
}

// noteFault notes an error, and tells whether git does not answer any more.
func (c *check) noteFault(err error) bool {
	c.fault = cmp.Or(c.fault, err)
	return c.fault != nil
}

func (t Tree) newCheck() *check {
	return &check{Tree: t, now: map[string]*presence{}, texts: map[string]citedText{}, left: maxCompared}
}

// addCite adds a place that a record cites which was made at an anchor.
func (c *check) addCite(cite packet.Cite, anchor packet.Anchor) *citing {
	name, ok := pathOf(cite.Path)
	p := &citing{
		Cited: Cited{Cite: cite, State: Unknown}, path: name,
		commit: cmp.Or(cite.Commit, anchor.Commit), base: cite.Blob,
	}
	p.vague = anchor.Dirty && cite.Commit == "" && cite.Blob == ""
	p.decided = !ok || c.Repo == nil || len(c.list) >= mostCited || p.commit == "" && p.base == ""
	c.list = append(c.list, p)
	return p
}

// runCheck checks all places, and returns them in the order in which they were added. It takes one step after
// the other, until every place is decided. Where git does not answer, the rest is unknown; a call that was
// ended is an error.
func (c *check) runCheck(ctx context.Context) (all []Cited, err error) {
	if len(c.openPlaces()) > 0 {
		c.beginCheck()
		defer func() { err = errors.Join(err, c.closeCheck()) }()
	}
	for _, p := range c.openPlaces() {
		c.lookAt(p)
	}
	for _, step := range []func(context.Context){c.readBases, c.settleAll, c.followRenames, c.compareAll} {
		if len(c.openPlaces()) > 0 && c.fault == nil {
			step(ctx)
		}
	}
	if c.fault != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, p := range c.list {
		all = append(all, p.Cited)
	}
	return all, nil
}

// beginCheck opens what the steps read.
func (c *check) beginCheck() {
	c.repo, c.tree = c.Repo.Offline(), openWorkTree(c.Repo)
}

func (c *check) closeCheck() error {
	err := c.tree.close()
	if c.batch != nil {
		_ = c.batch.Close() // One that broke off has said so already: what it did not answer is unknown.
	}
	return err
}

// openPlaces are the places that are not decided yet.
func (c *check) openPlaces() []*citing {
	return slices.DeleteFunc(slices.Clone(c.list), func(p *citing) bool { return p.decided })
}

// lookAt compares the bytes in the work tree with what was cited.
func (c *check) lookAt(p *citing) {
	now, seen := c.now[p.path]
	if !seen {
		now = &presence{disk: c.tree.openFile(p.path)}
		if now.disk.read {
			now.oid = c.BlobOID(now.disk.data)
		}
		c.now[p.path] = now
	}
	p.compareObject(now)
}

// compareObject decides a place whose file is the same object as before.
func (p *citing) compareObject(now *presence) {
	if p.base != "" && p.base == now.oid {
		p.State, p.decided = OK, true
	}
}

// readPlaces finds what commits hold at some places; nothing where git does not answer.
func (c *check) readPlaces(ctx context.Context, places []git.Place) []git.Standing {
	found, err := git.FindPlaces(places, func(oid string, limit int64) (string, []byte, error) {
		return c.readObject(ctx, oid, limit)
	})
	c.noteFault(err)
	return found
}

// readObject reads an object: one that lies here without git, which is started for the others.
func (c *check) readObject(ctx context.Context, oid string, limit int64) (typ string, data []byte, err error) {
	if c.ReadHere != nil {
		if typ, data, ok := c.ReadHere(oid, limit); ok {
			return typ, data, nil
		}
	}
	if c.batch == nil {
		if c.batch, err = c.repo.Objects(ctx); err != nil {
			return "", nil, err
		}
	}
	return c.batch.Read(oid, limit)
}

// readBases finds what the commits hold at which places were cited. A path that a commit does not hold was
// not there yet.
func (c *check) readBases(ctx context.Context) {
	var asked []*citing
	var places []git.Place
	for _, p := range c.openPlaces() {
		if p.base == "" {
			asked, places = append(asked, p), append(places, git.Place{Commit: p.commit, Path: p.path})
		}
	}
	if len(asked) == 0 {
		return
	}
	for i, found := range c.readPlaces(ctx, places) {
		p := asked[i]
		p.base = found.OID
		p.decided = found.Err != nil || found.Mode == submodule
		if !p.decided {
			p.compareObject(c.now[p.path])
		}
	}
}

// The modes under which a tree holds what is no file: another repository, and a folder.
const (
	submodule = "160000"
	folder    = "40000"
)

// settleAll finds out what the paths of the open places hold now.
func (c *check) settleAll(ctx context.Context) {
	open := c.openPlaces()
	paths := map[string]bool{}
	for _, p := range open {
		paths[p.path] = true
	}
	if c.findPresent(ctx, slices.Sorted(maps.Keys(paths))); c.fault != nil {
		return
	}
	for _, p := range open {
		p.compareObject(c.now[p.path])
	}
}

// findPresent asks what HEAD holds at some paths and, where that is not what the work tree holds to the
// byte, git whether that is a change: a filter may stand between the two, or a file may be left out of the
// work tree.
func (c *check) findPresent(ctx context.Context, paths []string) {
	head, err := c.repo.Resolve(ctx)
	if c.noteFault(err) {
		return
	}
	if c.head = head.Commit; c.head != "" {
		places := make([]git.Place, len(paths))
		for i, name := range paths {
			places[i] = git.Place{Commit: c.head, Path: name}
		}
		for i, f := range c.readPlaces(ctx, places) {
			if now := c.now[paths[i]]; f.Err == nil {
				now.head, now.file = f.OID, f.Mode != submodule && f.Mode != folder
			} else if errors.Is(f.Err, git.ErrMissing) {
				c.noteFault(f.Err)
			}
		}
	}
	if c.fault != nil {
		return
	}
	var unsure []string
	for _, name := range paths {
		now := c.now[name]
		switch {
		case c.head == "" || c.repo.WorkTree != "" && now.head == missingObject:
			now.dirty = true
		case c.repo.WorkTree != "" && now.head != now.oid:
			unsure = append(unsure, name)
		default:
			now.oid = now.head
		}
	}
	for some := range slices.Chunk(unsure, pathsOfACall) {
		changed, err := c.repo.History().ChangedSince(ctx, c.head, some)
		if c.noteFault(err) {
			return
		}
		for _, name := range some {
			if now := c.now[name]; changed[name] {
				now.dirty = true
			} else {
				now.oid, now.disk = now.head, onDisk{there: true}
			}
		}
	}
}
