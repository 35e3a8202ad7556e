# beside.sh REPOSITORY makes the commit of an archive out of lines "OBJECT PATH", of the quarter of the one that the repository
# holds, and prints the refspec that pushes it.
ref=$(git -C $1 for-each-ref --format='%(refname)' refs/ltm/archive | tail -n 1)
quarter=${ref#refs/ltm/archive/}
quarter=${quarter%/*}
commit=$(sh $A/archive.sh $quarter $(git -C $1 log -1 --format=%ct $ref))
echo $commit:refs/ltm/archive/$quarter/$commit
