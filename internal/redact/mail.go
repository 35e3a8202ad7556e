package redact

// mailTokens are the keys of services that send mail and text messages.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var mailTokens = [...]tokenRow{
	{"sendgrid-key", "a SendGrid API key", "at app.sendgrid.com", shape{prefixes: []string{"SG."}, body: isDotted, min: 50, alone: true, part: '.'}},
	{"twilio-key", "a Twilio API key", "at console.twilio.com", shape{prefixes: []string{"SK"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"brevo-key", "a Brevo API key", "at app.brevo.com", shape{prefixes: []string{"xkeysib-", "xsmtpsib-"}, body: isURLSafe, min: 64}},
	{"mailgun-key", "a Mailgun key", "at app.mailgun.com", shape{prefixes: []string{"key-"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"mailchimp-key", "a Mailchimp API key", "in the Mailchimp account settings", shape{prefixes: []string{"-us"}, layout: "d1,2", lead: 32, body: isHex}},
	{"mandrill-key", "a Mandrill API key", "at mandrillapp.com", shape{prefixes: []string{"md-"}, body: isURLSafe, min: 22, exact: true, alone: true, mixed: true}},
	{"mailersend-token", "a MailerSend token", "at app.mailersend.com", shape{prefixes: []string{"mlsn."}, body: isAlnum, min: 30}},
	{"resend-key", "a Resend API key", "at resend.com/api-keys", shape{prefixes: []string{"re_"}, layout: "a6,10_a20,30", alone: true, mixed: true}},
	{"resend-plain-key", "a Resend API key", "at resend.com/api-keys", shape{prefixes: []string{"re_"}, body: isWord, min: 32, exact: true, alone: true, mixed: true}},
	{"smtp2go-key", "an SMTP2GO API key", "at app.smtp2go.com", shape{prefixes: []string{"api-"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"kit-key", "a Kit API key", "at app.kit.com", shape{prefixes: []string{"kit_"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"nylas-key", "a Nylas API key", "at dashboard.nylas.com", shape{prefixes: []string{"nyk_"}, body: isWord, min: 40, alone: true, digit: true}},
	{"klaviyo-key", "a private Klaviyo key", "in the Klaviyo settings", shape{prefixes: []string{"pk_"}, body: isLowerNum, min: 34, exact: true, alone: true, digit: true}},
	{"telnyx-key", "a Telnyx API key", "at portal.telnyx.com", shape{prefixes: []string{"KEY"}, body: isURLSafe, min: 55, exact: true, alone: true, digit: true}},
	{"onesignal-key", "a OneSignal API key", "at dashboard.onesignal.com", shape{prefixes: []string{"os_v2_app_", "os_v2_org_"}, body: isLowerNum, min: 40}},
	{"courier-key", "a Courier API key", "at app.courier.com", shape{prefixes: []string{"pk_prod_", "dk_prod_", "pk_test_", "dk_test_"}, body: isUpperNum, min: 28, exact: true, digit: true}},
	{"beamer-key", "a Beamer API key", "at app.getbeamer.com", shape{prefixes: []string{"b_"}, body: isBase64, min: 44, exact: true, alone: true, mixed: true}},
	{"gc-notify-key", "a GC Notify API key", "at notification.canada.ca", shape{prefixes: []string{"gcntfy-"}, body: isURLSafe, min: 70, digit: true}},
	{"ntfy-token", "an ntfy token", "with ntfy token remove", shape{prefixes: []string{"tk_"}, body: isLowerNum, min: 29, exact: true, alone: true, digit: true}},
	{"pushbullet-token", "a Pushbullet token", "at pushbullet.com", shape{prefixes: []string{"o."}, layout: "a32", alone: true, mixed: true}},
}
