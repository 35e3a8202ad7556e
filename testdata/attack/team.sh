# Makes keys, a remote, and three clones of it: author (alice, who signs), reader (who trusts alice and bob) and evil
# (mallory, who can push whatever git lets through).
set -e
mkdir keys
for who in alice bob mallory; do ssh-keygen -q -t ed25519 -N '' -C "$who@example.com" -f keys/$who; done
for who in alice bob; do echo "$who@example.com namespaces=\"git\" $(cut -d' ' -f1,2 keys/$who.pub)"; done > trusted
git init -q --bare remote.git
for clone in author:alice reader:reader evil:mallory; do
	dir=${clone%:*} who=${clone#*:}
	git clone -q remote.git $dir 2>/dev/null
	cat >> $dir/.git/config <<-END
	[user]
		name = ${who}
		email = ${who}@example.com
		signingKey = $PWD/keys/$who
	[gpg]
		format = ssh
	[gpg "ssh"]
		allowedSignersFile = $PWD/trusted
	[ltm]
		store = team-store
	[remote "origin"]
		fetch = +refs/ltm/packets/*:refs/ltm-remotes/origin/packets/*
		fetch = +refs/ltm/events/*:refs/ltm-remotes/origin/events/*
		fetch = +refs/ltm/endorse/*:refs/ltm-remotes/origin/endorse/*
		prune = true
	END
done
cd author
parent=
for id in 01JDMB4W1YNJZQR7K8F3A2H5P1 01JDMB4W1YNJZQR7K8F3A2H5P2; do
	printf '{"id": "%s", "goal": "Honest %s", "next_step": "Go on"%s}' $id $id "$parent" | git-ltm save - --sign > /dev/null
	parent=", \"parent_id\": \"$id\""
done
git push -q origin 'refs/ltm/*:refs/ltm/*'
cd ../evil
git fetch -q origin 'refs/ltm/*:refs/ltm/*'
