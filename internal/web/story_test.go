package web_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// pool is the file that the story is about.
const pool = `package db

import "time"

// Pool keeps connections ready.
type Pool struct {
	size int
	wait time.Duration
}

// Size is how many connections one tenant may hold.
const Size = 4
`

// story fills a world with some weeks of work on a service, by two people and an agent.
func story(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	signed := w.trustKey()
	w.put("internal/db/pool.go", pool)
	w.put("internal/api/retry.go", "package api\n\n// Retry asks again.\nfunc Retry() {}\n")
	commit := w.commit()
	by := func(human, agent, model string) object {
		p := object{"author_human": human}
		if agent != "" {
			p["agent"], p["model"] = agent, model
		}
		return p
	}
	ada, agent := by("Ada Tester", "", ""), by("Ada Tester", "claude-code", "opus-4.5")
	cite := func(path string, line, end int) object {
		return object{"path": path, "line": line, "end_line": end, "commit": commit}
	}

	first := w.ago(23, 4).save("main", "", signed, object{
		"goal":      "Find out why orders time out at noon",
		"next_step": "Count connections while the importer runs", "provenance": ada,
	})
	second := w.ago(21, 2).save("main", first, signed, object{
		"goal":       "Stop the noon timeouts without a bigger database",
		"next_step":  "Give each tenant a pool of its own and measure the wait",
		"provenance": agent, "tags": []string{"db", "latency"},
		"decisions": []object{{
			"what": "The database stays as large as it is",
			"why":  "The wait is for connections, never for the disk", "locked": true,
		}},
		"attempts": []object{{
			"tried": "Raise max_connections to 400", "outcome": "failed",
			"learned": "Memory runs out before the queue is gone",
		}},
		"constraints": []string{"No tenant may wait for another one's import"},
	})
	w.ago(19, 6).note(object{
		"type": "note", "kind": "pitfall",
		"text":  "The importer holds a connection while it sleeps between two pages",
		"why":   "It looks idle in pg_stat_activity, so that nobody suspects it",
		"topic": "db/pool", "tags": []string{"db"}, "provenance": agent,
		"cites": []object{cite("internal/db/pool.go", 6, 9)},
	})
	retry := w.ago(17, 3).save("feature/retry", second, signed, object{
		"goal":      "Let clients ask again without doubling orders",
		"next_step": "Store the idempotency key with the order, in one transaction", "provenance": ada,
		"decisions": []object{{
			"what": "The key is the client's, and lives for a day",
			"why":  "Ours would not survive a lost answer",
		}},
	})
	third := w.ago(16, 1).save("main", second, gate.NoSign, object{
		"goal": "Give each tenant a pool of its own", "next_step": "Roll out to the first ten tenants",
		"provenance": agent,
		"attempts": []object{{
			"tried": "One pool with a queue for each tenant", "outcome": "partial",
			"learned": "Fair, and slower by a third",
		}},
		"cites": []object{cite("internal/db/pool.go", 11, 12)},
	})
	old := w.ago(15, 5).note(
		object{
			"type": "note", "kind": "decision", "text": "One pool for all tenants, with a fair queue",
			"provenance": ada, "topic": "db/pool",
		})
	decision := w.ago(12, 2).note(object{
		"type": "note", "kind": "decision", "text": "A pool of four for each tenant",
		"why":   "A queue is fair and slow; four is what the slowest tenant needs at noon",
		"topic": "db/pool", "impact": "high", "provenance": ada, "links": []string{third},
		"cites": []object{cite("internal/db/pool.go", 11, 12)},
	})
	w.happen("supersede", old, decision, "measured at noon")
	w.ago(11, 2).note(object{
		"type": "skip", "item": "Raising max_connections",
		"reason":     "Tried twice: the server runs out of memory before the queue is gone",
		"expires_at": "2027-02-01T00:00:00Z",
		"match":      object{"command": "psql -c \"alter system set max_connections"}, "provenance": agent,
	})
	retrySecond := w.ago(9, 7).save("feature/retry", retry, signed, object{
		"goal":      "Write the idempotency key in the transaction of the order",
		"next_step": "Drop keys after a day with the nightly job", "provenance": agent,
		"attempts": []object{{
			"tried": "A table of its own for keys", "outcome": "failed",
			"learned": "Two writes are two chances to lose one",
		}},
		"cites": []object{cite("internal/api/retry.go", 3, 4)},
	})
	w.ago(8, 3).plant("packet", 762939453125, object{
		"goal": "Move the importer to a queue", "next_step": "Ask who owns the worker hosts",
		"anchor":     object{"branch": "spike/queue"},
		"provenance": object{"author_human": "bob@example.com", "agent": "codex", "model": "gpt-5.2"},
		"parent_id":  second,
	})
	w.ago(6, 4).note(object{
		"type": "note", "kind": "preference",
		"text": "Measure at noon, Berlin time, on a working day", "provenance": ada, "topic": "ways",
	})
	w.ago(5, 2).note(object{
		"type": "note", "kind": "task", "text": "Alarm when a tenant waits longer than 200 ms", "priority": 7,
		"category": "active_work", "status": "active",
		"next_action": "Add the histogram to the pool", "provenance": agent,
	})
	w.ago(4, 6).note(object{
		"type": "note", "kind": "task", "text": "Answer from the hosting team about worker hosts",
		"priority": 3, "category": "waiting_for", "status": "paused", "provenance": ada,
	})
	merged := w.ago(3, 1).save("main", third, signed, object{
		"goal":             "Ship per-tenant pools and safe retries together",
		"next_step":        "Watch the wait of the ten largest tenants at noon, then remove the old pool",
		"success_criteria": []string{"No order times out for a week", "p99 of the wait below 50 ms"},
		"constraints":      []string{"The old pool stays behind a switch until then"},
		"parents":          []string{retrySecond},
		"decisions": []object{
			{
				"what": "Both go out in one release", "why": "Retries without pools made the noon queue longer",
				"consequences": "Rolling back one rolls back both", "locked": true,
			},
			{"what": "The switch is per tenant", "why": "One large tenant can go back alone"},
		},
		"attempts": []object{
			{
				"tried": "Retries first, pools a week later", "outcome": "failed",
				"learned": "Each retry took another connection",
			},
			{
				"tried": "Pools of four, measured over three days", "outcome": "succeeded",
				"learned": "The wait never went above 31 ms",
			},
		},
		"methods": []object{{
			"name": "noon-replay", "when_applicable": "Whenever the pool changes",
			"how": "Replay yesterday's 11:55 to 12:10 against staging, at double speed",
		}},
		"open_questions": []string{"Who pays for a tenant that needs more than four?"},
		"provenance":     agent, "tags": []string{"db", "api", "release"}, "impact": "high",
		"cites": []object{cite("internal/db/pool.go", 11, 12), cite("internal/api/retry.go", 3, 4)},
	})
	w.ago(2, 3).save("fix/alarm", merged, gate.NoSign, object{
		"goal":      "Tell a slow pool from a slow query in the alarm",
		"next_step": "Label the histogram with the tenant", "provenance": ada,
	})
	w.ago(0, 5).save("main", merged, signed, object{
		"goal": "Remove the old pool", "next_step": "Delete the switch once the last two tenants moved",
		"provenance": agent,
		"attempts": []object{{
			"tried": "Delete it at once", "outcome": "failed",
			"learned": "Two tenants still start with the old flag",
		}},
		"cites": []object{cite("internal/db/pool.go", 5, 9)},
	})
	w.ago(0, 2).noteTo(replay.Private,
		object{
			"type": "note", "kind": "fact", "text": "Staging is slow today; do not measure there",
			"provenance": ada,
		})
	w.put("internal/db/pool.go", pool[:len(pool)-2]+"6\n")
	w.commit()
	return w
}
