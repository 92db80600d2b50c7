#!/usr/bin/env bash
# Asks an agent one question, and prints the message with the answer as JSON.
# Leave out "stream": false to get server-sent events; then add -N, so that curl prints each at once.
set -euo pipefail

curl -sS --fail-with-body "$CADRE_URL/api/v2/agents/$CADRE_AGENT_ID/chat" \
  -H "Authorization: Bearer $CADRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"message": "When are you open?", "stream": false}'
