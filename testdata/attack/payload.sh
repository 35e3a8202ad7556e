# payload.sh ID BLOB prints what the signature of a record is made over. TAGGER, TYPE, MESSAGE and STORE change it.
sum=$(git cat-file blob $2 2>/dev/null | sha256sum | cut -d' ' -f1)
printf 'object %s\ntype %s\ntag %s\ntagger %s\n\n' $2 ${TYPE:-blob} $1 "${TAGGER:-alice <alice@example.com> 1767323045 +0000}"
printf "${MESSAGE:-ltm record $1\n\nLtm-Format: 1\nLtm-Digest: sha256:$sum\nLtm-Store: ${STORE:-team-store}\n}"
