package redact

// A near describes secrets without a prefix of their own that stand a few
// bytes after the word that names them.
type near struct {
	reach int // How far after the keyword the secret may begin.
	body  func(byte) bool
	size  int // Its length, exactly.
	judge func(string) bool
}

// nearRules are secrets that only their name gives away.
func nearRules() []Rule {
	aws := near{reach: 48, body: isSecretKey, size: 40, judge: isRandom}
	ltm := near{reach: 32, body: isAlnum, size: 48, judge: func(s string) bool {
		n := classesOf(s)
		return n.digit > 0 && n.lower+n.upper > 0
	}}
	return []Rule{
		{
			ID: "aws-secret-access-key", Severity: Block,
			Why:      "looks like an AWS secret access key",
			Advice:   "deactivate it in the AWS IAM console, then leave it out of the packet",
			keywords: []string{"secret_access_key", "secretaccesskey", "secret access key", "secret-access-key", "aws_secret", "aws secret", "aws_secret_key"},
			find:     aws.find,
		},
		{
			ID: "ltm-token", Severity: Block,
			Why:      "looks like the token of an ltm server",
			Advice:   "revoke it on the ltm server, then leave it out of the packet",
			keywords: []string{"token", "bearer", "ltm_"},
			find:     ltm.find,
		},
	}
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
