package redact_test

import (
	"strings"
	"testing"
)

func TestScanText_devices(t *testing.T) {
	t.Parallel()

	holdsPlanted(t, "Tr4"+"velq8Zp", []string{
		"snmp-server community § RO",
		"enable secret §",
		"username ops privilege 15 secret 0 §",
		"crypto isakmp key § address 203.0.113.9",
		"rootpw --plaintext §",
		"/msg NickServ IDENTIFY §",
		"chpasswd:\n  list: |\n    root:§\n",
		`"jo@isp.test" * "§"`,
		"user app on >§ ~* +@all",
	})
	holdsPlanted(t, "0822"+"455D0A16544541", []string{"username ops password 7 §"})
	holdsNothing(t, []string{
		"snmp-server community public RO",
		"enable secret rotation in the settings",
		"enable password authentication for users",
		"the radius-server key is kept elsewhere",
		"crypto isakmp key $KEY address 203.0.113.9",
		"rootpw --plaintext changeme",
		`x := "a" * "b"`,
		"turn it on >= 3 times",
	})
}

func TestScanText_groups(t *testing.T) {
	t.Parallel()

	letters := "xqdh" + " fcps" + " otmb" + " fdwg"
	holdsPlanted(t, letters,
		[]string{`smtp.login("jo@gmail.com", "§")`, "EMAIL_HOST_PASSWORD = '§'", "the app password is §"})
	holdsPlanted(t, strings.ReplaceAll(letters, " ", ""), []string{"server.login('jo.bot@gmail.com', '§')"})
	holdsPlanted(t, "E2WE"+" 6SLD"+" Q5PU"+" W2PO", []string{"authenticator secret §", "2FA setup key: §"})
	holdsPlanted(t, "ed479"+"-a73a5", []string{"Recovery codes: §", "backup code §"})
	holdsNothing(t, []string{
		"gmail sent that mail from here once more",
		"the app password page must stay open",
		"Authenticator: RFC 6238, SHA1, 6 digits, 30 s",
		"two-factor login with 2026 2027 2028 2029",
		"Recovery codes are shown once",
		"the code point 242FA 2452 723A 7243 724E 724F",
	})
}
