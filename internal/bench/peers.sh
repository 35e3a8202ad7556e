# What the lines of peers.txt call.

# mcp TOOL ARGUMENTS calls one tool of the memory server, which is started for it.
mcp() {
	{
		printf '%s%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",' \
			'"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
		printf '%s\n' '{"jsonrpc":"2.0","method":"notifications/initialized"}'
		printf '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2"
	} | mcp-server-memory 2>/dev/null | grep '"id":2' | grep -v '"isError":true'
}

# everything REPOSITORY prints all its objects and files.
everything() {
	git -C $1 cat-file --batch-all-objects --batch
	find $1 -type f ! -path '*/objects/*' -exec cat {} +
}

# sshkey makes a key, and lets git sign with it.
sshkey() {
	ssh-keygen -q -t ed25519 -N '' -f $A/../key </dev/null >/dev/null && git config gpg.format ssh &&
		git config user.signingKey $A/../key.pub && git config gpg.ssh.allowedSignersFile $A/../signers &&
		echo "bench@example.com $(cut -d' ' -f1,2 $A/../key.pub)" >$A/../signers
}

# make_place COMMITS makes the remote with so many commits, and the two clones.
make_place() {
	mkdir -p $HOME && git init -q --bare -b main $REMOTE && git -C $REMOTE config gc.auto 0 &&
		awk -v n=$1 'BEGIN { for (i = 0; i <= n; i++) printf "commit refs/heads/main\n" \
			"committer B <b@example.com> %d +0000\ndata 4\nwork\nM 644 inline f\ndata %d\n%d\n", \
			1700000000 + i, length(i "") + 1, i }' | git -C $REMOTE fast-import --quiet &&
		for d in $A $B; do
			git clone -q $REMOTE $d && git -C $d config gc.auto 0 && git -C $d config user.name Bench || return
		done
}

# try COMMAND... runs one that may take a minute, and says in a line why it failed, without addresses.
try() {
	timeout 60 "$@" >$A/../said 2>&1 && return
	grep -m1 -iE 'not found|notfound|not available|not in this registry|required|refused|denied' $A/../said |
		sed 's|https*://[^ ]*|(address)|g; s/^npm error *//' >&2
	return 1
}
