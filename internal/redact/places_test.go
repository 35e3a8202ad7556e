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
		{"image-home-path", "/home/runner/work/repo"},
		{"home-path", "/Users/alice.b/My-Code"},
		{"home-path", "/users/alice/Documents/x.md"},
		{"home-path", "/var/home/bob/x"},
		{"home-path", "/home/anna.schmidt"},
		{"image-home-path", "/home/node/app"},
		{"image-home-path", "/Users/runner/work"},
		{"tilde-path", "~mara/x"},
		{"windows-path", `C:\Users\alice\x`},
		{"windows-path", `C:\Documents and Settings\Olaf\x.dat`},
		{"windows-drive-path", `C:\Users\runneradmin\x`},
		{"system-path", "/media/mara/Disk"},
		{"system-path", "/run/media/mara/disk"},
		{"system-path", "/run/user/1000"},
		{"windows-path", `C:\\Users\\alice\\x`},
		{"windows-path", "C:/Users/alice/x"},
		{"windows-drive-path", `D:\work\thing.txt`},
		{"windows-drive-path", "D:/work/thing.txt"},
		{"windows-path", `C:\Users\Ann Lee\x`},
		{"unc-path", `\\fileserver\share\doc.txt`},
		{"unc-path", `\\\\nas01\\team\\x`},
		{"unc-path", `\\wsl$\Ubuntu`},
		{"file-url", "file:///Users/alice/x.html"},
		{"file-url", "file:///C:/x/y"},
		{"file-url", "file://host/share/x"},
		{"home-relative-path", "~/code/thing"},
		{"home-relative-path", "~/.ssh/config"},
		{"home-relative-path", "$HOME/bin/x"},
		{"home-relative-path", "${HOME}/bin/x"},
		{"home-relative-path", `%USERPROFILE%\x`},
		{"home-relative-path", `%APPDATA%\npm`},
		{"system-path", "/etc/nginx/nginx.conf"},
		{"system-path", "/opt/app/bin"},
		{"system-path", "/var/lib/x"},
		{"system-path", "/tmp/out.log"},
		{"system-path", "/srv/www"},
		{"system-path", "/mnt/disk1"},
		{"system-path", "/usr/local/go"},
		{"system-path", "/Volumes/Backup"},
		{"system-path", "/private/tmp"},
		{"system-path", "/nix/store"},
		{"system-path", "/workspace/repo"},
		{"system-path", "/data/models"},
		{"system-path", "/root"},
		{"system-path", "/Library/Fonts"},
		{"system-path", "/proc/123"},
		{"private-address", "10.0.3.7:8080"},
		{"private-address", "192.168.1.20:22"},
		{"private-address", "172.16.0.4:5432"},
		{"private-address", "http://127.0.0.1:3000"},
		{"private-address", "http://10.1.2.3/x"},
		{"private-address", "192.168.178.33"},
		{"private-address", "10.42.0.0/16"},
		{"private-address", "100.64.3.9"},
		{"private-ipv6-address", "fd12:3456:789a::7"},
		{"private-ipv6-address", "fe80::1ff:fe23:4567:890a"},
		{"mac-address", "3c:22:fb:7a:19:e4"},
		{"shell-prompt", "mara@thinkpad:~/src$"},
		{"localhost-url", "http://localhost:8080/x"},
		{"localhost-url", "localhost:5432"},
		{"internal-host", "https://git.corp.internal/x"},
		{"internal-host", "db01.prod.internal"},
		{"internal-host", "git.acme.corp"},
		{"internal-host", "printer.lan"},
		{"internal-host", "router.home.arpa"},
		{"aws-arn", "arn:aws:iam::" + "210987654321:role/deploy"},
		{"aws-arn", "arn:aws-cn:s3:cn-north-1:" + "210987654321:bucket"},
		{"email-address", "alice.b@company.io"},
	} {
		text := row[1]
		secret := strings.TrimPrefix(strings.TrimPrefix(text, "http://"), "https://")
		switch row[0] {
		case "localhost-url", "internal-host", "private-address":
			secret, _, _ = strings.Cut(secret, "/")
		case "shell-prompt":
			secret, _, _ = strings.Cut(secret, ":")
		case "mac-address":
			text = "ether " + text
		}
		all = append(all, planted{row[0], text, secret}, planted{row[0], "run it in " + text + ", please", secret})
	}
	return all
}
