#!/bin/sh
# Installs git ltm from a release: finds the archive for this system, compares it with SHA256SUMS of that release,
# and puts the programs, manual pages and completions below PREFIX. Nothing is written before the sum is right.
#
#   install.sh URL VERSION     URL is the folder of the release's files; VERSION such as 0.1.0
#
# PREFIX is $HOME/.local where it is not set. The sum says that the archive is the one of that folder, not who
# put it there: docs/release.md says how signatures are verified.
set -eu
usage='usage: [PREFIX=folder] install.sh URL VERSION'
url=${1:?$usage} version=${2:?$usage}
version=${version#v}
prefix=${PREFIX:-$HOME/.local}

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
FreeBSD) os=freebsd ;;
*) echo "install.sh: no archive for $(uname -s)" >&2 && exit 1 ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) echo "install.sh: no archive for $(uname -m)" >&2 && exit 1 ;;
esac
archive=git-ltm_${version}_${os}_${arch}.tar.gz

if command -v curl >/dev/null; then
	fetch() { curl -fsSL -o "$2" "$1"; }
elif command -v wget >/dev/null; then
	fetch() { wget -q -O "$2" "$1"; }
else
	echo 'install.sh: curl or wget is needed' >&2 && exit 1
fi
if command -v sha256sum >/dev/null; then
	sum() { sha256sum "$1"; }
elif command -v shasum >/dev/null; then
	sum() { shasum -a 256 "$1"; }
else
	sum() { sha256 -q "$1"; }
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch "$url/SHA256SUMS" "$work/SHA256SUMS"
fetch "$url/$archive" "$work/$archive"
want=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
have=$(sum "$work/$archive" | awk '{ print $1 }')
if [ -z "$want" ] || [ "$want" != "$have" ]; then
	echo "install.sh: $archive has the sum $have, and SHA256SUMS says ${want:-nothing of it}. Nothing was installed." >&2
	exit 1
fi

mkdir "$work/files"
tar -xzf "$work/$archive" -C "$work/files"
share=$prefix/share
mkdir -p "$prefix/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
	"$share/fish/vendor_completions.d"
for program in git-ltm git-ltm-hook; do
	# Renamed over, so that one that runs is not written to.
	cp "$work/files/$program" "$prefix/bin/$program.new"
	chmod 755 "$prefix/bin/$program.new"
	mv "$prefix/bin/$program.new" "$prefix/bin/$program"
done
cp "$work"/files/man/*.gz "$share/man/man1"
cp "$work/files/completions/git-ltm.bash" "$share/bash-completion/completions/git-ltm"
cp "$work/files/completions/git-ltm.zsh" "$share/zsh/site-functions/_git-ltm"
cp "$work/files/completions/git-ltm.fish" "$share/fish/vendor_completions.d"
"$prefix/bin/git-ltm" version
case :$PATH: in *:"$prefix/bin":*) ;; *) echo "Put $prefix/bin on your PATH." ;; esac
