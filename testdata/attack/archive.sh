# archive.sh QUARTER SECONDS [PARENT] makes the commit of an archive out of lines "OBJECT PATH" and prints its name.
export GIT_INDEX_FILE=$(mktemp -u) GIT_AUTHOR_NAME=git-ltm GIT_AUTHOR_EMAIL=git-ltm@localhost GIT_AUTHOR_DATE="@$2 +0000"
export GIT_COMMITTER_NAME=git-ltm GIT_COMMITTER_EMAIL=git-ltm@localhost GIT_COMMITTER_DATE="@$2 +0000"
sed 's/^\([0-9a-f]*\) /100644 \1\t/' | git update-index --index-info
printf "ltm archive $1\n" | git commit-tree ${3:+-p $3} $(git write-tree)
rm -f $GIT_INDEX_FILE
