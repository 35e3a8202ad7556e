package index

import "github.com/git-ltm/git-ltm/internal/deadend"

// version is the version of the schema, and of the outlines that it holds. A database of another one is made anew.
const version = 5000 + deadend.Form

// schema makes an empty database. The full-text table holds which items have which words, and nothing else: it is
// searched for candidates, which are then judged by the words as they stand in table words.
const schema = `
CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), stamp TEXT, items INTEGER, length INTEGER, next INTEGER,
	loose INTEGER);
INSERT INTO state VALUES (1, '', 0, 0, 1, 0);
CREATE TABLE record (n INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, object TEXT, at INTEGER, items INTEGER, head BLOB, created INTEGER,
	expires INTEGER);
CREATE INDEX newest ON record (at, ref) WHERE items > 0;
CREATE INDEX recent ON record (created) WHERE items > 0;
CREATE INDEX ending ON record (expires) WHERE expires > 0;
CREATE TABLE tally (name TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
CREATE TABLE words (n INTEGER PRIMARY KEY, data BLOB);
CREATE TABLE mark (name TEXT, n INTEGER, PRIMARY KEY (name, n)) WITHOUT ROWID;
CREATE TABLE rule (row INTEGER PRIMARY KEY, text BLOB);
CREATE TABLE trait (sum INTEGER, row INTEGER, outline BLOB, PRIMARY KEY (sum, row)) WITHOUT ROWID;
CREATE TABLE sort (name INTEGER, at INTEGER, n INTEGER, PRIMARY KEY (name, at, n)) WITHOUT ROWID;
CREATE TABLE chunk (last TEXT PRIMARY KEY, sum BLOB) WITHOUT ROWID;
CREATE TABLE norm (block INTEGER PRIMARY KEY, data BLOB);
CREATE VIRTUAL TABLE find USING fts5 (words, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '.+#'");
CREATE VIRTUAL TABLE term USING fts5vocab (find, row);
INSERT INTO find (find, rank) VALUES ('secure-delete', 1), ('hashsize', 67108864);
`
