package redact

// serviceRules are the tokens of payment, message and work services.
func serviceRules() []Rule {
	return []Rule{
		token("slack-token", "a Slack token", "at api.slack.com/apps",
			shape{prefixes: []string{
				"xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-", "xoxo-", "xoxe.xoxb-", "xoxe.xoxp-", "xapp-",
			}, body: isURLSafe, min: 10}),
		token("stripe-key", "a Stripe secret key", "at dashboard.stripe.com/apikeys",
			shape{prefixes: []string{"sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_live_", "sk_org_test_"}, body: isAlnum, min: 20}),
		token("stripe-webhook-secret", "a signing secret of a Stripe webhook", "at dashboard.stripe.com/webhooks",
			shape{prefixes: []string{"whsec_"}, body: isBase64, min: 32}),
		token("sendgrid-key", "a SendGrid API key", "at app.sendgrid.com",
			shape{prefixes: []string{"SG."}, body: isDotted, min: 50, alone: true, part: '.'}),
		token("twilio-key", "a Twilio API key", "at console.twilio.com",
			shape{prefixes: []string{"SK"}, body: isHex, min: 32, exact: true, alone: true, digit: true}),
		token("shopify-token", "a Shopify token", "in the Shopify admin",
			shape{prefixes: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, body: isHex, min: 32}),
		token("square-token", "a Square credential", "at developer.squareup.com",
			shape{prefixes: []string{"sq0atp-", "sq0csp-"}, body: isURLSafe, min: 22}),
		token("braintree-token", "a Braintree access token", "in the Braintree control panel",
			shape{prefixes: []string{"access_token$production$"}, body: isDollar, min: 40}),
		token("razorpay-key", "a Razorpay key", "in the Razorpay dashboard",
			shape{prefixes: []string{"rzp_live_"}, body: isAlnum, min: 14}),
		token("flutterwave-key", "a Flutterwave secret key", "in the Flutterwave dashboard",
			shape{prefixes: []string{"FLWSECK-", "FLWSECK_TEST-"}, body: isURLSafe, min: 32}),
		token("easypost-key", "an EasyPost API key", "in the EasyPost dashboard",
			shape{prefixes: []string{"EZAK", "EZTK"}, body: isAlnum, min: 54, alone: true}),
		token("shippo-token", "a Shippo token", "in the Shippo dashboard",
			shape{prefixes: []string{"shippo_live_", "shippo_test_"}, body: isHex, min: 40}),
		token("brevo-key", "a Brevo API key", "at app.brevo.com",
			shape{prefixes: []string{"xkeysib-", "xsmtpsib-"}, body: isURLSafe, min: 64}),
		token("mailgun-key", "a Mailgun key", "at app.mailgun.com",
			shape{prefixes: []string{"key-"}, body: isHex, min: 32, exact: true, alone: true, digit: true}),
		token("resend-key", "a Resend API key", "at resend.com/api-keys",
			shape{prefixes: []string{"re_"}, body: isWord, min: 32, exact: true, alone: true, digit: true}),
		token("linear-key", "a Linear API key", "in the Linear settings",
			shape{prefixes: []string{"lin_api_", "lin_oauth_"}, body: isAlnum, min: 40}),
		token("notion-token", "a Notion token", "at notion.so/my-integrations",
			shape{prefixes: []string{"ntn_", "secret_"}, body: isAlnum, min: 43, alone: true, digit: true}),
		token("postman-key", "a Postman API key", "in the Postman settings",
			shape{prefixes: []string{"PMAK-"}, body: isURLSafe, min: 50}),
		token("figma-token", "a Figma token", "in the Figma settings",
			shape{prefixes: []string{"figd_", "figo_"}, body: isURLSafe, min: 36}),
		token("sentry-token", "a Sentry token", "in the Sentry settings",
			shape{prefixes: []string{"sntrys_", "sntryu_"}, body: isBase64, min: 40}),
		token("contentful-token", "a Contentful token", "in the Contentful settings",
			shape{prefixes: []string{"CFPAT-"}, body: isURLSafe, min: 40}),
		token("readme-key", "a ReadMe API key", "at dash.readme.com",
			shape{prefixes: []string{"rdme_"}, body: isAlnum, min: 60}),
		token("typeform-token", "a Typeform token", "at admin.typeform.com",
			shape{prefixes: []string{"tfp_"}, body: isDotted, min: 40}),
		token("posthog-key", "a PostHog personal API key", "in the PostHog settings",
			shape{prefixes: []string{"phx_"}, body: isAlnum, min: 36}),
		token("adafruit-key", "an Adafruit IO key", "at io.adafruit.com",
			shape{prefixes: []string{"aio_"}, body: isAlnum, min: 28, exact: true, alone: true, digit: true}),
		token("mapbox-token", "a secret Mapbox token", "at account.mapbox.com",
			shape{prefixes: []string{"sk.eyJ"}, body: isDotted, min: 60, alone: true}),
	}
}

func isDollar(c byte) bool { return isAlnum(c) || c == '$' }

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
			ID: "telegram-token", Severity: Block, shape: true,
			Why:      "looks like the token of a Telegram bot",
			Advice:   "revoke it with BotFather, then leave it out of the packet",
			keywords: []string{":aa"},
			find:     following(pattern(11, 34, `(?:^|[^0-9])([0-9]{8,10}:AA[A-Za-z0-9_-]{32,33})(?:$|[^A-Za-z0-9_-])`)),
		},
	}
}
