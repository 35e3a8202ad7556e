# short.sh PUBLIC-KEY-FILE prints the 16 digits that name a key in the ref of a later signature.
cut -d' ' -f2 $1 | base64 -d | sha256sum | cut -c1-16
