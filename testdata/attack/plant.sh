# plant.sh REF stores the tag object of its standard input, lets a ref name it, and pushes the ref by force.
tag=$(git hash-object -t tag -w --literally --stdin)
git update-ref $1 $tag
git push -q --force origin $1
