/*
 * Prints an answer while it is written. If the connection is lost, continues after the last event that arrived.
 *
 *   node examples/fetch/ask.mjs "When are you open?"
 */

const { CADRE_URL, CADRE_API_KEY, CADRE_AGENT_ID } = process.env;
const agentUrl = `${CADRE_URL}/api/v2/agents/${CADRE_AGENT_ID}`;
const authorization = `Bearer ${CADRE_API_KEY}`;
const RETRIES = 5;

/** Resolves with the response; rejects with the error of the API. */
async function request(url, options) {
  const response = await fetch(url, options);
  if (response.ok) return response;
  const { error } = await response.json();
  throw new Error(`${error.code}: ${error.message}`);
}

/** Yields `{ id, data }` of each event. An event may arrive in several pieces; other lines are comments. */
async function* eventsOf(response) {
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data) yield { id, data };
    }
  }
}

let conversationId;
let lastEventId;

/** Prints the events. Returns whether the answer is complete; rejects if the connection is lost. */
async function print(response) {
  for await (const { id, data } of eventsOf(response)) {
    if (data === '[DONE]') return true;
    lastEventId = id ?? lastEventId;
    const event = JSON.parse(data);
    if (event.type === 'start') conversationId = event.messageMetadata.conversationId;
    if (event.type === 'text-delta') process.stdout.write(event.delta);
    if (event.type === 'error') throw new Error(event.errorText);
  }
  return false;
}

const message = process.argv[2] ?? 'When are you open?';
let response = await request(`${agentUrl}/chat`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ message }),
});
for (let attempt = 0; ; attempt += 1) {
  // fetch throws a TypeError for a lost connection.
  const isComplete = await print(response).catch((error) => {
    if (error instanceof TypeError && conversationId && attempt < RETRIES) return false;
    throw error;
  });
  if (isComplete || attempt === RETRIES) break;
  response = await request(`${agentUrl}/conversations/${conversationId}/stream`, {
    headers: { authorization, 'last-event-id': lastEventId ?? '' },
  });
  if (response.status === 204) break;
}
process.stdout.write('\n');
