package transcript

// Detect says whose transcript begins with head, which may be cut anywhere.
func Detect(head []byte) (Format, bool) {
	_ = head
	return "", false
}
