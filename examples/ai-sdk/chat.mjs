import { readUIMessageStream } from 'ai';
import { cadreTransport } from './cadre-transport.mjs';

/*
 * Uses the transport without a user interface: asks a question, runs the tool that the agent calls, and prints the
 * answers. With CONVERSATION_ID it prints the answer in progress in that conversation instead.
 *
 *   node examples/ai-sdk/chat.mjs "My device is broken, please open a ticket."
 */

const { CADRE_URL, CADRE_API_KEY, CADRE_AGENT_ID, CONVERSATION_ID } = process.env;

const transport = cadreTransport({
  url: CADRE_URL,
  apiKey: CADRE_API_KEY,
  agentId: CADRE_AGENT_ID,
  tools: [{ name: 'open_ticket', description: 'Opens a ticket.', inputSchema: { type: 'object' } }],
});

/** Prints an answer while it is written. Returns the complete message. */
async function print(stream) {
  let answer;
  let shown = 0;
  for await (answer of readUIMessageStream({ stream })) {
    const text = answer.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    process.stdout.write(text.slice(shown));
    shown = text.length;
  }
  process.stdout.write('\n');
  return answer;
}

const send = async (messages) =>
  print(await transport.sendMessages({ trigger: 'submit-message', chatId: 'chat', messages }));

if (CONVERSATION_ID) {
  const rest = await transport.reconnectToStream({ chatId: CONVERSATION_ID });
  if (rest) await print(rest);
} else {
  const text = process.argv[2] ?? 'My device is broken, please open a ticket.';
  const messages = [{ id: 'question', role: 'user', parts: [{ type: 'text', text }] }];
  for (;;) {
    const answer = await send(messages);
    const calls = answer.parts.filter(({ state }) => state === 'input-available');
    if (calls.length === 0) break;
    // `addToolOutput` of a user interface does the same.
    for (const call of calls) Object.assign(call, { state: 'output-available', output: { ticket: 7 } });
    messages.push(answer);
  }
}
