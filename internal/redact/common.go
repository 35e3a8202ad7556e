package redact

import "strings"

// isCommonPath says whether path is the same on every machine that has it:
// what a distribution or the official package of a server puts there.
func isCommonPath(path string) bool {
	path, _, _ = strings.Cut(path, ":") // A line, or the other side of a volume.
	path = strings.TrimSuffix(path, "/")
	const deepest = 5
	for at, names := 1, 0; at < len(path) && names < deepest; names++ {
		end := strings.IndexByte(path[at:], '/')
		if end < 0 {
			end = len(path) - at
		}
		if isCommonTree(path[:at+end]) {
			return true
		}
		at += end + 1
	}
	switch path {
	case "/usr/local", "/usr/src", "/usr/lib/systemd", "/var/log", "/var/lib", "/var/run", "/var/cache", "/var/spool", "/var/tmp", "/var/www",
		"/var/www/html", "/var/mail", "/etc/systemd", "/etc/nginx", "/etc/docker", "/etc/default", "/etc/ssh", "/etc/postgresql",
		"/etc/apache2", "/etc/httpd", "/etc/redis", "/etc/mysql", "/etc/kubernetes", "/etc/ssl", "/etc/pki", "/etc/apt", "/etc/apk", "/etc/cron.d",
		"/etc/cron.daily", "/etc/profile.d", "/etc/sysctl.d", "/etc/logrotate.d", "/etc/sudoers.d", "/etc/pam.d", "/etc/skel", "/etc/init.d",
		"/usr/share/nginx/html", "/var/lib/docker/volumes", "/var/lib/docker", "/nix/var", "/usr/share", "/usr/lib", "/usr/bin":
		return true
	default:
		return false
	}
}

// isCommonTree says whether path is a file that is common, or a directory
// below which everything is.
func isCommonTree(path string) bool {
	switch path {
	case "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/include", "/usr/share", "/usr/local/bin",
		"/usr/local/sbin", "/usr/local/include", "/usr/local/lib/python3", "/usr/local/lib/node_modules", "/usr/local/go/src", "/usr/local/go/bin",
		"/usr/local/go/pkg", "/usr/local/cargo", "/usr/local/rustup", "/usr/local/etc/php":
		return true
	case "/etc/hosts", "/etc/hosts.allow", "/etc/hosts.deny", "/etc/hostname", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/passwd",
		"/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/subuid", "/etc/subgid", "/etc/shells", "/etc/services", "/etc/protocols",
		"/etc/os-release", "/etc/lsb-release", "/etc/debian_version", "/etc/alpine-release", "/etc/redhat-release", "/etc/issue", "/etc/motd",
		"/etc/machine-id", "/etc/localtime", "/etc/timezone", "/etc/locale.gen", "/etc/locale.conf", "/etc/fstab", "/etc/mtab", "/etc/crypttab",
		"/etc/crontab", "/etc/environment", "/etc/profile", "/etc/bashrc", "/etc/bash.bashrc", "/etc/zshrc", "/etc/zsh", "/etc/inputrc",
		"/etc/sudoers", "/etc/login.defs", "/etc/ld.so.conf", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/gitconfig", "/etc/wgetrc",
		"/etc/sysctl.conf", "/etc/inittab", "/etc/modules", "/etc/rc.local", "/etc/aliases", "/etc/ssl/certs", "/etc/ssl/private",
		"/etc/ssl/openssl.cnf", "/etc/ssl/cert.pem", "/etc/pki/tls", "/etc/pki/ca-trust", "/etc/ca-certificates", "/etc/ca-certificates.conf",
		"/etc/ssh/sshd_config", "/etc/ssh/ssh_config", "/etc/ssh/ssh_known_hosts", "/etc/apt/sources.list", "/etc/apt/sources.list.d",
		"/etc/apt/keyrings", "/etc/apt/apt.conf.d", "/etc/apk/repositories", "/etc/apk/world", "/etc/yum.repos.d", "/etc/dnf/dnf.conf",
		"/etc/pacman.conf", "/etc/docker/daemon.json", "/etc/containerd/config.toml", "/etc/systemd/system", "/etc/systemd/user",
		"/etc/systemd/system.conf", "/etc/systemd/journald.conf", "/etc/systemd/resolved.conf", "/etc/systemd/network", "/etc/udev/rules.d",
		"/etc/logrotate.conf", "/etc/rsyslog.conf", "/etc/nginx/conf.d/default.conf", "/etc/nginx/mime.types", "/etc/nginx/sites-enabled/default",
		"/etc/nginx/sites-available/default", "/etc/postgresql/postgresql.conf", "/etc/mysql/my.cnf", "/etc/mysql/conf.d", "/etc/my.cnf",
		"/etc/redis/redis.conf", "/etc/redis.conf", "/etc/apache2/apache2.conf", "/etc/httpd/conf/httpd.conf", "/etc/haproxy/haproxy.cfg",
		"/etc/prometheus/prometheus.yml", "/etc/grafana/grafana.ini", "/etc/kubernetes/admin.conf", "/etc/kubernetes/manifests",
		"/etc/kubernetes/pki", "/etc/rancher/k3s/k3s.yaml", "/etc/cni/net.d", "/etc/php", "/etc/nixos/configuration.nix":
		return true
	case "/var/run/docker.sock", "/var/run/secrets", "/var/run/postgresql", "/var/run/dbus", "/var/run/mysqld", "/var/run/redis",
		"/var/lib/postgresql", "/var/lib/mysql", "/var/lib/mariadb", "/var/lib/redis", "/var/lib/mongodb", "/var/lib/rabbitmq",
		"/var/lib/elasticsearch", "/var/lib/grafana", "/var/lib/prometheus", "/var/lib/apt", "/var/lib/dpkg", "/var/lib/apk", "/var/lib/rpm",
		"/var/lib/docker/overlay2", "/var/lib/docker/containers", "/var/lib/containerd", "/var/lib/containers", "/var/lib/kubelet",
		"/var/lib/etcd", "/var/lib/rancher", "/var/lib/systemd", "/var/lib/nginx", "/var/lib/cloud", "/var/lib/clickhouse", "/var/lib/cassandra",
		"/var/lib/zookeeper", "/var/lib/kafka", "/var/lib/influxdb", "/var/lib/gitea", "/var/lib/pgsql", "/var/log/nginx", "/var/log/apache2",
		"/var/log/httpd", "/var/log/syslog", "/var/log/messages", "/var/log/auth.log", "/var/log/secure", "/var/log/kern.log", "/var/log/dmesg",
		"/var/log/journal", "/var/log/postgresql", "/var/log/mysql", "/var/log/apt", "/var/log/dpkg.log", "/var/log/containers", "/var/log/pods",
		"/var/log/audit", "/var/log/cloud-init.log", "/var/log/cloud-init-output.log", "/var/log/cron", "/var/log/maillog", "/var/log/mail.log",
		"/var/log/redis", "/var/log/supervisor", "/var/cache/apt", "/var/cache/apk", "/var/cache/dnf", "/var/cache/yum", "/var/cache/nginx",
		"/var/cache/debconf", "/var/spool/cron", "/var/task", "/var/runtime":
		return true
	case "/opt/bitnami", "/opt/hostedtoolcache", "/opt/conda", "/opt/venv", "/opt/homebrew":
		return true
	case "/data/db":
		return true
	case "/srv/http":
		return true
	case "/proc/self", "/proc/sys", "/proc/net", "/proc/cpuinfo", "/proc/meminfo", "/proc/mounts", "/proc/version", "/proc/loadavg",
		"/proc/cmdline", "/proc/stat", "/proc/uptime", "/proc/1", "/proc/filesystems", "/proc/partitions", "/proc/swaps", "/proc/diskstats",
		"/proc/interrupts", "/proc/modules", "/proc/vmstat", "/proc/pressure":
		return true
	default:
		return false
	}
}
