# Makes a key that every repository of this user signs with and trusts, as somebody with two machines would have.
set -e
ssh-keygen -q -t ed25519 -N '' -C ada@example.com -f "$WORK/key"
echo "ada@example.com namespaces=\"git\" $(cut -d' ' -f1,2 "$WORK/key.pub")" > "$WORK/trusted"
git config --global user.signingKey "$WORK/key"
git config --global gpg.format ssh
git config --global gpg.ssh.allowedSignersFile "$WORK/trusted"
git config --global ltm.sign required
git config --global ltm.store team-store
