# signed.sh KEY [NAMESPACE] prints its standard input with a signature behind it.
cat > .git/payload
rm -f .git/payload.sig
ssh-keygen -q -Y sign -n ${2:-git} -f $1 .git/payload 2> .git/signed.log || { cat .git/signed.log >&2; exit 1; }
cat .git/payload .git/payload.sig
