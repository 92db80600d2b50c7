#!/usr/bin/env bash
# Asks an agent through the OpenAI-compatible API, and prints the completion as JSON.
set -euo pipefail

curl -sS --fail-with-body "$CADRE_URL/openai/v1/chat/completions" \
  -H "Authorization: Bearer $CADRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"model": "'"$CADRE_AGENT_ID"'", "messages": [{"role": "user", "content": "When are you open?"}]}'
