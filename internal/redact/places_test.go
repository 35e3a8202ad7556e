package redact_test

import "strings"

// places are paths and addresses, alone and inside a sentence.
func places() []planted {
	var all []planted
	for _, row := range [...][2]string{
		{"home-path", "/Users/alice/project"},
		{"home-path", "/Users/alice"},
		{"home-path", "/home/bob/src/main.go"},
		{"home-path", "/home/bob/x"},
		{"home-path", "/root/.ssh/id_rsa"},
		{"home-path", "/Users/Émile/app"},
		{"home-path", "/mnt/c/Users/alice/x"},
		{"home-path", "/c/Users/alice/x"},
		{"home-path", "/Users/alice.b/My-Code"},
		{"home-path", "/users/alice/Documents/x.md"},
		{"home-path", "/var/home/bob/x"},
		{"home-path", "/home/anna.schmidt"},
		{"windows-path", `C:\Users\alice\x`},
		{"windows-path", `C:\Documents and Settings\Olaf\x.dat`},
		{"windows-path", `C:\\Users\\alice\\x`},
		{"windows-path", "C:/Users/alice/x"},
		{"windows-path", `C:\Users\Ann Lee\x`},
		{"unc-path", `\\fileserver\share\doc.txt`},
		{"unc-path", `\\\\nas01\\team\\x`},
		{"unc-path", `\\wsl$\Ubuntu`},
		{"file-url", "file:///Users/alice/x.html"},
		{"file-url", "file:///C:/x/y"},
		{"file-url", "file://host/share/x"},
		{"mac-address", "3c:22:fb:7a:19:e4"},
		{"shell-prompt", "mara@thinkpad:~/src$"},
		{"internal-host", "https://git.corp.internal/x"},
		{"internal-host", "db01.prod.internal"},
		{"internal-host", "git.acme.corp"},
		{"internal-host", "printer.lan"},
		{"internal-host", "router.home.arpa"},
	} {
		text := row[1]
		secret := strings.TrimPrefix(strings.TrimPrefix(text, "http://"), "https://")
		switch row[0] {
		case "internal-host":
			secret, _, _ = strings.Cut(secret, "/")
		case "shell-prompt":
			secret, _, _ = strings.Cut(secret, ":")
		case "mac-address":
			text = "ether " + text
		}
		all = append(all, planted{row[0], text, secret},
			planted{row[0], "run it in " + text + ", please", secret})
	}
	return all
}
