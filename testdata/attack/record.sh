# record.sh ID [GOAL] stores a packet as this program would encode it, and prints the name of its blob.
printf '{\n  "ltm_version": "0.3",\n  "id": "%s",\n  "created_at": "2026-01-02T03:04:05Z",\n  "goal": "%s",\n  "next_step": "Obey"\n}\n' $1 "${2:-Obey}" | git hash-object -w --stdin
