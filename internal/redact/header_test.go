package redact_test

import (
	"encoding/base64"
	"testing"
)

func TestScanText_headers(t *testing.T) {
	t.Parallel()

	m := newMaker()
	holdsPlanted(t, m.body(alnums, 24), []string{
		"Authorization: Bearer §",
		"Authorization: §",
		"authorization: token §",
		`{"Authorization": "Bearer §"}`,
		`req.Header.Set("Authorization", "Bearer §")`,
		`headers["Authorization"] = "ApiKey §"`,
		"headers: { Authorization: `Bearer §` }",
		`{"name": "Authorization", "value": "Bearer §"}`,
		"- name: Authorization\n  value: Bearer §",
		"Proxy-Authorization: Negotiate §",
		"X-Api-Key: §",
		"http h.test X-Api-Key:§",
		`fetch(u, {headers: {"X-Api-Key": "§"}})`,
		`.header("X-Auth-Token", "§")`,
		`setRequestHeader('x-custom-secret', '§')`,
		"X-Amz-Security-Token: §",
		"Ocp-Apim-Subscription-Key: §",
		"DD-API-KEY: §",
		"curl --header 'PRIVATE-TOKEN: §' https://h.test",
		"Cookie: theme=dark; sessionid=§; lang=de",
		"Set-Cookie: sid=§; Path=/; HttpOnly",
		"Set-Cookie: JSESSIONID=§; Path=/",
		"PHPSESSID=§",
		"Cookie: _gitlab_session=§",
		"curl -b 'auth=§' https://h.test",
		"curl --cookie \"session=§\" https://h.test",
		"document.cookie = \"session=§\"",
		"cookies = {'sessionid': '§'}",
		`{"cookies": [{"name": "sessionid", "value": "§"}]}`,
		"h.test\tTRUE\t/\tTRUE\t1893456000\tsessionid\t§",
	})
	holdsPlanted(t, m.body(hexes, 32), []string{
		`Authorization: Digest username="ops", nonce="abc", response="§"`,
		"Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=§",
		`Authorization: Hawk id="dh37", mac="§"`,
	})
	holdsPlanted(t, "x7"+"Kq9mZ2",
		[]string{"Authorization: Bearer §", "curl -H 'Authorization: Bearer §' h.test", "X-Api-Key: §"})
	holdsPlanted(t, base64.StdEncoding.EncodeToString([]byte("jo:Tr4"+"velq8")), []string{
		"Authorization: Basic §",
		"Proxy-Authorization: Basic §",
		"authorization: basic §",
		`.header("Authorization", "Basic §")`,
	})
}

func TestScanText_noHeaders(t *testing.T) {
	t.Parallel()

	holdsNothing(t, []string{
		"Authorization: Bearer tokens expire after an hour",
		"Authorization: Bearer $TOKEN",
		"Authorization: Bearer ${{ secrets.API_TOKEN }}",
		"Authorization: Bearer token123",
		"Authorization: Bearer <your-token>",
		"Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("user:password")),
		"the bearer of message12 came late",
		"X-Request-Id: 7f3c1b2a9d8e4f50",
		"X-Api-Key: YOUR_API_KEY",
		"X-Api-Key: required",
		"X-Idempotency-Key: 7f3c1b2a9d8e4f50",
		"Cache-Key: 7f3c1b2a9d8e4f50",
		"Cookie: theme=dark; lang=de; consent=20260101",
		"Set-Cookie: session=deleted; Path=/; Max-Age=0",
		"session=3 of 7 went well",
		"session_id=8d7f2f6a-9d3c-4d55-9d53-0c2f1d9e7a11",
		"sessionId 8d7f2f6a-9d3c-4d55-9d53-0c2f1d9e7a11 resumed",
		"inside=7f3c1b2a9d8e4f507f3c1b2a9d8e4f50",
		"x-axis and x-height are words; x-ray7 too",
		"the Authorization header was dropped by the proxy on the second hop",
	})
}
