package redact

// deviceRules are passwords in the settings of devices and in files that set
// machines up.
func deviceRules() []Rule {
	const advice = "change it, and write only where it is kept"
	const value = `["']?([^\s"'<>${}]{6,128})`
	return []Rule{
		{
			ID: "device-password", Severity: Block,
			Why: "looks like a password in the settings of a device", Advice: advice,
			keywords: []string{
				"snmp-server community ", "snmp community ", "rocommunity ", "rwcommunity ", "enable secret ", "enable password ", "password 7 ", "password 0 ", "secret 0 ",
				"secret 5 ", "secret 8 ", "secret 9 ", "key 7 ", "isakmp key ", "pre-shared-key ", "tacacs-server key ", "radius-server key ", "-key 1 md5 ", "authentication-key ",
				"rootpw --plaintext ", "rootpw --iscrypted ", "nickserv identify ", "nickserv :identify ",
			},
			find: strongest(pattern(0, 200, `(?i)^(?:rootpw --[a-z]+|nickserv :?identify|(?:[a-z]+-?)+(?: [a-z]+-?[a-z]*)?)(?: (?:[0-9]|md5|ascii-text|hexadecimal|local|remote|level [0-9]+))* +`+value)),
		},
		{
			ID: "setup-password", Severity: Block,
			Why: "looks like a password in a file that sets a machine up", Advice: advice,
			keywords: []string{"chpasswd", `" * "`, " on >"},
			find: strongest(anyGroup(240, `(?i)^(?:chpasswd:?\s*(?:\n\s*[a-z_]+: *[a-z]+)*\n\s*(?:list|users): *\|?\s*\n?\s*-? *[a-z0-9_-]+:([^\s:"']{6,64})(?:$|\s)|`+
				`" \* "([^\s"]{6,64})"| on >([^\s"']{6,128}) +[~&+%])`)),
		},
		{
			ID: "aws-key-pair", Severity: Block, shape: true,
			Why: "looks like the secret key of an AWS account behind its id", Advice: advice,
			keywords: []string{"akia", "asia"},
			find:     pattern(0, 64, `^A[KS]IA[A-Z0-9]{16}:([A-Za-z0-9/+]{40})(?:$|[^A-Za-z0-9/+=])`),
		},
	}
}

// strongest returns find for values that are more than a word.
func strongest(find finder) finder {
	return func(text string, keyword span) (span, bool) {
		secret, ok := find(text, keyword)
		if !ok {
			return span{}, false
		}
		value := secret.of(text)
		return secret, secretArgument(value) && strongArgument(value) && !identifier(value)
	}
}
