package redact

// A near describes secrets without a prefix of their own that stand a few
// bytes after the word that names them.
type near struct {
	reach int // How far after the keyword the secret may begin.
	body  func(byte) bool
	size  int // Its length, exactly.
	judge func(string) bool
}

// findAWSSecret finds a secret access key of AWS behind its name.
func findAWSSecret(text string, keyword span) (span, bool) {
	return (&near{reach: 48, body: isSecretKey, size: 40, judge: isRandom}).find(text, keyword)
}

// findServerToken finds the token of an ltm server behind the word for it.
func findServerToken(text string, keyword span) (span, bool) {
	return (&near{reach: 32, body: isAlnum, size: 48, judge: func(s string) bool {
		n := classesOf(s)
		return n.digit > 0 && n.lower+n.upper > 0
	}}).find(text, keyword)
}

func isSecretKey(c byte) bool { return isAlnum(c) || c == '+' || c == '/' }

func isRandom(s string) bool {
	n := classesOf(s)
	return n.lower > 0 && n.upper > 0 && n.digit+n.other > 0
}

func (n *near) find(text string, keyword span) (span, bool) {
	limit := min(len(text), keyword.end+n.reach)
	for at := keyword.end; at < limit; at++ {
		end := run(text, at, min(len(text), at+n.size+1), n.body)
		if end-at == n.size && n.judge(text[at:end]) && !placeholder(text[at:end]) {
			return span{at, end}, true
		}
		at = max(at, end)
		if end-at > n.size {
			at = run(text, end, limit, n.body)
		}
	}
	return span{}, false
}
