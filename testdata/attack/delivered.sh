# Two people share a remote without keys. Mallory has committed to its default branch, and the memory of me is exchanged with it.
set -e
git init -q --bare remote.git
start=$(git -C remote.git commit-tree -m start 4b825dc642cb6eb9a060e54bf8d69288fbee4904)
more=$(git -C remote.git -c user.name=Mallory commit-tree -p $start -m more 4b825dc642cb6eb9a060e54bf8d69288fbee4904)
git -C remote.git update-ref refs/heads/main $more
git clone -q remote.git me
git clone -q remote.git mallory
git -C mallory config user.name Mallory
case ${1:-remote} in
none) ;;
*) git -C me ltm setup --trust "${1:-remote}" 2>/dev/null ;;
esac
git -C me ltm sync >/dev/null
cat > start.sh <<'S'
printf '{"session_id":"%s","source":"startup","hook_event_name":"SessionStart","cwd":"%s"}' $1 "$PWD/me" | git-ltm hook claude-code session-start | sed 's/\\n/\n/g'
S
