package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// richStyle is the third argument of the process that makes a repository to be searched.
const richStyle = "rich"

// The files beside a repository that is searched.
const (
	plainTable = "plain.db"  // plainTable is the full-text table.
	plainItems = "items.sql" // plainItems are the statements that make it.
	textBytes  = "bytes"     // textBytes is how long all records are.
)

// writeItems writes the items of all records as statements that make a plain full-text table.
func (r *repo) writeItems(ctx context.Context) (err error) {
	oids, err := r.git(ctx, nil, r.dir, "for-each-ref", "--format=%(objectname)", "refs/ltm")
	if err != nil {
		return err
	}
	data, err := r.git(ctx, bytes.NewReader(oids), r.dir, "cat-file", "--batch")
	if err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(r.dir, plainItems))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	if _, err := out.WriteString("BEGIN;\nCREATE VIRTUAL TABLE items USING fts5(text);\n"); err != nil {
		return err
	}
	total := 0
	for len(data) > 0 {
		head, rest, _ := bytes.Cut(data, []byte("\n"))
		var oid, kind string
		var size int
		if _, err := fmt.Sscan(string(head), &oid, &kind, &size); err != nil {
			return err
		}
		rec, err := packet.Parse(rest[:size], packet.Stored)
		if err != nil {
			return err
		}
		for _, item := range rec.Content().Items {
			text := strings.ReplaceAll(item.Text+" "+item.Why, "'", "''")
			if _, err := fmt.Fprintf(out, "INSERT INTO items VALUES ('%s');\n", text); err != nil {
				return err
			}
		}
		total, data = total+size, rest[size+1:]
	}
	_, err = out.WriteString("COMMIT;\n")
	return errors.Join(err, out.Flush(), os.WriteFile(filepath.Join(r.dir, textBytes), fmt.Append(nil, total), 0o600))
}
