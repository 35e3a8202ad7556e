package briefing

// Every fixed sentence that git ltm itself says to a model in a session stands in this file: what surrounds a record, asks for one,
// or says why a call was held back. A test counts their characters. What a record says never stands here.

const (
	// closedThread is said of a packet whose thread has ended, before what it says.
	closedThread = "This thread is closed: what it was after is done or was given up. Its next step is left out."
)
