import OpenAI from 'openai';

/*
 * Streams an answer to the terminal with the `openai` package, then prints the sources that it cites.
 *
 *   npm install openai
 *   node examples/openai-clients/openai.mjs "When are you open?"
 */

const { CADRE_URL, CADRE_API_KEY, CADRE_AGENT_ID } = process.env;
const openai = new OpenAI({ baseURL: `${CADRE_URL}/openai/v1`, apiKey: CADRE_API_KEY });

const stream = await openai.chat.completions.create({
  model: CADRE_AGENT_ID,
  messages: [{ role: 'user', content: process.argv[2] ?? 'When are you open?' }],
  stream: true,
});
let extension;
for await (const { choices, cadre } of stream) {
  process.stdout.write(choices[0]?.delta.content ?? '');
  extension = cadre ?? extension;
}
process.stdout.write('\n');
for (const { sourceId, title, quote } of extension?.citations ?? [])
  console.log(`[${sourceId}] ${title}: "${quote}"`);
