/*
 * Offers the agent an action of this program, runs it when the agent calls it, and sends its result.
 *
 *   node examples/tool-result/ask.mjs "My device is broken, please open a ticket."
 */

const { CADRE_URL, CADRE_API_KEY, CADRE_AGENT_ID } = process.env;
const agentUrl = `${CADRE_URL}/api/v2/agents/${CADRE_AGENT_ID}`;

const tools = [
  {
    name: 'open_ticket',
    description: 'Opens a ticket for a person of the support.',
    inputSchema: { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] },
  },
];

/** The actions by name. The agent has checked the input against the schema. */
const actions = {
  open_ticket: async ({ subject }) => ({ ticket: 7, subject }),
};

async function post(path, body) {
  const response = await fetch(agentUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${CADRE_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer;
}

/** Runs an action. A failure is a result, too: the agent explains it to the user. */
async function resultOf({ toolName, input }) {
  try {
    return { output: await actions[toolName](input) };
  } catch (error) {
    return { error: error.message };
  }
}

const ask = (body) => post('/chat', { ...body, tools, stream: false });

const message = process.argv[2] ?? 'My device is broken, please open a ticket.';
let answer = await ask({ message });
for (;;) {
  for (const part of answer.parts) if (part.type === 'text') console.log(part.text);
  const calls = answer.parts.filter(({ type }) => type === 'tool-call');
  if (calls.length === 0) break;
  const { conversationId } = answer.metadata;
  for (const call of calls)
    await post(`/conversations/${conversationId}/tool-result`, {
      toolCallId: call.toolCallId,
      ...(await resultOf(call)),
    });
  // Without a message, the agent continues with the results.
  answer = await ask({ conversationId });
}
