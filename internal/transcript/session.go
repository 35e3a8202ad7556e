package transcript

import "time"

// Session is what a transcript tells of one session. A field that the transcript does not tell is zero. Every list is bounded:
// the first prompt and what came last are kept, and of commands those that failed before those that did not.
type Session struct {
	Format  Format
	ID      string
	Dir     string // where it last worked
	Branch  string // as the client saw it last
	Commit  string // as the client saw it at the start
	Model   string // the last one that answered
	Version string // of the client
	Began   time.Time
	Ended   time.Time

	Prompts   []Said     // what the person typed, in order; the first is the goal's source
	Commands  []Command  // what ran in a shell, in order
	Failures  []Failure  // calls of other tools that failed, in order
	Decisions []Decision // what the person decided, in order
	Todos     []Todo     // the list as it stood last
	Edited    []string   // paths that were written, each once, the last written last
	Commits   []Commit   // commits that were made, in order
	Last      string     // the last words of the agent
	Summary   string     // the client's own summary of the session, the last one
}

// Said is something that the person typed.
type Said struct {
	Text string
	At   time.Time
}

// Command is a call of a shell.
type Command struct {
	Text   string
	Exit   int // the exit code, or zero where the transcript has none
	Failed bool
	Output string // the end of what it printed, where it failed
	At     time.Time
	Tool   string // as the client calls it
}

// Failure is a call of a tool that is no shell and that failed.
type Failure struct {
	Tool  string // as the client calls it
	What  string // the path or the question that it was about
	Error string
	At    time.Time
}

// DecisionKind says how the person decided.
type DecisionKind string

// The kinds of decisions.
const (
	Rejected DecisionKind = "rejected" // a call of a tool was not allowed
	Approved DecisionKind = "approved" // a plan was accepted
	Answered DecisionKind = "answered" // a question of the agent was answered
)

// Decision is what the person decided.
type Decision struct {
	Kind     DecisionKind
	Question string // what was rejected, the plan, or the question
	Text     string // the reason or the answer; empty where none was given
	At       time.Time
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
	ID      string // as git printed it, mostly abbreviated
	Subject string
}
