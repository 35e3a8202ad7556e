package redact

import "strings"

// chatTokens are the tokens of services where people talk and post.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var chatTokens = [...]tokenRow{
	{"slack-token", "a Slack token", "at api.slack.com/apps", shape{prefixes: []string{
		"xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxo-", "xoxe.xoxb-", "xoxe.xoxp-", "xapp-", "xwfp-",
	}, body: isURLSafe, min: 10}},
	{"slack-cookie", "the cookie of a Slack session", "by signing out of Slack", shape{prefixes: []string{"xoxd-"}, body: isPercent, min: 10}},
	{"discord-token", "the token of a Discord bot", "at discord.com/developers", shape{prefixes: []string{
		"MT", "MD", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT",
	}, layout: "w21,26.w6.w27,43", alone: true, mixed: true}},
	{"discord-mfa-token", "the token of a Discord account", "by changing the Discord password", shape{prefixes: []string{"mfa."}, body: isURLSafe, min: 60, alone: true, digit: true}},
	{"matrix-token", "a Matrix access token", "by signing out of that session", shape{prefixes: []string{"syt_"}, body: isWord, min: 30, alone: true}},
	{"matrix-account-token", "a token of a Matrix account", "by signing out of that session", shape{prefixes: []string{"mct_", "mat_", "mcr_"}, body: isWord, min: 30, alone: true, mixed: true}},
	{"dingtalk-secret", "the secret of a DingTalk robot", "in the settings of the robot", shape{prefixes: []string{"SEC"}, body: isHex, min: 64, exact: true, alone: true, digit: true}},
	{"twitch-token", "a Twitch token", "at twitch.tv/settings/connections", shape{prefixes: []string{"oauth:"}, body: isLowerNum, min: 30, exact: true, alone: true, digit: true}},
	{"twitch-stream-key", "a Twitch stream key", "at dashboard.twitch.tv", shape{prefixes: []string{"live_"}, layout: "d6+_a30", alone: true}},
	{"twitter-token", "a bearer token of X", "at developer.x.com", shape{prefixes: []string{"AAAAAAAAAAAAAAAAAAAAA"}, body: isPercent, min: 60, alone: true, part: '%', digit: true}},
	{"facebook-token", "a Facebook access token", "at developers.facebook.com", shape{prefixes: []string{"EAA"}, body: isAlnum, min: 80, alone: true, mixed: true}},
	{"instagram-token", "an Instagram or Threads token", "at developers.facebook.com", shape{prefixes: []string{"IGQ", "IGAA", "THAA"}, body: isURLSafe, min: 80, alone: true, mixed: true}},
	{"tiktok-token", "a TikTok token", "at developers.tiktok.com", shape{prefixes: []string{"act.", "rft."}, body: isAlnum, min: 50, alone: true, mixed: true}},
	{"linkedin-secret", "a LinkedIn client secret", "at linkedin.com/developers", shape{prefixes: []string{"WPL_AP0.", "WPL_AP1."}, body: isCredential, min: 16, alone: true}},
	{"linkedin-token", "a LinkedIn access token", "at linkedin.com/developers", shape{prefixes: []string{"AQU", "AQV", "AQW", "AQX"}, body: isURLSafe, min: 180, alone: true, mixed: true}},
	{"pinterest-token", "a Pinterest token", "at developers.pinterest.com", shape{prefixes: []string{"pina_", "pinr_", "pinc_"}, body: isURLSafe, min: 20, alone: true, mixed: true}},
	{"roblox-cookie", "the cookie of a Roblox session", "by signing out of all Roblox sessions", shape{prefixes: []string{"_|WARNING:-DO-NOT-SHARE-THIS"}, body: isCookie, min: 60}},
	{"riot-key", "a Riot Games API key", "at developer.riotgames.com", shape{prefixes: []string{"RGAPI-"}, layout: "U"}},
	{"modrinth-token", "a Modrinth token", "at modrinth.com/settings", shape{prefixes: []string{"mrp_", "mro_", "mra_"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"thunderstore-token", "a Thunderstore token", "at thunderstore.io", shape{prefixes: []string{"tss_"}, body: isURLSafe, min: 20, alone: true, mixed: true}},
	{"cfx-key", "a Cfx.re licence key", "at portal.cfx.re", shape{prefixes: []string{"cfxk_"}, body: isWord, min: 20, digit: true}},
	{"lichess-token", "a Lichess token", "at lichess.org/account/oauth/token", shape{prefixes: []string{"lip_", "lio_"}, body: isWord, min: 16, alone: true, mixed: true}},
	{"oculus-token", "an Oculus access token", "at developer.oculus.com", shape{prefixes: []string{"OC|"}, layout: "d12+|a20+", alone: true}},
	{"pubnub-secret", "a PubNub secret key", "at admin.pubnub.com", shape{prefixes: []string{"sec-c-"}, body: isBase64, min: 36, alone: true, digit: true}},
	{"agora-token", "an Agora token", "at console.agora.io", shape{prefixes: []string{"007eJx"}, body: isPlainBase64, min: 40, alone: true}},
}

func isPercent(c byte) bool { return isBase64(c) || c == '%' }
func isCookie(c byte) bool  { return isDotted(c) || strings.IndexByte("|:~=+/!", c) >= 0 }
