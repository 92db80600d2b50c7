import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';

/*
 * Asks an agent with the AI SDK, and runs the tool that it calls.
 *
 *   npm install ai @ai-sdk/openai-compatible
 *   node examples/openai-clients/ai-sdk.mjs "My device is broken, please open a ticket."
 */

const { CADRE_URL, CADRE_API_KEY, CADRE_AGENT_ID } = process.env;
const cadre = createOpenAICompatible({
  name: 'cadre',
  baseURL: `${CADRE_URL}/openai/v1`,
  apiKey: CADRE_API_KEY,
});

const openTicket = tool({
  description: 'Opens a ticket for a person of the support.',
  inputSchema: jsonSchema({ type: 'object', properties: { subject: { type: 'string' } } }),
  execute: async ({ subject }) => ({ ticket: 7, subject }),
});

const { textStream } = streamText({
  model: cadre(CADRE_AGENT_ID),
  prompt: process.argv[2] ?? 'My device is broken, please open a ticket.',
  tools: { open_ticket: openTicket },
  stopWhen: stepCountIs(5),
  onError: ({ error }) => {
    throw error;
  },
});
for await (const text of textStream) process.stdout.write(text);
process.stdout.write('\n');
