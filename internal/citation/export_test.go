package citation

// FindLines says where some lines of old, counted from 1, stand in now; 0 is nowhere.
func FindLines(old, now string, from, to int) int {
	at, ok := span{from: from - 1, to: to}.findSpan(textLines([]byte(old)), textLines([]byte(now)))
	if !ok {
		return 0
	}
	return at + 1
}
