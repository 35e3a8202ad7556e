package redact

// serviceRules are the tokens of payment, message and work services.
func serviceRules() []Rule {
	return append(tokens(buildTokens[:], paymentTokens[:], mailTokens[:], chatTokens[:], workTokens[:], walletTokens[:]), djangoKey())
}

// webhookRules are addresses that let whoever knows them write.
func webhookRules() []Rule {
	return []Rule{
		{
			ID: "slack-webhook", Severity: Block, shape: true,
			Why:      "looks like the address of a Slack webhook, which lets anybody post",
			Advice:   "revoke the webhook at api.slack.com/apps, then leave it out of the packet",
			keywords: []string{"hooks.slack.com/"},
			find:     pattern(0, 160, `(?i)^hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{24,})`),
		},
		{
			ID: "discord-webhook", Severity: Block, shape: true,
			Why:      "looks like the address of a Discord webhook, which lets anybody post",
			Advice:   "delete the webhook in the channel settings, then leave it out of the packet",
			keywords: []string{"/api/webhooks/"},
			find:     pattern(0, 120, `^/api/webhooks/[0-9]{15,20}/([A-Za-z0-9_-]{40,})`),
		},
		{
			ID: "teams-webhook", Severity: Block, shape: true,
			Why:      "looks like the address of a Teams webhook, which lets anybody post",
			Advice:   "remove the connector of the channel, then leave it out of the packet",
			keywords: []string{"/webhookb2/"},
			find:     pattern(0, 250, `^/webhookb2/([0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[A-Za-z0-9/-]{40,})`),
		},
		{
			ID: "chat-webhook", Severity: Block, shape: true,
			Why:      "looks like the address of a webhook, which lets anybody post",
			Advice:   "make a new address in the settings of the robot or workflow, then leave it out of the packet",
			keywords: []string{"open-apis/bot/v2/hook/", "/cgi-bin/webhook/send?key=", "robot/send?access_token=", "hooks.zapier.com/hooks/", "maker.ifttt.com/", "hook.eu", "hook.us"},
			find: pattern(0, 200, `(?i)^(?:open-apis/bot/v2/hook/|/cgi-bin/webhook/send\?key=|robot/send\?access_token=|hooks\.zapier\.com/hooks/(?:catch|standard)/|`+
				`maker\.ifttt\.com/(?:use/|trigger/[^/\s]+/(?:json/)?with/key/)|hook\.[eu][us][12]\.make\.com/)([A-Za-z0-9_/-]{16,})`),
		},
		{
			ID: "telegram-token", Severity: Block, shape: true,
			Why:      "looks like the token of a Telegram bot",
			Advice:   "revoke it with BotFather, then leave it out of the packet",
			keywords: []string{":aa"},
			find:     followingDigit(pattern(11, 34, `(?:^|[^0-9])([0-9]{8,10}:AA[A-Za-z0-9_-]{32,33})(?:$|[^A-Za-z0-9_-])`)),
		},
	}
}
