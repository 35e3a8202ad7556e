# slim.sh MEBIBYTES COMMAND... runs a command and fails where its process held more memory than that at any time. What it
# prints is kept in $WORK/slim.
most=0 limit=$1
shift
for try in 1 2 3 4 5 6; do # One that ends before anybody looked is run again.
	"$@" > $WORK/slim 2>&1 &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		while read -r name kib rest; do
			if [ "$name" = VmHWM: ]; then most=$kib; fi
		done 2>/dev/null < /proc/$pid/status
		[ -e /proc/$pid/exe ] || break
	done
	wait $pid
	code=$?
	[ $most = 0 ] || break
done
echo "$((most / 1024)) MiB, exit $code: $*"
[ $most -gt 0 ] && [ $((most / 1024)) -le $limit ]
