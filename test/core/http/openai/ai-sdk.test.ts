import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import * as provider from '../../../support/fake-provider.js';
import { modelledAgent } from '../../../support/modelled-agent.js';
import { onEachEngine } from '../../../support/service.js';

/* The AI SDK's provider for compatible APIs against the service, over a socket. */

await onEachEngine('the AI SDK generates and streams text, and runs tools', async (t, engine) => {
  const agent = await modelledAgent(t, { engine });
  const cadre = createOpenAICompatible({
    name: 'cadre',
    baseURL: `${agent.service.baseUrl}/openai/v1`,
    apiKey: await agent.key({ scope: 'chat', agentIds: [agent.chat.agentId] }),
    includeUsage: true,
  });
  const model = cadre(agent.chat.agentId);
  const prompt = 'How do I reset the device?';
  agent.provider.play(provider.says('Hold the power button ', 'for ten seconds [1].'));
  const { text, usage, finishReason } = await generateText({ model, prompt });
  t.equal(text, 'Hold the power button for ten seconds [1].');
  t.match(usage, { inputTokens: 10, outputTokens: 5 });
  t.equal(finishReason, 'stop');

  const streamed = streamText({ model, prompt });
  let seen = '';
  for await (const piece of streamed.textStream) seen += piece;
  t.equal(seen, text);
  t.match(await streamed.usage, { inputTokens: 10, outputTokens: 5 });

  agent.provider.play(
    provider.streams([
      provider.toolFragment(0, 'weather', '{"city":"Ulm"}'),
      provider.ends('tool_calls'),
      provider.done,
    ]),
    provider.says('It rains.'),
  );
  const asked: string[] = [];
  const weather = tool({
    description: 'Tells the weather',
    inputSchema: jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    }),
    execute: async ({ city }) => {
      asked.push(city);
      return { sky: 'rain' };
    },
  });
  const told = streamText({ model, prompt: 'Weather?', tools: { weather }, stopWhen: stepCountIs(3) });
  t.equal(await told.text, 'It rains.');
  t.strictSame(asked, ['Ulm']);

  const failing = generateText({ model: cadre('unknown'), prompt, maxRetries: 0 });
  await t.rejects(failing, { statusCode: 404, message: /There is no such agent/ } as never);
});
