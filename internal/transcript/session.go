package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Session is what a transcript tells of one session. A field that the transcript does not tell is zero. Every
// list is bounded: the first prompt and what came last are kept, and of commands those that failed before
// those that did not. What was said or done is counted from 1 on; N is the place of each thing in that order,
// whatever list it is in.
type Session struct {
	Format Format
	ID     string
	Dir    string // where it last worked
	Branch string // as the client saw it last
	Commit string // as the client saw it at the start
	Model  string // the last one that answered
	Person Presence
	Began  time.Time
	Ended  time.Time

	Prompts   []Said     // what the person typed, in order; the first is the goal's source
	Commands  []Command  // what ran in a shell, and calls of tools of servers, in order
	Decisions []Decision // what the person decided, in order
	Words     []Word     // what the agent said, and the client's own summaries, in order
	Todos     []Todo     // the list as it stood last
	Edited    []string   // paths that were written, each once, the last written last
	Commits   []Commit   // commits that were made, in order
	Last      string     // the last words of the agent
	Summary   string     // the client's own summary of the session, the last one
	Unseen    string     // the last command of all, where the transcript does not tell how it ended

	Saved string // the id of the packet that the session saved last, as git ltm printed it

	LastN, SummaryN, TodosN int // the places of these three
	SavedN                  int // the place of that save
	WorkN                   int // the place of the last call of a tool
	EditN                   int // the place of the last file that was written
}

// Presence says whether a person was there in the last turn, as far as the client says so; "" is unknown.
type Presence string

// The values of Presence.
const (
	Present Presence = "present"
	Absent  Presence = "absent" // a program began the turn, and waits for its end alone
)

// notePerson notes whether a person is there.
func (s *Session) notePerson(is bool) {
	s.Person = Absent
	if is {
		s.Person = Present
	}
}

// Said is something that the person typed.
type Said struct {
	Text     string
	Corrects bool // it was typed after the agent was interrupted, or while it worked
	N        int
}

// Word is what the agent said at once, or a summary. What it thought and what its subagents reported is left
// out: nearly all that is of use there is said again.
type Word struct {
	Text    string
	Summary bool // of the client, of what came before
	Changed bool // since the last prompt, a file was written or a commit made
	N       int
}

// Command is a call of a shell, or of a tool of a server.
type Command struct {
	Text   string // the line, or the name of the tool and what the call is about
	Exit   int    // the exit code, or zero where the transcript has none
	Failed bool
	Output string // the end of what it printed, where it failed
	N      int
}

// DecisionKind says how the person decided.
type DecisionKind string

// The kinds of decisions.
const (
	Rejected DecisionKind = "rejected" // a call of a tool was not allowed
	Approved DecisionKind = "approved" // a plan was accepted
	Answered DecisionKind = "answered" // a question of the agent was answered
	// a plan was put aside without a word: clients do so with approved ones, too
	Unknown DecisionKind = "unknown"
)

// Decision is what the person decided.
type Decision struct {
	Kind     DecisionKind
	Question string // what was rejected, the plan, or the question
	Text     string // the reason or the answer; empty where none was given
	N        int
}

// TodoStatus says how far a step is.
type TodoStatus string

// The states of a step.
const (
	Pending    TodoStatus = "pending"
	InProgress TodoStatus = "in_progress"
	Completed  TodoStatus = "completed"
)

// Todo is a step of the agent's own list.
type Todo struct {
	Text   string
	Status TodoStatus
}

// Commit is a commit that the session made.
type Commit struct {
	ID       string // as git printed it, mostly abbreviated
	Subject  string // empty where another commit of the session has its place
	Replaced bool   // by an amend: the id names nothing that stays; what else git replaced, git knows
	N        int
}

// Remembered returns the folder in which a client keeps what it remembers of a directory by itself, and how
// many files are there. Where there are none, or the client keeps no such folder, it is "".
func Remembered(home string, getenv func(string) (string, bool), f Format,
	dir string,
) (at string, files int) {
	switch f {
	case ClaudeCode:
		at = folderOf(getenv, "CLAUDE_CONFIG_DIR", home, ".claude")
	case Qwen:
		at = folderOf(getenv, "QWEN_HOME", home, ".qwen")
	default:
		return "", 0
	}
	at = filepath.Join(at, "projects", slug(dir), "memory")
	list, _ := os.ReadDir(at) // What cannot be read counts as not there.
	for _, e := range list {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".md") && e.Name() != "MEMORY.md" {
			files++
		}
	}
	if files == 0 {
		return "", 0
	}
	return at, files
}
