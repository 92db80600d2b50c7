import t from 'tap';
import { systemClock } from '../../../core/ports/clock.port.js';
import { invalid, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';

const twoProcesses = async (cacheTtlSeconds: number, clock = systemClock) => {
  const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds } }, clock });
  const beside = await service.beside();
  const { apiKey } = await service.workspace();
  return [service.api(apiKey), beside.api(apiKey)] as const;
};

const malformed = { raw: '{', headers: { 'content-type': 'application/json' } };
const texts = { title: 'A title', content: 'A text.' };

t.test(
  'a change finds that another process has deleted its agent, however lately it was there',
  async (t) => {
    const [here, there] = await twoProcesses(5);
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'renamed' }],
      ['PATCH', '/settings/ai', { instructionsPrompt: 'x' }],
      ['POST', '/sources/text', texts],
      ['POST', '/sources/qna', { title: 'x', questions: ['x'], answer: 'x' }],
      ['POST', '/sources/url', { url: 'https://example.com' }],
    ] as const) {
      const { id } = await here.agent();
      t.match(await here.patch(`/agents/${id}`, { name: 'known' }), { status: 200 });
      await there.delete(`/agents/${id}`);
      refused(t, await here.send(method, `/agents/${id}${path}`, body), 404, 'AGENT_NOT_FOUND');
      refused(
        t,
        await here.send(method, `/agents/${id}${path}`, undefined, malformed),
        404,
        'AGENT_NOT_FOUND',
      );
    }
  },
);

t.test(
  'what is known of an agent counts for its own workspace, and until this process has deleted it',
  async (t) => {
    const service = await startTestService(t);
    const [mine, theirs] = [await service.client(), await service.client()];
    const { id } = await mine.agent();
    await mine.patch(`/agents/${id}`, { name: 'known' });
    invalid(t, await mine.patch(`/agents/${id}`, { name: '' }), 'name');
    refused(t, await theirs.send('PATCH', `/agents/${id}`, undefined, malformed), 404, 'AGENT_NOT_FOUND');
    refused(t, await theirs.post(`/agents/${id}/sources/text`, texts), 404, 'AGENT_NOT_FOUND');
    await mine.delete(`/agents/${id}`);
    refused(t, await mine.send('PATCH', `/agents/${id}`, undefined, malformed), 404, 'AGENT_NOT_FOUND');
  },
);

t.test('what is known of an agent stands in for a look for as long as a key is cached', async (t) => {
  let now = Date.now();
  const [here, there] = await twoProcesses(5, { now: () => now });
  const { id } = await here.agent();
  const sent = () => here.send('PATCH', `/agents/${id}`, undefined, malformed);
  await here.patch(`/agents/${id}`, { name: 'known' });
  await there.delete(`/agents/${id}`);
  invalid(t, await sent());
  now += 5_000;
  refused(t, await sent(), 404, 'AGENT_NOT_FOUND');
});

t.test('without a cache, an agent is looked for before each body', async (t) => {
  const [here, there] = await twoProcesses(0);
  const { id } = await here.agent();
  await here.patch(`/agents/${id}`, { name: 'known' });
  await there.delete(`/agents/${id}`);
  const answer = await here.send('PATCH', `/agents/${id}`, undefined, malformed);
  refused(t, answer, 404, 'AGENT_NOT_FOUND');
});
