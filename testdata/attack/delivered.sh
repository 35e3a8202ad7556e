# Two people share a remote without keys. Mallory has committed to its default branch, and the memory of me is exchanged with it.
set -e
git init -q --bare remote.git
git clone -q remote.git me 2>/dev/null
git -C me commit -q --allow-empty -m start
git -C me push -q origin HEAD
git clone -q remote.git mallory
git -C mallory config user.name Mallory
git -C mallory commit -q --allow-empty -m more
git -C mallory push -q origin HEAD
git -C me pull -q
git -C me remote set-head origin -a >/dev/null
case ${1:-remote} in
none) ;;
*) git -C me ltm setup --trust "${1:-remote}" 2>/dev/null ;;
esac
git -C me ltm sync >/dev/null
cat > start.sh <<'S'
printf '{"session_id":"%s","source":"startup","hook_event_name":"SessionStart","cwd":"%s"}' $1 "$PWD/me" | git-ltm hook claude-code session-start | sed 's/\\n/\n/g'
S
