/*
 * An inbox in a terminal: lists the conversations that wait for a person, and prints each change. A line of input answers the
 * conversation that waits longest.
 *
 *   node examples/inbox/inbox.mjs
 */

import { createInterface } from 'node:readline';

const { CADRE_URL, CADRE_API_KEY } = process.env;
const api = `${CADRE_URL}/api/v2`;
const headers = { authorization: `Bearer ${CADRE_API_KEY}`, 'content-type': 'application/json' };

/** Resolves with the response; rejects with the error of the API. */
async function request(path, options) {
  const response = await fetch(`${api}${path}`, { ...options, headers: { ...headers, ...options?.headers } });
  if (response.ok) return response;
  const { error } = await response.json();
  throw new Error(`${error.code}: ${error.message}`);
}

let waiting = [];

/** Reads the inbox, and prints what waits. */
async function show() {
  const { data } = await (await request('/inbox')).json();
  waiting = data.filter(({ waitingSince }) => waitingSince !== null);
  for (const { state, unread, conversation, lastMessage } of data)
    console.log(`${state} (${unread} new) ${conversation.title}: ${lastMessage?.text ?? ''}`);
}

createInterface({ input: process.stdin }).on('line', async (text) => {
  const [next] = waiting;
  if (!next) return console.log('no conversation waits');
  const path = `/agents/${next.agentId}/conversations/${next.conversation.id}/messages`;
  await request(path, { method: 'POST', body: JSON.stringify({ text, authorName: 'Ada' }) });
});

let lastEventId;
for (;;) {
  try {
    // Opened before the list is read, so that no change falls between them.
    const stream = await request('/inbox/events', {
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    });
    await show();
    let rest = '';
    for await (const piece of stream.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) lastEventId = /^id: (.*)$/m.exec(block)?.[1] ?? lastEventId;
      if (blocks.some((block) => /^data: /m.test(block))) await show();
    }
  } catch (error) {
    console.error(error.message);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
