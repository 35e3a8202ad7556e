package briefing

// Every fixed sentence that git ltm itself says to a model in a session stands in this file: what surrounds a record, asks for one,
// or says why a call was held back. A test counts their characters. What a record says never stands here.
