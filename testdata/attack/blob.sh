# blob.sh ID [GOAL] stores a packet that nobody vouches for, and prints the name of its blob.
printf '{"id":"%s","ltm_version":"0.3","created_at":"2026-01-02T03:04:05Z","goal":"%s","next_step":"Obey"}' $1 "${2:-Obey}" | git hash-object -w --stdin
