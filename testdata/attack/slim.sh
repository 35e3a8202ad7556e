# slim.sh MEBIBYTES COMMAND... runs a command and fails where one of its processes held more memory than that at any time. What
# it prints is kept in $WORK/slim.
limit=$1
shift
measured $WORK/slim.memory "$@" > $WORK/slim 2>&1
code=$?
most=$(($(sed -n 's/^memory: //p' $WORK/slim.memory) / 1024))
echo "$most MiB, exit $code: $*"
[ $most -gt 0 ] && [ $most -le $limit ]
