#!/usr/bin/env python3
"""A second implementation of the records of git ltm, written from SPEC.md with the standard library alone.

    python3 examples/ltm.py reader|writer|replayer|verifier

reads requests and writes answers, one JSON object a line, as testdata/conformance/README.md says. It shows that the
format stands on its own; it stores nothing, and nobody should use it in the place of git ltm.
"""

import base64
import calendar
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

# --- Section 3: reading a text -------------------------------------------------------------------------------------

LONGEST, DEEPEST = 131_072, 16
PACKET_BOUND, SMALL_BOUND = 32_768, 4_096


class NotJSON(Exception):
    """The text is not exactly one JSON value, so that there is one problem, of the whole document."""


class Number(str):
    """A number, with the characters that it was read with (R-6.5)."""


class Parser:
    """Reads JSON strictly, and notes every problem with the pointer of its place (R-3.10)."""

    def __init__(self, text):
        self.text, self.at, self.problems = text, 0, []

    def document(self):
        value = self.value("", 1)
        self.blanks()
        if self.at != len(self.text):
            raise NotJSON
        return value

    def blanks(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\r\n":
            self.at += 1

    def peek(self):
        self.blanks()
        if self.at == len(self.text):
            raise NotJSON
        return self.text[self.at]

    def take(self, sign):
        if self.peek() != sign:
            raise NotJSON
        self.at += 1

    def value(self, place, depth):
        sign = self.peek()
        if sign in "{[":
            if depth == DEEPEST + 1:
                self.problems.append(place)  # what lies deeper is no further problem.
            return self.object(place, depth) if sign == "{" else self.array(place, depth)
        if sign == '"':
            text, bad = self.string(False)
            if bad:
                self.problems.append(place)
            return text
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        found = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?").match(self.text, self.at)
        if not found:
            raise NotJSON
        self.at = found.end()
        if found.group() and abs(float(found.group())) == float("inf"):
            self.problems.append(place)
        return Number(found.group())

    def object(self, place, depth):
        members, folded = {}, {}
        self.take("{")
        if self.peek() != "}":
            while True:
                if self.peek() != '"':
                    raise NotJSON
                name, bad = self.string(True)
                inner = place + "/" + pointer(name)
                if bad:
                    self.problems.append(inner)
                elif name in members or fold(name) in folded:
                    self.problems.append(inner)
                folded.setdefault(fold(name), name)
                self.take(":")
                value = self.value(inner, depth + 1)
                members.setdefault(name, value)
                if self.peek() != ",":
                    break
                self.take(",")
        self.take("}")
        return members

    def array(self, place, depth):
        items = []
        self.take("[")
        if self.peek() != "]":
            while True:
                items.append(self.value(f"{place}/{len(items)}", depth + 1))
                if self.peek() != ",":
                    break
                self.take(",")
        self.take("]")
        return items

    def string(self, is_name):
        """Returns the text, and whether it holds half of a surrogate pair or a control character (R-3.5, R-3.6)."""
        self.at += 1
        parts = []
        while True:
            if self.at >= len(self.text):
                raise NotJSON
            sign = self.text[self.at]
            self.at += 1
            if sign == '"':
                break
            if sign < " ":
                raise NotJSON
            if sign != "\\":
                parts.append(sign)
                continue
            escaped = self.text[self.at:self.at + 1]
            self.at += 1
            if escaped == "u":
                digits = self.text[self.at:self.at + 4]
                if not re.fullmatch("[0-9a-fA-F]{4}", digits):
                    raise NotJSON
                self.at += 4
                parts.append(chr(int(digits, 16)))
            elif escaped and escaped in '"\\/bfnrt':
                parts.append({"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(escaped, escaped))
            else:
                raise NotJSON
        text = PAIR.sub(lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), "".join(parts))
        allowed = "" if is_name else "\n\t"
        bad = LONE.search(text) or any(unicodedata.category(c) == "Cc" and c not in allowed for c in text)
        return LONE.sub("\ufffd", text), bad


PAIR, LONE = re.compile("[\ud800-\udbff][\udc00-\udfff]"), re.compile("[\ud800-\udfff]")


def fold(name):
    """Returns the form in which names are compared (R-3.4)."""
    return "".join(c.lower() if c.isascii() else {"\u017f": "s", "\u212a": "k"}.get(c, c) for c in name)


def pointer(name):
    """Returns a name as a part of a JSON pointer (RFC 6901), what cannot be printed escaped."""
    shown = "".join(c if unicodedata.category(c) != "Cc" and c != "\ufffd" else f"\\u{ord(c):04x}" for c in name)
    return shown.replace("~", "~0").replace("/", "~1")


# --- Sections 4, 5 and 21: the tables ------------------------------------------------------------------------------

ULID = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}")
EVENTS = ("supersede expire archive restore confirm contradict impact link consolidate close reopen set retract purge "
          "undo allow disallow digest").split()
KINDS = "decision learning procedure pitfall preference reference achievement fact task identity".split()


def text(least, most):
    return lambda v: isinstance(v, str) and not isinstance(v, Number) and least <= len(v) <= most


def line(least, most):
    return lambda v: text(least, most)(v) and "\n" not in v and "\t" not in v


def form(pattern, most=1 << 30):
    return lambda v: text(0, most)(v) and re.fullmatch(pattern, v) is not None


def word(*words):
    return lambda v: text(0, 64)(v) and v in words


def count(least, most=2_147_483_647):
    return lambda v: isinstance(v, Number) and re.fullmatch("0|[1-9][0-9]*", v) is not None and least <= int(v) <= most


def flag(v):
    return isinstance(v, bool)


def moment(v):
    """Returns the seconds since 1970 that an RFC 3339 time says, with its fraction, or None (R-4.2)."""
    if not text(0, 1024)(v):
        return None
    found = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|([+-])(\d\d):(\d\d))", v, re.ASCII)
    if not found:
        return None
    try:
        day = datetime.datetime(*(int(n) for n in found.groups()[:6])) if int(found[1]) else None
    except ValueError:
        return None
    if day is None or found[10] and (int(found[10]) > 23 or int(found[11]) > 59):
        return None
    offset = (int(found[10]) * 60 + int(found[11])) * (60 if found[9] == "+" else -60) if found[9] else 0
    nanos = int(((found[7] or ".")[1:] + "000000000")[:9])
    return (calendar.timegm(day.timetuple()) - offset) * 1_000_000_000 + nanos


def when(v):
    return moment(v) is not None


def path(least, most):
    """R-4.3"""
    return lambda v: (line(least, most)(v) and not re.match("/|~|[A-Za-z]:", v) and "\\" not in v
                      and ".." not in v.split("/"))


def topic(v):
    return text(1, 256)(v) and all(re.fullmatch("[a-z0-9]([a-z0-9_-]*[a-z0-9])?", s) for s in v.split("/"))


class List:
    def __init__(self, most, item, least=0):
        self.most, self.item, self.least = most, item, least


class Table(dict):
    """The members of an object in the order of the canonical encoding; a star behind a name marks what is required."""

    def __init__(self, rows):
        super().__init__((name.rstrip("*"), rule) for name, rule in rows)
        self.required = [name[:-1] for name, _ in rows if name.endswith("*")]




OWN_ID, SLUG = line(10, 64), "[a-z0-9][a-z0-9-]*"
OBJECT_NAME = form("[0-9a-f]{40}|[0-9a-f]{64}")
LEVEL, IMPACT = word("low", "medium", "high"), word("low", "medium", "high", "critical")
ORIGIN = word("user", "agent", "tool", "import")
TAGS = List(16, form(SLUG, 32))
PROVENANCE = Table([
    ("author_model", text(0, 128)), ("author_human", text(0, 128)), ("source_hash", form("sha256:[0-9a-f]{64}")),
    ("confidence", LEVEL), ("agent", text(0, 128)), ("model", text(0, 128)), ("host", text(0, 128))])
ANCHOR = Table([("branch", line(1, 255)), ("commit", OBJECT_NAME), ("tree", OBJECT_NAME), ("merge_base", OBJECT_NAME),
                ("dirty", flag)])
CITES = List(64, Table([("path*", path(1, 1024)), ("line", count(1)), ("end_line", count(1)), ("commit", OBJECT_NAME),
                        ("blob", OBJECT_NAME), ("note", text(0, 1024))]))
SCAN = Table([("rules", line(1, 64)), ("masked", count(0)), ("overridden", List(64, line(1, 64)))])
MATCH = Table([("words", line(1, 512)), ("path", path(1, 512)), ("command", line(1, 512)), ("adds", line(1, 128))])
TEXT = text(0, 1024)
PACKET = Table([
    ("ltm_version*", word("0.1", "0.2", "0.3")), ("id*", OWN_ID), ("parent_id", OWN_ID), ("created_at*", when),
    ("project", Table([("name", text(0, 128)), ("ref", text(0, 256))])), ("goal*", text(1, 1024)),
    ("success_criteria", List(16, TEXT)), ("constraints", List(32, TEXT)),
    ("decisions", List(64, Table([("what*", TEXT), ("why*", TEXT), ("consequences", TEXT), ("locked", flag)]))),
    ("methods", List(32, Table([("name*", form(SLUG, 128)), ("when_applicable*", TEXT), ("how*", text(0, 2048))]))),
    ("attempts", List(64, Table([("tried*", TEXT), ("outcome*", text(1, 1024)), ("learned", TEXT),
                                 ("confidence", LEVEL), ("match", MATCH)]))),
    ("open_questions", List(32, TEXT)), ("next_step*", text(1, 1024)), ("outcome", TEXT), ("tags", TAGS),
    ("provenance", PROVENANCE), ("anchor", ANCHOR), ("cites", CITES), ("expires_at", when),
    ("supersedes", List(32, OWN_ID)), ("parents", List(16, OWN_ID)), ("paths", List(128, path(1, 1024))),
    ("impact", IMPACT), ("origin", ORIGIN), ("scan", SCAN)])
TYPED = ("type*", word("note", "skip", "event"))
EVENT = Table([TYPED, ("id*", form(ULID)), ("created_at*", when), ("event*", word(*EVENTS)),
               ("targets*", List(64, OWN_ID, least=1)), ("by", List(64, OWN_ID)), ("value", TEXT),
               ("object", OBJECT_NAME), ("why", TEXT), ("expires_at", when), ("provenance", PROVENANCE)])
NOTE = Table([TYPED, ("id*", form(ULID)), ("created_at*", when), ("kind*", word(*KINDS)), ("text*", text(1, 2048)),
              ("why", TEXT), ("topic", topic), ("tags", TAGS), ("impact", IMPACT), ("confidence", LEVEL),
              ("category", word("active_work", "standing_decision", "waiting_for", "session_note")),
              ("status", word("active", "paused", "completed", "archived")), ("priority", count(0, 10)),
              ("next_action", TEXT), ("expires_at", when), ("cites", CITES), ("links", List(32, OWN_ID)),
              ("match", MATCH), ("anchor", ANCHOR), ("origin", ORIGIN), ("scan", SCAN), ("provenance", PROVENANCE)])
SKIP = Table([TYPED, ("id*", form(ULID)), ("created_at*", when), ("item*", text(1, 1024)), ("match", MATCH),
              ("reason*", text(1, 1024)), ("expires_at*", when), ("tags", TAGS), ("cites", CITES), ("anchor", ANCHOR),
              ("origin", ORIGIN), ("scan", SCAN), ("provenance", PROVENANCE)])
TABLES = {"packet": PACKET, "note": NOTE, "skip": SKIP, "event": EVENT}


def check(value, rule, place, problems):
    """Notes what a known member has against its row."""
    if isinstance(rule, Table):
        if not isinstance(value, dict):
            problems.append(place)
            return
        known = {fold(name): name for name in [*rule, *(["type"] if place == "" else [])]}
        for name, inner in value.items():
            here = place + "/" + pointer(name)
            if name in rule:
                check(inner, rule[name], here, problems)
            elif known.get(fold(name), name) != name and here not in problems:
                problems.append(here)  # a name that differs from a known one in case alone.
        problems += [f"{place}/{name}" for name in rule.required if name not in value]
        if rule is CITES.item and count(1)(value.get("line")) and count(1)(value.get("end_line")):
            if int(value["end_line"]) < int(value["line"]):
                problems.append(place + "/end_line")
        elif rule is CITES.item and count(1)(value.get("end_line")) and "line" not in value:
            problems.append(place + "/line")
    elif isinstance(rule, List):
        if not isinstance(value, list) or not rule.least <= len(value) <= rule.most:
            problems.append(place)
            return
        for i, item in enumerate(value):
            check(item, rule.item, f"{place}/{i}", problems)
    elif not rule(value) and place not in problems:
        problems.append(place)


def parse(data):
    """Returns the kind of a record and its members, or the pointers of all its problems."""
    if not 0 < len(data) <= LONGEST:
        return None, None, [""]
    try:
        read = Parser(data.decode("utf-8"))
        record = read.document()
    except (UnicodeDecodeError, NotJSON):
        return None, None, [""]
    if not isinstance(record, dict):
        return None, None, [""]
    problems = read.problems
    kind = record.get("type", "packet")
    if kind not in TABLES or not isinstance(kind, str):
        return None, None, problems + ["/type"]
    check(record, TABLES[kind], "", problems)
    if kind == "skip" and not problems and not 0 <= moment(record["expires_at"]) - moment(record["created_at"]) <= SPAN:
        problems.append("/expires_at")
    if not problems and len(encode(kind, record)) > (PACKET_BOUND if kind == "packet" else SMALL_BOUND):
        problems.append("")
    return kind, record, problems


SPAN = 366 * 24 * 3600 * 1_000_000_000



# --- Section 6: the canonical encoding -----------------------------------------------------------------------------


def quote(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def says_nothing(value, rule):
    """R-6.6"""
    if isinstance(rule, Table):
        return all(name in rule and says_nothing(inner, rule[name]) for name, inner in value.items())
    return not isinstance(value, Number) and value in ("", False, [])


def written(value, rule=None, indent="\n"):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    deeper = indent + "  "
    if isinstance(value, list):
        item = rule.item if isinstance(rule, List) else None
        inside = [written(v, item, deeper) for v in value]
        return "[" + ",".join(deeper + v for v in inside) + (indent if inside else "") + "]"
    known = rule if isinstance(rule, Table) else Table([])
    names = [n for n in known if n in value and (n in known.required or not says_nothing(value[n], known[n]))]
    names += sorted((n for n in value if n not in known), key=lambda n: n.encode())
    inside = [quote(n) + ": " + written(value[n], known.get(n), deeper) for n in names]
    return "{" + ",".join(deeper + v for v in inside) + (indent if inside else "") + "}"


def encode(kind, record):
    return (written(record, TABLES[kind]) + "\n").encode()


# --- Section 2: ids, and section 4: packets as version 0.2 ---------------------------------------------------------

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ulid(millis, tail):
    number = millis << 80 | int.from_bytes(tail, "big")
    return "".join(DIGITS[number >> 5 * i & 31] for i in range(25, -1, -1))


def stored_under(record):
    """Returns the ULID of a complete packet's ref (R-2.2, R-2.3)."""
    if ULID.fullmatch(record["id"]):
        return record["id"]
    millis = min(moment(record["created_at"]) // 1_000_000, (1 << 48) - 1)
    return ulid(max(millis, 0), hashlib.sha256(record["id"].encode()).digest()[:10])


SINCE_3 = "outcome anchor cites expires_at supersedes parents paths impact origin scan".split()


def as_2(packet):
    """Returns a packet as version 0.2 (R-4.7)."""
    out = only_known(packet, PACKET)
    out = {n: v for n, v in out.items() if n not in SINCE_3} | {"ltm_version": "0.2"}
    if "attempts" in out:
        out["attempts"] = [attempt_as_2(a) for a in out["attempts"]]
    if "provenance" in out:
        by = out["provenance"]
        if by.get("model") and not by.get("author_model"):
            by = by | {"author_model": by["model"]}
        out["provenance"] = {n: v for n, v in by.items() if n not in ("agent", "model", "host")}
    return out


def only_known(value, rule):
    if isinstance(rule, List):
        return [only_known(item, rule.item) for item in value]
    if isinstance(rule, Table):
        return {n: only_known(v, rule[n]) for n, v in value.items() if n in rule}
    return value


def attempt_as_2(attempt):
    out = {n: v for n, v in attempt.items() if n != "match"}
    if out["outcome"] not in ("succeeded", "failed", "partial"):
        learned = (out["learned"] + " Outcome: " if out.get("learned") else "") + out["outcome"]
        out |= {"outcome": "failed", "learned": learned[:1024]}
    return out


# --- Section 1: refs, and section 21: items ------------------------------------------------------------------------

REF = re.compile("refs/(ltm|ltm-local|ltm-remotes/(?P<remote>.+))/(?P<kind>packets|notes|skips|events)/(?P<id>[^/]+)")


def ref_of(name):
    """Returns the kind, the id and the remote that the name of a ref says, or None for a stray (R-1.1, R-1.4)."""
    found = REF.fullmatch(name)
    if not found or not ULID.fullmatch(found["id"]) or found["remote"] is not None and not is_remote(found["remote"]):
        return None
    return {"kind": found["kind"][:-1], "id": found["id"], "remote": found["remote"] or ""}


def is_remote(name):
    return all(re.fullmatch("[A-Za-z0-9._+-]+", part) and part[0] not in "-." and ".." not in part
               and not part.endswith(".lock") for part in name.split("/"))


def items(kind, record):
    """Returns the pointers of what a record says (R-21.6)."""
    if kind != "packet":
        return {"note": ["/text"], "skip": ["/item"]}.get(kind, [])
    found = ["/goal"] + (["/next_step"] if record["next_step"].lower() != "none" else [])
    found += ["/outcome"] if record.get("outcome") else []
    for name, says in (("decisions", "what"), ("attempts", "tried"), ("methods", "how"), ("constraints", None),
                       ("open_questions", None), ("success_criteria", None)):
        found += [f"/{name}/{i}" for i, item in enumerate(record.get(name, [])) if (item[says] if says else item)]
    return found


# --- Section 11: what became of records ----------------------------------------------------------------------------


def replay(records, events, now):
    """Returns what the events made of each record, in a world where this clone trusts nobody and made nothing."""
    events = sorted(events, key=lambda e: (moment(e["created_at"]), e["id"]))
    gone = {t for e in events if e["event"] == "purge" for t in e["targets"] if ULID.fullmatch(t)}
    stones = {e["id"] for e in events if e["event"] == "purge"}
    records = {i: r for i, r in records.items() if i not in gone}
    events = counted(events)
    events = [e for e in events if e["id"] in stones or e["id"] not in gone]
    undone = set()
    for place in range(len(events) - 1, -1, -1):
        e = events[place]
        if e["event"] == "undo" and e["id"] not in undone:
            undone |= {b["id"] for b in events[:place]
                       if b["id"] in e["targets"] and b["event"] not in ("purge", "allow", "disallow")}
    lives = {i: Life(r) for i, r in records.items()}
    for e in (e for e in events if e["id"] not in undone):
        for target in filter(ULID.fullmatch, e["targets"]):
            lives.setdefault(target, Life({})).after(e)
            if e["event"] == "supersede":
                break_circle(lives, target)
    return {i: lives[i].state(now) for i in records}


TEXTS = "digest set link impact confirm contradict".split()


def counted(events):
    """Returns the events that count where nobody is trusted: of one kind and record the newest alone (R-11.13)."""
    about = {}
    for e in events:
        for target in dict.fromkeys(e["targets"]):
            about.setdefault((e["event"], target), []).append(e["id"])
    kept = set()
    for (word, _), ids in about.items():
        kept |= set(ids[-32:] if word in TEXTS else ids[-4:] if len(ids) > 8 else ids)
    alive = {e["id"] for e in events if e["id"] in kept or e["event"] in ("purge", "allow", "disallow")}
    return [e for e in events if e["id"] in alive]


def break_circle(lives, start):
    """R-11.9: of a circle the place that leads back to where one began is forgotten."""
    at = lives[start].said.get("superseded_by")
    for _ in range(64):
        life = lives.get(at)
        if life is None:
            return
        if life.said.get("superseded_by") == start:
            del life.said["superseded_by"]
            return
        at = life.said.get("superseded_by")


class Life:
    def __init__(self, record):
        self.record, self.said, self.ends, self.set = record, {}, None, {}
        self.closed = self.reopened = False
        self.confidence = {"low": 0.4, "high": 0.9}.get(record.get("confidence"), 0.7)

    def after(self, e):
        kind, said = e["event"], self.said
        others = [b for b in e.get("by", []) if ULID.fullmatch(b) and b not in e["targets"]]
        if kind == "retract":
            said["retracted"] = True
        elif kind == "restore":
            for word in ("retracted", "archived", "superseded_by", "consolidated_by"):
                said.pop(word, None)
        elif kind == "archive":
            said["archived"] = True
        elif kind in ("supersede", "consolidate") and others:
            said[kind + "d_by"] = others[0]
        elif kind == "link":
            said["links"] = said.get("links", []) + [f"{other} {e.get('value', '')}".strip() for other in others]
        elif kind in ("close", "reopen"):
            self.closed, self.reopened = kind == "close", kind == "reopen"
        elif kind == "expire":
            self.ends = e.get("expires_at") or e["created_at"]
        elif kind == "digest":
            said["digest"] = e.get("value", "")
        elif kind in ("confirm", "contradict"):
            said["contradicted"] = kind == "contradict"
            self.confidence = self.confidence / 2 if kind == "contradict" else 1 - 0.85 * (1 - self.confidence)
        elif kind == "impact" and e.get("value") in ("low", "medium", "high"):  # nobody here is trusted.
            said["impact"] = e["value"]
        elif kind == "set":
            self.change(e.get("value", ""))

    def change(self, value):
        """R-11.12"""
        try:
            read = Parser(value)
            change = read.document()
        except NotJSON:
            return
        rows = {n: NOTE[n] for n in ("status", "category", "priority", "next_action")}
        if not isinstance(change, dict) or read.problems or not change:
            return
        if any(n not in rows or not (v == "" and n != "priority" or rows[n](v)) for n, v in change.items()):
            return
        self.set |= {n: v for n, v in change.items() if v != ""}
        if change.get("status"):
            self.closed, self.reopened = change["status"] == "completed", False

    def state(self, now):
        state = {word: value for word, value in self.said.items() if value} | {"confidence": f"{self.confidence:.6f}"}
        ends = self.ends or self.record.get("expires_at")
        if ends and moment(ends) <= moment(now):
            state["expired"] = True
        if self.closed:
            state["closed"] = True
        if self.record.get("kind") == "task":
            task = {n: self.set.get(n) or self.record.get(n) for n in ("category", "priority", "next_action")}
            status = self.set.get("status") or self.record.get("status") or "active"
            if self.reopened and status == "completed":
                status = "active"
            task["status"] = "completed" if self.closed else status
            state["task"] = {n: str(v) for n, v in task.items() if v and v != "0"}
        return state


# --- Section 18: archives ------------------------------------------------------------------------------------------


def git_object(kind, data):
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)) + data).hexdigest()


def archive(entries):
    """Returns the name of the archive's ref (R-18.1, R-18.2). An entry has a ref, its blob, and perhaps its tag."""
    tree, times = {}, set()
    for e in entries:
        kind, ident = e["ref"].split("/")[2:4]
        folder = tree.setdefault(kind, {}).setdefault(ident[:5], {})
        folder[ident + ".json"] = git_object("blob", base64.b64decode(e["blob"]))
        if e.get("tag"):
            folder[ident + ".tag"] = git_object("blob", base64.b64decode(e["tag"]))
        millis = sum(DIGITS.index(c) << 5 * (9 - i) for i, c in enumerate(ident[:10]))
        day = datetime.datetime.fromtimestamp(millis // 1000, datetime.timezone.utc)
        times.add((day.year, (day.month + 2) // 3))
    (year, quarter), = times
    begin = calendar.timegm((year, 3 * quarter - 2, 1, 0, 0, 0))
    person = f"git-ltm <git-ltm@localhost> {begin} +0000"
    name = f"{year}-Q{quarter}"
    commit = f"tree {tree_object(tree)}\nauthor {person}\ncommitter {person}\n\nltm archive {name}\n"
    return f"refs/ltm/archive/{name}/{git_object('commit', commit.encode())}"


def tree_object(tree):
    rows = b""
    for name in sorted(tree):
        inner = tree[name]
        mode, oid = ("40000", tree_object(inner)) if isinstance(inner, dict) else ("100644", inner)
        rows += f"{mode} {name}\0".encode() + bytes.fromhex(oid)
    return git_object("tree", rows)


# --- Section 10: signatures ----------------------------------------------------------------------------------------

TAG = re.compile(rb"object (?P<object>[0-9a-f]{40}|[0-9a-f]{64})\ntype blob\ntag (?P<tag>[^\n]*)\ntagger [^\n]*"
                 rb" (?P<time>\d+) [+-]\d{4}\n\n(?P<message>.*?)"
                 rb"(?P<signature>-----BEGIN (?P<what>SSH|PGP) SIGNATURE-----\n.*-----END (SSH|PGP) SIGNATURE-----\n)",
                 re.DOTALL)
MESSAGE = re.compile(rb"ltm record (?P<id>\S+)\n\nLtm-Format: 1\nLtm-Digest: sha256:(?P<digest>[0-9a-f]{64})\n"
                     rb"(Ltm-Store: (?P<store>[A-Za-z0-9._-]{1,64})\n)?")


def standing(request):
    """Returns the word of R-10.5 for a record that another clone made."""
    if not request.get("tag"):
        return "unsigned"
    tag, blob = base64.b64decode(request["tag"]), base64.b64decode(request["blob"])
    found = TAG.fullmatch(tag)
    if (len(tag) > 65_536 or not found or b"\0" in tag or not decodes(tag)
            or len(re.findall(rb"-----BEGIN [A-Z ]+-----", tag)) != 1):
        return "bad"
    said = MESSAGE.fullmatch(found["message"])
    digests = re.findall(rb"^Ltm-Digest: sha256:(.*)$", found["message"], re.MULTILINE)
    if (found["tag"].decode() != request["ref"].split("/")[-1] or found["object"].decode() != git_object("blob", blob)
            or digests and digests != [hashlib.sha256(blob).hexdigest().encode()]):
        return "bad"
    trailers = re.findall(rb"^(Ltm-[A-Za-z]+): ", found["message"], re.MULTILINE)
    if len(trailers) != len(set(trailers)):
        return "bad"
    word = {b"SSH": ssh, b"PGP": openpgp}[found["what"]](tag[:found.start("signature")], found, request)
    if word not in ("good", "expired"):
        return word
    if said is None or said["id"] != found["tag"]:
        return "unknown"
    return word if said["store"] and said["store"].decode() in request.get("stores", []) else "foreign"


def decodes(data):
    try:
        return data.decode("utf-8") is not None
    except UnicodeDecodeError:
        return False


def ssh(payload, found, request):
    with tempfile.TemporaryDirectory() as folder:
        def put(name, data):
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)
            return os.path.join(folder, name)

        signature = put("signature", found["signature"])
        signers, revoked = put("signers", request.get("signers", "").encode()), request.get("revoked", "")

        def keygen(*words):
            return subprocess.run(["ssh-keygen", "-Y", *words, "-s", signature], input=payload, capture_output=True)

        if keygen("check-novalidate", "-n", "git").returncode:
            return "bad"
        revoked = ("-r", put("revoked", revoked.encode())) if revoked else ()
        for moment_of, word in ((request["now"], "good"), (int(found["time"]), "expired")):
            seconds = moment_of if isinstance(moment_of, int) else moment(moment_of) // 1_000_000_000
            at = "verify-time=" + datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y%m%d%H%M%SZ")
            names = keygen("find-principals", "-f", signers, "-O", at).stdout.decode().split()
            for name in names:
                admitted = ("verify", "-n", "git", "-f", signers, "-I", name, "-O", at)
                if keygen(*admitted).returncode == 0:
                    return "revoked" if revoked and keygen(*admitted, *revoked).returncode else word
        return "unknown"


def openpgp(payload, found, request):
    with tempfile.TemporaryDirectory() as folder:
        def gpg(*words, data=None):
            return subprocess.run(["gpg", "--homedir", folder, "--batch", "--no-tty", "--status-fd", "1", *words],
                                  input=data, capture_output=True)

        os.chmod(folder, 0o700)
        gpg("--import", data=request.get("keyring", "").encode())
        with open(os.path.join(folder, "signature"), "wb") as f:
            f.write(found["signature"])
        status = gpg("--trust-model", "always", "--verify", f.name, "-", data=payload).stdout.decode()
    made = re.search(r"^\[GNUPG:\] VALIDSIG \S+ \S+ (\d+) ", status, re.MULTILINE)
    if made and int(made[1]) > moment(request["now"]) // 1_000_000_000:
        return "unknown"
    for sign, word in (("REVKEYSIG", "revoked"), ("BADSIG", "bad"), ("GOODSIG", "good"), ("EXPKEYSIG", "expired"),
                       ("EXPSIG", "expired"), ("NO_PUBKEY", "unknown")):
        if f"[GNUPG:] {sign} " in status:
            return word
    return "bad"


# --- The protocol of testdata/conformance/README.md ----------------------------------------------------------------


def answer(request):
    operation = request["op"]
    if operation == "ref":
        return {"ref": ref_of(request["ref"])}
    if operation == "archive":
        return {"ref": archive(request["entries"])}
    if operation == "verify":
        return {"standing": standing(request)}
    if operation == "replay":
        texts = [base64.b64decode(t) for t in request["records"]]
        read = [(kind, r, text) for text in texts for kind, r, problems in [parse(text)] if not problems]
        records = {r["id"]: r for kind, r, _ in read if kind != "event"}
        events = [r for kind, r, text in read if kind == "event" and encode(kind, r) == text]
        return {"state": replay(records, events, request["now"])}
    kind, record, problems = parse(base64.b64decode(request["text"]))
    if problems:
        return {"accepted": False, "problems": sorted(set(problems))}
    if operation == "read":
        return {"accepted": True, "kind": kind, "items": sorted(items(kind, record))}
    if operation == "write":
        return {"accepted": True, "text": base64.b64encode(encode(kind, record)).decode(), "id": stored_under(record)}
    if operation == "as-0.2":
        return {"accepted": True, "text": base64.b64encode(encode(kind, as_2(record))).decode()}
    return {"unknown": operation}


def main():
    for request in sys.stdin:
        print(json.dumps(answer(json.loads(request))), flush=True)


if __name__ == "__main__":
    main()
