# around.sh lets memory go around between the clones one and two of a remote, through all that is done with a record. It prints
# the steps, and ends with the first that is not as it should be.
set -ex
cd one
git-ltm init
first=$(git-ltm save --goal First --next 'Go on' --attempt 'Trying :: failed')
object=$(git rev-parse refs/ltm/packets/$first)
git cat-file blob $object >"$WORK/stored"
git-ltm show $first --raw | cmp - "$WORK/stored"
git-ltm save --goal Second --next 'Go on'
git-ltm status --json | grep '"broken": \[\]'
git-ltm sync | grep '^origin: pulled 0, pushed 2 records; it holds 2 '

# The other clone takes both, and hides one.
cd ../two
git-ltm pull | grep '^origin: pulled 2 records; '
git-ltm show $first --raw | cmp - "$WORK/stored"
git-ltm rm $first
git-ltm push
cd ../one
git-ltm sync | grep 'pulled 1 change, pushed 0'
test "$(git-ltm ls --format '%(goal)')" = Second

# Compacted, purged and collected, the bytes are gone, and the other clone follows.
git-ltm compact --older-than 0d --keep 0 | grep '^moved 2 records and 1 change into refs/ltm/archive/.*; 3 refs of them gone from origin'
git-ltm purge $first --yes --gc
git cat-file --batch-all-objects --batch-check | { ! grep $object; }
cd ../two
git-ltm sync | grep 'removed here, as purged: 1 record, hidden here until you answer a purge: 1 change'
git-ltm purge --accept --all | grep '^purged'
for clone in one two; do
	cd ../$clone
	git-ltm resume | grep Second
	git-ltm check | grep 'nothing found'
	git-ltm doctor | { ! grep -E '^problem'; }
	test -z "$(git fsck --strict --no-dangling --no-progress)"
done
