# tombstone.sh ID TARGET... stores an event that nobody signed and that says its targets are purged, and prints its blob.
id=$1 targets="    \"$2\""
shift 2
for target; do targets="$targets,
    \"$target\""; done
printf '{\n  "type": "event",\n  "id": "%s",\n  "created_at": "2026-01-02T03:04:05Z",\n  "event": "purge",\n  "targets": [\n%s\n  ],\n  "value": "mistake"\n}\n' $id "$targets" | git hash-object -w --stdin
